package dev.tollgate.loadtest.sandbox;

import static dev.tollgate.loadtest.sandbox.Wire.get;
import static dev.tollgate.loadtest.sandbox.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tollgate.loadtest.sandbox.Wire.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The ledger over damage and restarts, the counts, the seeded plan at work. */
final class SandboxLedgerIT {
  private static final String BODY = "{\"input\":{\"prompt\":\"a red kite\"}}";
  private static final Instant START = Instant.parse("2026-01-02T03:04:05.678Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final InstantSource clock = now::get;

  @TempDir Path folder;

  @Test
  void ledger_halfWrittenLastLine_isLeftOut_andCutOffByARestart() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      Wire.once(server, post(Kind.BLIND, "", BODY));
    }
    Files.writeString(
        ledger(), "{\"event\":\"request\",\"n\":2,\"at\":\"2026", StandardOpenOption.APPEND);
    assertThat(Ledger.read(ledger()).tasks()).hasSize(1);
    try (SandboxServer server = SandboxServer.start(options())) {
      assertThat(Wire.once(server, post(Kind.BLIND, "", BODY)).id()).startsWith("blind-2-");
    }
    assertThat(Ledger.read(ledger()).tasks()).hasSize(2).allMatch(Ledger.Task::answered);
  }

  @Test
  void ledger_damagedLine_isNotPassedOver() throws IOException {
    Files.writeString(ledger(), "{\"event\":\"answer\",\"n\":1\n{}\n");
    assertThatThrownBy(() -> Ledger.read(ledger())).isInstanceOf(LedgerException.class);
  }

  @Test
  void restart_keepsTasksKeysAndScripts() throws IOException {
    String keyed = post(Kind.KEYED, key("tg-1"), BODY);
    String scripted = post(Kind.BLIND, "", "{\"input\":{\"sandbox_script\":[\"503\",\"fail\"]}}");
    String listed = post(Kind.LISTED, "", "{\"input\":{\"b\":\n1.0}}");
    Seen first;
    try (SandboxServer server = SandboxServer.start(onClock())) {
      first = Wire.once(server, keyed);
      assertThat(Wire.once(server, scripted).status()).isEqualTo(503);
      assertThat(Wire.once(server, listed).status()).isEqualTo(202);
    }
    advance(1000);
    try (SandboxServer server = SandboxServer.start(onClock())) {
      assertThat(Wire.once(server, keyed).body()).isEqualTo(first.body());
      assertThat(state(server, "/keyed/tasks/" + first.id())).isEqualTo("succeeded");
      String failing = "/blind/tasks/" + Wire.once(server, scripted).id();
      advance(1000);
      assertThat(state(server, failing)).isEqualTo("failed");
      assertThat(Wire.once(server, get("/listed/tasks")).body()).contains("\"input\":{\"b\": 1.0}");
    }
  }

  @Test
  void stats_countRequestsTasksAndFaults() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      server.script(Kind.BLIND, "503", "slow(1)");
      for (int i = 0; i < 3; i++) {
        Wire.once(server, post(Kind.BLIND, "", BODY));
      }
      JsonNode stats = Wire.once(server, get("/admin/stats")).json();
      assertThat(stats.path("requests").asInt()).isEqualTo(3);
      assertThat(stats.path("tasks").asInt()).isEqualTo(2);
      assertThat(stats.path("tasksByKind").path("blind").asInt()).isEqualTo(2);
      assertThat(stats.path("faultsFired").path("503").asInt()).isEqualTo(1);
      assertThat(stats.path("faultsFired").path("slow").asInt()).isEqualTo(1);
      assertThat(stats.path("faultsFired").path("accept").asInt()).isEqualTo(1);
    }
  }

  @Test
  void options_reportEveryErrorAtOnce() {
    SandboxOptions good = options();
    assertThatThrownBy(
            () ->
                new SandboxOptions(
                    -1,
                    ledger(),
                    " ",
                    0,
                    FaultPreset.NONE,
                    Duration.ofMillis(-1),
                    Duration.ZERO,
                    good.renderTime(),
                    Duration.ofMillis(-1),
                    -1,
                    good.reporting(),
                    clock))
        .hasMessageContainingAll(
            "port", "api key", "answer delay", "idle timeout", "word pause", "output");
    assertThat(good.toString()).doesNotContain(good.apiKey());
  }

  @Test
  void sameSeed_sameFaultsForTheSameRequests_whateverTheirOrder() throws IOException {
    assertThat(faultsOfARun("a", 5, false)).hasSize(200).isEqualTo(faultsOfARun("b", 5, true));
    assertThat(faultsOfARun("c", 5, false)).isNotEqualTo(faultsOfARun("d", 6, false));
  }

  /** Sends without waiting for answers: what was received is carried out all the same. */
  private Map<String, String> faultsOfARun(String name, long seed, boolean backwards)
      throws IOException {
    Path file = folder.resolve(name);
    SandboxOptions options = SandboxOptions.of(file).withFaults(seed, FaultPreset.HARSH);
    try (SandboxServer server = SandboxServer.start(options)) {
      for (int i = 0; i < 200; i++) {
        String body = "{\"input\":{\"i\":%d}}".formatted(backwards ? 199 - i : i);
        try (Wire wire = new Wire(server)) {
          wire.send(post(Kind.LISTED, "", body));
        }
      }
      await()
          .until(
              () -> Wire.once(server, get("/admin/stats")).json().path("requests").asInt() == 200);
    }
    return Ledger.read(file).requests().stream()
        .collect(
            Collectors.toMap(
                Ledger.Request::bodySha256, request -> String.valueOf(request.fault())));
  }

  private static String state(SandboxServer server, String path) throws IOException {
    return Wire.once(server, get(path)).json().path("status").asString();
  }

  private static String key(String key) {
    return "Idempotency-Key: \"" + key + "\"\r\n";
  }

  private void advance(long millis) {
    now.updateAndGet(time -> time.plusMillis(millis));
  }

  private Path ledger() {
    return folder.resolve("ledger.jsonl");
  }

  private SandboxOptions options() {
    return SandboxOptions.of(ledger());
  }

  private SandboxOptions onClock() {
    return options().withClock(clock);
  }
}
