package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.worker.provider.described.DescribedConfig;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A provider whose answer to the create is the paid result: it is on disk before it counts. */
class ResultInTheAnswerIT {
  private static final Descriptor IMAGES = Adapters.descriptor("openai-images", "", "");
  private static final byte[] IMAGE = "an image, ".repeat(5_000).getBytes(StandardCharsets.UTF_8);
  private static final String ANSWER =
      "{\"created\":1,\"data\":[{\"b64_json\":\""
          + Base64.getEncoder().encodeToString(IMAGE)
          + "\"}]}";

  @TempDir Path folder;
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-02T23:59:00Z"));

  @Test
  void imageInside_isKept_andFetchedByAnyWorker() throws IOException {
    try (RawServer server = answering(ANSWER)) {
      SubmitResult result = submit(server);
      assertThat(result.verdict()).isEqualTo(new Verdict.Accepted(Adapters.SUBMISSION_KEY, ""));
      assertThat(result.raw().truncated()).as("the evidence is capped").isTrue();
      assertThat(result.raw().body().size()).isLessThanOrEqualTo(RawAnswer.BODY_LIMIT);
      now.set(now.get().plusSeconds(120)); // another day, another worker
      try (ProviderAdapter other = open(server)) {
        OutputRef output = output(other);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertThat(other.download(output, bytes::write, 1 << 20))
            .isInstanceOf(DownloadResult.Downloaded.class);
        assertThat(bytes.toByteArray()).isEqualTo(IMAGE);
        assertThat(other.download(output, bytes::write, 10))
            .isInstanceOfSatisfying(
                DownloadResult.Invalid.class,
                invalid -> assertThat(invalid.code()).isEqualTo(Code.OUTPUT_INVALID));
      }
      assertThat(server.posts()).isEqualTo(1);
    }
  }

  @Test
  void answerCutAnywhere_isUnknown_howeverMuchOfTheImageIsThere() throws IOException {
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + ANSWER.length()
            + "\r\n\r\n";
    for (int n : new int[] {0, 20, ANSWER.length() / 2, ANSWER.length() - 1}) {
      try (RawServer server =
          new RawServer(
              (_, socket) -> {
                RawServer.write(socket, head + ANSWER.substring(0, n));
                return RawServer.fin(socket);
              })) {
        assertThat(submit(server).verdict())
            .as("cut after %d", n)
            .isInstanceOf(Verdict.Unknown.class);
      }
    }
  }

  @Test
  void answerThatCannotBeKept_isUnknown() throws IOException {
    Files.writeString(folder.resolve("answers"), "a file where the folder should be");
    try (RawServer server = answering(ANSWER)) {
      assertThat(submit(server).verdict())
          .isInstanceOfSatisfying(
              Verdict.Unknown.class,
              unknown -> assertThat(unknown.reason()).contains("could not be kept"));
    }
  }

  private static OutputRef output(ProviderAdapter adapter) {
    StatusResult status = adapter.status(Adapters.SUBMISSION_KEY);
    assertThat(status).isInstanceOf(StatusResult.Status.class);
    return ((StatusResult.Status) status).output().orElseThrow();
  }

  private SubmitResult submit(RawServer server) {
    try (ProviderAdapter adapter = open(server)) {
      return adapter.submit(
          new Submission(
              "video:0",
              "{\"prompt\":\"a red kite\",\"model\":\"m\"}".getBytes(StandardCharsets.UTF_8),
              Adapters.SUBMISSION_KEY,
              System.nanoTime() + Adapters.PLENTY.toNanos(),
              System.nanoTime() + Adapters.PLENTY.toNanos()));
    }
  }

  private static RawServer answering(String body) throws IOException {
    return new RawServer((_, socket) -> RawServer.write(socket, RawServer.answer(200, body)));
  }

  private ProviderAdapter open(RawServer server) {
    return Adapters.described(
        IMAGES,
        server.base(""),
        Recourse.NONE,
        new DescribedConfig.KeptIn(folder.resolve("answers"), now::get));
  }
}
