package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.descriptor.Descriptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * FC-55: a provider that keeps keys for all its endpoints together answers with another call's
 * task. The answer is held against what was asked for.
 */
class OtherEndpointIT {
  /** The shipped descriptor, with an answer that has to be of the kind that was asked for. */
  private static final Descriptor STRICT =
      Adapters.descriptor(
          "http-json",
          "accepted-when: .error == null",
          "accepted-when: .error == null and (.kind == null or .kind == $request.input.kind)");

  @Test
  void fc55_answerOfAnotherKind_isUnknown_andTheTaskItNamesIsKept() throws IOException {
    SubmitResult result = submit("{\"id\":\"t-1\",\"kind\":\"image\"}");
    assertThat(result.verdict()).isInstanceOf(Verdict.Unknown.class);
    assertThat(result.raw().seenRemoteId()).contains("t-1");
  }

  @Test
  void fc55_answerOfTheSameKind_isAccepted() throws IOException {
    assertThat(submit("{\"id\":\"t-1\",\"kind\":\"video\"}").verdict())
        .isEqualTo(new Verdict.Accepted("t-1", ""));
  }

  private static SubmitResult submit(String answer) throws IOException {
    try (RawServer server =
            new RawServer((_, s) -> RawServer.write(s, RawServer.answer(202, answer)));
        ProviderAdapter adapter =
            Adapters.described(STRICT, server.base(""), Recourse.NONE, Adapters.NOWHERE)) {
      long by = System.nanoTime() + Adapters.PLENTY.toNanos();
      return adapter.submit(
          new Submission(
              "video:0",
              "{\"kind\":\"video\"}".getBytes(StandardCharsets.UTF_8),
              Adapters.SUBMISSION_KEY,
              by,
              by));
    }
  }
}
