package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.descriptor.Descriptor;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several tasks in one status call. */
final class ManyStatusesIT {
  private static final Descriptor OWN = Adapters.descriptor("http-json", "", "");
  private static final List<String> IDS = List.of("t-1", "t-2", "t-3", "t-4", "t-5");

  private final AtomicInteger calls = new AtomicInteger();

  private Map<String, StatusResult> asked(int status, String body) throws IOException {
    try (RawServer server =
            new RawServer(
                (_, socket) -> {
                  calls.incrementAndGet();
                  return RawServer.write(socket, RawServer.answer(status, body));
                });
        ProviderAdapter adapter =
            Adapters.described(OWN, server.base(""), Recourse.NONE, Adapters.NOWHERE)) {
      assertThat(adapter.statusBatch()).isEqualTo(100);
      return adapter.statuses(IDS);
    }
  }

  @Test
  void oneCall_eachTaskIsReadAsItsOwnAnswer() throws IOException {
    Map<String, StatusResult> results =
        asked(
            200,
            """
            {"tasks": [
              {"id": "t-2", "status": "failed", "error": {"code": "nsfw", "message": "no"}},
              {"id": "t-1", "status": "processing"},
              {"id": "t-3", "status": "reticulating"},
              {"id": "t-4", "status": "succeeded", "output": {"url": "https://a.example.com/o"}},
              {"id": "t-9", "status": "failed"},
              {"status": "failed"}]}
            """);
    assertThat(calls).hasValue(1);
    assertThat(results).containsOnlyKeys(IDS);
    assertThat(results.get("t-1"))
        .isEqualTo(
            new StatusResult.Status(TaskState.PROCESSING, Optional.empty(), Optional.empty()));
    assertThat(results.get("t-2"))
        .isInstanceOfSatisfying(
            StatusResult.Status.class, s -> assertThat(s.state()).isEqualTo(TaskState.FAILED));
    assertThat(results.get("t-3")).isEqualTo(new StatusResult.UnknownWord("reticulating"));
    assertThat(results.get("t-4"))
        .isInstanceOfSatisfying(StatusResult.Status.class, s -> assertThat(s.output()).isPresent());
    assertThat(results.get("t-5"))
        .as("a list may be cut, so a task that it leaves out is not known to be missing")
        .isInstanceOf(StatusResult.Unavailable.class);
  }

  @Test
  void answerThatIsNoList_saysNothingOfAnyTask() throws IOException {
    for (String body :
        List.of("{}", "{\"tasks\":{}}", "[]", "<html>", "{\"tasks\":[{\"id\":\"t-1\"")) {
      assertThat(asked(200, body).values())
          .as(body)
          .hasSize(IDS.size())
          .hasOnlyElementsOfType(StatusResult.Unavailable.class);
    }
    assertThat(asked(404, "{\"error\":{\"code\":\"task_not_found\",\"message\":\"\"}}").values())
        .as("not even that they are missing")
        .hasOnlyElementsOfType(StatusResult.Unavailable.class);
  }
}
