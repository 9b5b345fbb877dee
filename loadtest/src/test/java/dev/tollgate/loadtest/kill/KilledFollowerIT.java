package dev.tollgate.loadtest.kill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.embedded.Leash;
import dev.tollgate.loadtest.Stage;
import dev.tollgate.loadtest.kill.FollowerMain.Step;
import dev.tollgate.worker.Worker;
import dev.tollgate.worker.output.Scratch;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that follows a task is killed after each step of the way to its stored output, and
 * another one takes over: one object with the provider's bytes, told once.
 */
final class KilledFollowerIT {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder = Path.of("");
  private final Stage stage = Stage.open(KilledFollowerIT.class);

  @AfterEach
  void close() {
    stage.close();
  }

  /** An operation that is accepted, paid, and followed by nobody yet. */
  private String accepted() {
    stage.set("worker.follow-after", "1h").set("worker.follow-pace-max", "1h");
    stage.reconciler();
    Worker sender = stage.worker();
    String key = stage.publish(Stage.request("lookup", "film"));
    stage.awaitState(key, "accepted");
    stage.stop(sender);
    stage.set("worker.follow-after", "100ms").set("worker.follow-pace-max", "1s");
    return key;
  }

  private Process follower(Step last) throws IOException {
    stage.database().dsl().execute("UPDATE wake SET at = now()");
    Path file = folder.resolve("follower.properties");
    stage.write(file);
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            FollowerMain.class.getName(),
            file.toString(),
            last.name());
    return new ProcessBuilder(Leash.command("follower", "KILL", command))
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(last + ".log").toFile())
        .start();
  }

  private void dies(Step last) throws Exception {
    Process follower = follower(last);
    try {
      assertThat(follower.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).as(log(last)).isTrue();
      assertThat(follower.exitValue()).as(log(last)).isEqualTo(FollowerMain.DIED);
    } finally {
      follower.destroyForcibly();
    }
  }

  private String log(Step last) throws IOException {
    return Files.readString(folder.resolve(last + ".log"));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(stage.outputs())) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private List<Path> objects() throws IOException {
    return files().stream().filter(file -> !file.toString().contains(".partial")).toList();
  }

  private static String sha256(InputStream in) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (InputStream bytes = new DigestInputStream(in, digest)) {
      bytes.readAllBytes();
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Of what the provider serves to whoever asks. */
  private String made() throws Exception {
    String task = stage.ledger().tasks().getFirst().id();
    return sha256(
        URI.create("http://127.0.0.1:%d/outputs/%s".formatted(stage.sandbox().port(), task))
            .toURL()
            .openStream());
  }

  private long completions(String key) {
    return stage.topic(stage.topics().events()).records().stream()
        .filter(record -> new String(record.key(), UTF_8).equals(key))
        .filter(record -> new String(record.value(), UTF_8).contains("\"state\":\"complete\""))
        .count();
  }

  private void assertOneObjectToldOnce(String key) throws Exception {
    Stage.eventually().until(() -> completions(key) > 0);
    Stage.eventually().until(() -> rows("outbox") == 0);
    assertThat(completions(key)).isEqualTo(1);
    assertThat(objects()).hasSize(1);
    String made = made();
    assertThat(sha256(Files.newInputStream(objects().getFirst()))).isEqualTo(made);
    assertThat(stage.database().dsl().fetchValue("SELECT encode(sha256, 'hex') FROM output"))
        .isEqualTo(made);
    assertThat(rows("output")).isEqualTo(1);
    assertThat(stage.ledger().tasks()).as("paid once").hasSize(1);
  }

  private long rows(String from) {
    Object count = stage.database().dsl().fetchValue("SELECT count(*) FROM " + from);
    return ((Number) Objects.requireNonNull(count)).longValue();
  }

  @ParameterizedTest
  @EnumSource(value = Step.class, mode = EnumSource.Mode.EXCLUDE, names = "NEVER")
  void killedAfterAStep_theNextProcessEndsIt_oneObject_oneEvent(Step step) throws Exception {
    String key = accepted();
    dies(step);
    boolean put = step.compareTo(Step.FINALLY_PUT) >= 0;
    assertThat(objects()).as("when it died").hasSize(put ? 1 : 0);
    assertThat(stage.operation(key))
        .containsEntry("state", step == Step.RECORDED ? "complete" : "accepted");
    if (step != Step.RECORDED) { // which another thread hears of than the one that tidies up
      assertThat(files().size() - objects().size()).as("downloads left behind").isEqualTo(1);
    }

    Process next = follower(Step.NEVER);
    try {
      stage.awaitState(key, "complete");
      assertOneObjectToldOnce(key);
    } finally {
      next.destroyForcibly().waitFor();
    }
    assertThat(stage.evidence(key).stream().filter(line -> line.contains("OUTPUT_STORED")))
        .singleElement()
        .asString()
        .matches(line -> line.endsWith("was there already") == (step == Step.FINALLY_PUT));
    new Scratch(stage.outputs()).sweep(Instant.now().plus(Duration.ofDays(2)));
    assertThat(files()).as("after a day nothing is left behind").isEqualTo(objects());
  }

  /** Each of four processes dies at another step of the same operation; the worker ends it. */
  @Test
  void killedAtEveryStepInTurn_theWorkerEndsIt_oneObject_oneEvent() throws Exception {
    String key = accepted();
    for (Step step :
        List.of(Step.HALF_DOWNLOADED, Step.DOWNLOADED, Step.PROBED, Step.FINALLY_PUT)) {
      dies(step);
    }
    stage.worker();
    stage.awaitState(key, "complete");
    assertOneObjectToldOnce(key);
  }
}
