package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.descriptor.Descriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Several tasks in one status call. */
final class ManyStatusesIT {
  private static final Descriptor OWN = Adapters.descriptor("http-json", "", "");
  private static final List<String> IDS = List.of("t-1", "t-2", "t-3", "t-4", "t-5");

  private static final String NOT_FOUND =
      RawServer.answer(404, "{\"error\":{\"code\":\"task_not_found\",\"message\":\"\"}}");

  private List<String> lines = List.of();

  private Map<String, StatusResult> asked(int status, String body) throws IOException {
    return asked(_ -> RawServer.answer(status, body));
  }

  /** What is said of all where a server gives this answer to a request line. */
  private Map<String, StatusResult> asked(UnaryOperator<String> answer) throws IOException {
    try (RawServer server =
            new RawServer(
                (request, socket) -> RawServer.write(socket, answer.apply(target(request))));
        ProviderAdapter adapter =
            Adapters.described(OWN, server.base(""), Recourse.NONE, Adapters.NOWHERE)) {
      assertThat(adapter.statusBatch()).isEqualTo(100);
      Map<String, StatusResult> results = adapter.statuses(IDS);
      lines = server.requests().stream().map(request -> target(request)).toList();
      return results;
    }
  }

  @Test
  void oneCall_eachTaskIsReadAsItsOwnAnswer() throws IOException {
    String list =
        """
            {"tasks": [
              {"id": "t-2", "status": "failed", "error": {"code": "nsfw", "message": "no"}},
              {"id": "t-1", "status": "processing"},
              {"id": "t-3", "status": "reticulating"},
              {"id": "t-4", "status": "succeeded", "output": {"url": "https://a.example.com/o"}},
              {"id": "t-9", "status": "failed"},
              {"status": "failed"}]}
            """;
    Map<String, StatusResult> results =
        asked(path -> path.contains("?") ? RawServer.answer(200, list) : NOT_FOUND);
    assertThat(lines)
        .as("a list may be cut: a task that it leaves out is asked about alone")
        .hasSize(2)
        .last(InstanceOfAssertFactories.STRING)
        .endsWith("/t-5");
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
    assertThat(results.get("t-5")).isEqualTo(new StatusResult.NotFound());
  }

  /** One id that a provider dislikes must not freeze its neighbours. */
  @Test
  void refusedForOneOfThem_theOthersAreAskedAboutAllTheSame() throws IOException {
    Map<String, StatusResult> results =
        asked(
            path -> {
              if (!path.contains("?")) {
                return path.endsWith("/t-2")
                    ? NOT_FOUND
                    : RawServer.answer(200, processing(path.substring(path.lastIndexOf('/') + 1)));
              }
              String ids = path.substring(path.indexOf('=') + 1).replace("%2C", ",");
              return ids.contains("t-2")
                  ? RawServer.answer(400, "no such id")
                  : RawServer.answer(200, list(List.of(ids.split(",", -1))));
            });
    assertThat(results.get("t-2")).isEqualTo(new StatusResult.NotFound());
    assertThat(results).containsOnlyKeys(IDS);
    results.remove("t-2");
    assertThat(results.values()).hasOnlyElementsOfType(StatusResult.Status.class);
  }

  @Test
  void askedTooOften_isNotAskedAgain() throws IOException {
    Map<String, StatusResult> results =
        asked(_ -> "HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n");
    assertThat(lines).hasSize(1);
    assertThat(results.values())
        .hasSize(IDS.size())
        .containsOnly(new StatusResult.Throttled(Duration.ofSeconds(7)));
  }

  @Test
  void askedTooOftenInTheHalves_isNotAskedOn() throws IOException {
    asked(
        path ->
            path.split("%2C", -1).length == 5 // all of them: halves are drawn by lot
                ? RawServer.answer(400, "too many at once")
                : "HTTP/1.1 429 Slow\r\nContent-Length: 0\r\n\r\n");
    assertThat(lines).hasSize(2);
  }

  private static String target(RawServer.Request request) {
    String line = request.line();
    return line.substring(line.indexOf(' ') + 1, line.lastIndexOf(' '));
  }

  private static String list(List<String> ids) {
    return ids.stream()
        .map(ManyStatusesIT::processing)
        .collect(Collectors.joining(",", "{\"tasks\":[", "]}"));
  }

  private static String processing(String id) {
    return "{\"id\":\"" + id + "\",\"status\":\"processing\"}";
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
    assertThat(asked(503, "{\"error\":{\"code\":\"task_not_found\",\"message\":\"\"}}").values())
        .as("not even that they are missing")
        .hasOnlyElementsOfType(StatusResult.Unavailable.class);
    assertThat(lines).as("a provider that is away is not asked five times over").hasSize(1);
  }
}
