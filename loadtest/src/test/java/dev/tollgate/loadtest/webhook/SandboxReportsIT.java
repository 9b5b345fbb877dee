package dev.tollgate.loadtest.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.embedded.Ports;
import dev.tollgate.loadtest.Stage;
import dev.tollgate.loadtest.sandbox.FaultPreset;
import dev.tollgate.loadtest.sandbox.Kind;
import dev.tollgate.loadtest.sandbox.Reporting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sandbox reports by itself, over real sockets, to a worker that listens. */
final class SandboxReportsIT {
  private static final String WEBHOOKS = "tollgate.webhooks.received";

  @TempDir Path folder = Path.of("");
  private final int port = Ports.free();
  private final Deque<Stage> opened = new ArrayDeque<>();

  @AfterEach
  void close() {
    opened.forEach(Stage::close);
  }

  private Stage open(FaultPreset faults, List<String> addresses) {
    Stage stage =
        Stage.open(
            SandboxReportsIT.class,
            options ->
                options.withReporting(
                    Reporting.to(addresses.stream().map(URI::create).toList(), faults)));
    opened.push(stage);
    return stage.set("webhooks.port", "" + port);
  }

  private void secret(Stage stage, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("secret"), text);
    for (Kind kind : Kind.values()) {
      if (!kind.reports()) {
        continue;
      }
      stage.set("providers." + kind.path() + ".secrets.webhook-secret", "file:" + file);
    }
  }

  private static List<String> publish(Stage stage, Kind kind, int many) {
    return stage.publishAll(
        IntStream.range(0, many).mapToObj(n -> Stage.request(kind.path(), "film-" + n)).toList());
  }

  private String webhooks() {
    return "http://127.0.0.1:" + port + "/webhooks";
  }

  /** Nobody would ask about these for an hour. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TEXT")
  void signedWebhook_endsAnOperation_withoutAScheduledPoll(Kind kind) throws IOException {
    Stage stage =
        open(FaultPreset.NONE, List.of("http://127.0.0.1:" + Ports.free() + "/nobody", webhooks()));
    secret(stage, Kind.WEBHOOK_SECRET);
    stage.set("worker.follow-after", "1h").set("worker.follow-pace-max", "1h").run();
    for (String key : publish(stage, kind, 5)) {
      stage.awaitState(key, "complete");
      assertThat(stage.evidence(key)).anyMatch(line -> line.endsWith(": succeeded"));
    }
    assertThat(stage.counted(WEBHOOKS, "result", "forged")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", Kind.WEBHOOK_SECRET})
  void callbackOfACreate_isWhereItIsReported_signedOrNot(String secret) throws IOException {
    Stage stage = open(FaultPreset.NONE, List.of());
    if (!secret.isEmpty()) {
      secret(stage, secret);
    }
    stage
        .provider("blind", Kind.BLIND, "callback-per-request")
        .set("callbacks", "http://127.0.0.1:" + port)
        .set("worker.follow-after", "1h")
        .set("worker.follow-pace-max", "1h")
        .run();
    for (String key : publish(stage, Kind.BLIND, 3)) {
      stage.awaitState(key, "complete");
      assertThat(stage.evidence(key)).anyMatch(line -> line.endsWith(": succeeded"));
    }
  }

  /** A callback settles what nothing else could: its create was carried out, and not answered. */
  @Test
  void lostAnswer_isSettledByTheCallbackAlone() {
    Stage stage = open(FaultPreset.NONE, List.of());
    stage
        .provider("blind", Kind.BLIND, "callback-per-request")
        .set("callbacks", "http://127.0.0.1:" + port)
        .run();
    String key = stage.publish(Stage.request("blind", "lost", "accept/drop"));
    stage.awaitState(key, "complete");
    assertThat(stage.evidence(key)).anyMatch(line -> line.startsWith("lookup FOUND"));
    assertThat(stage.ledger().tasks()).hasSize(1);
  }

  @Test
  void reportsThatAreLostLateRepeatedAndOutOfOrder_eachOperationEndsOnce() throws IOException {
    Stage stage = open(FaultPreset.HARSH, List.of(webhooks()));
    secret(stage, Kind.WEBHOOK_SECRET);
    stage.run();
    for (String key : publish(stage, Kind.KEYED, 60)) {
      stage.awaitState(key, "complete");
    }
    Stage.eventually().until(() -> stage.counted(WEBHOOKS, "result", "known") > 0);
    assertThat(stage.counted(WEBHOOKS, "result", "altered")).isZero();
    assertThat(stage.ledger().tasks()).hasSize(60);
    assertThat(stage.counted("tollgate.webhooks.contradicted")).isZero();
  }

  /** The provider signs with a secret that is not ours: refused, told, and found by asking. */
  @Test
  void signedBySomebodyElse_isRefused_andTheTaskIsFoundByAsking() throws IOException {
    Stage stage = open(FaultPreset.NONE, List.of(webhooks()));
    secret(stage, "whsec_" + "QUFB".repeat(8));
    stage.run();
    for (String key : publish(stage, Kind.LOOKUP, 2)) {
      stage.awaitState(key, "complete");
      assertThat(stage.evidence(key)).noneMatch(line -> line.startsWith("webhook"));
    }
    Stage.eventually().until(() -> stage.counted(WEBHOOKS, "result", "forged") > 0);
  }
}
