package dev.tollgate.loadtest.sandbox;

import static dev.tollgate.loadtest.sandbox.Wire.get;
import static dev.tollgate.loadtest.sandbox.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tollgate.loadtest.sandbox.Wire.End;
import dev.tollgate.loadtest.sandbox.Wire.Seen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault does on the wire what it says, and the ledger tells the same. */
final class SandboxFaultsIT {
  /** Long enough for an answer that must not come to have come. */
  private static final Duration SILENCE = Duration.ofMillis(400);

  private static final String KEY = "Idempotency-Key: \"tg-1\"\r\n";

  @TempDir Path folder;

  /** One fault and what must be seen of it. */
  record Case(
      String fault,
      End end,
      @Nullable Integer status,
      boolean task,
      boolean answered,
      @Nullable Integer ledgerStatus) {
    @Override
    public String toString() {
      return fault;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("accept", End.ANSWERED, 202, true, true, 202),
        new Case("accept/drop", End.SILENT, null, true, false, null),
        new Case("accept/rst", End.RST, null, true, false, null),
        new Case("accept+500", End.ANSWERED, 500, true, true, 500),
        new Case("accept+503", End.ANSWERED, 503, true, true, 503),
        new Case("accept+504", End.ANSWERED, 504, true, true, 504),
        new Case("accept/cut@0", End.FIN, null, true, false, 202),
        new Case("accept/cut@5", End.FIN, null, true, false, 202),
        new Case("accept/cut@130", End.FIN, 202, true, false, 202),
        new Case("accept/cut@9999", End.ANSWERED, 202, true, true, 202),
        new Case("late(100)", End.ANSWERED, 202, true, true, 202),
        new Case("hang", End.SILENT, null, false, false, null),
        new Case("429", End.ANSWERED, 429, false, true, 429),
        new Case("400", End.ANSWERED, 400, false, true, 400),
        new Case("status404(60000)", End.ANSWERED, 202, true, true, 202),
        new Case("slow(100)", End.ANSWERED, 202, true, true, 202),
        new Case("fail", End.ANSWERED, 202, true, true, 202),
        new Case("503", End.ANSWERED, 503, false, true, 503),
        new Case("500", End.ANSWERED, 500, false, true, 500));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void scriptedFault_doesWhatItSaysAndTheLedgerHasIt(Case expected) throws IOException {
    String input =
        "{\"prompt\":\"kite \\u00e9 \\\"x\\\"\",\"sandbox_script\":[\"%s\"], \"n\":1.50}";
    String body = "{\"input\":" + input.formatted(expected.fault) + "}";
    try (SandboxServer server = SandboxServer.start(options());
        Wire wire = new Wire(server)) {
      Seen seen =
          wire.send(post(Kind.KEYED, KEY, body))
              .read(expected.end == End.SILENT ? SILENCE : Duration.ofSeconds(10));

      assertThat(seen.end()).isEqualTo(expected.end);
      if (expected.status != null) {
        assertThat(seen.status()).isEqualTo(expected.status);
      }
      if (expected.status != null && seen.status() != 202) {
        assertThat(seen.bytes()).doesNotContain("keyed-1-");
      }
      Ledger.Request line = answeredLine();
      assertThat(line.n()).isEqualTo(1);
      assertThat(line.kind()).isEqualTo("keyed");
      assertThat(line.fault()).isEqualTo(expected.fault);
      assertThat(line.created()).isEqualTo(expected.task);
      assertThat(line.task() != null).isEqualTo(expected.task);
      assertThat(line.key()).isEqualTo("tg-1");
      assertThat(line.ref()).isNull();
      assertThat(line.input()).isEqualTo(input.formatted(expected.fault));
      assertThat(line.bodySha256())
          .isEqualTo(CreateRequest.sha256(body.getBytes(StandardCharsets.UTF_8)));
      assertThat(line.answered()).isEqualTo(expected.answered);
      assertThat(line.status()).isEqualTo(expected.ledgerStatus);
      Ledger ledger = Ledger.read(ledger());
      assertThat(ledger.tasks()).hasSize(expected.task ? 1 : 0);
      assertThat(ledger.faultsFired())
          .containsOnly(Map.entry(Fault.parse(expected.fault).family().text(), 1L));
      if (expected.task) {
        assertThat(ledger.tasks().getFirst().answered())
            .isEqualTo(expected.answered && Integer.valueOf(202).equals(expected.ledgerStatus));
        assertThat(ledger.tasks().getFirst().id()).isEqualTo(line.task());
      }
    }
  }

  @Test
  void cases_coverEveryFault() {
    assertThat(cases().map(each -> Fault.parse(each.fault).family()).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(Fault.Family.values());
  }

  @Test
  void cut_sendsExactlyThatManyBytesForEveryLength() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      String whole = Wire.once(server, post(Kind.BLIND, "", "{\"input\":{}}")).bytes();
      for (int bytes = 0; bytes < whole.length(); bytes += 7) {
        server.script(Kind.BLIND, "accept/cut@" + bytes);
        Seen seen = Wire.once(server, post(Kind.BLIND, "", "{\"input\":{}}"));
        assertThat(seen.end()).isEqualTo(End.FIN);
        assertThat(seen.bytes()).hasSize(bytes);
      }
    }
  }

  @Test
  void throttled_carriesRetryAfterAndTheProvidersShape() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      server.script(Kind.BLIND, "429");
      Seen seen = Wire.once(server, post(Kind.BLIND, "", "{\"input\":{}}"));
      assertThat(seen.bytes()).contains("\r\nRetry-After: 1\r\n");
      assertThat(seen.errorCode()).isEqualTo("rate_limited");
    }
  }

  @Test
  void refused_hasTheProvidersShape_brokenAndGatewayHaveNot() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      server.script(Kind.BLIND, "400", "500", "503");
      String request = post(Kind.BLIND, "", "{\"input\":{}}");
      assertThat(Wire.once(server, request).errorCode()).isEqualTo("invalid_input");
      assertThat(Wire.once(server, request).json().has("error")).isFalse();
      assertThat(Wire.once(server, request).bytes()).contains("text/html");
    }
  }

  @Test
  void silence_holdsTheSocketUntilTheClientGoes() throws IOException {
    SandboxOptions options = options().withIdleTimeout(Duration.ofMillis(100));
    try (SandboxServer server = SandboxServer.start(options)) {
      server.script(Kind.BLIND, "hang");
      try (Wire wire = new Wire(server)) {
        wire.send(post(Kind.BLIND, "", "{\"input\":{}}"));
        assertThat(wire.read(Duration.ofMillis(500)).end()).isEqualTo(End.SILENT);
        assertThat(openConnections(server)).isEqualTo(2);
      }
      await().until(() -> openConnections(server) == 1);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void late_clientGone_taskAppearsAllTheSame(Kind kind) throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      server.script(kind, "late(300)");
      try (Wire wire = new Wire(server)) {
        String input = kind == Kind.TEXT ? "\"a\",\"stream\":true" : "{}";
        wire.send(post(kind, KEY, "{\"input\":%s,\"client_reference\":\"r\"}".formatted(input)));
      }
      Ledger.Request line = answeredLine();
      assertThat(line.created()).isTrue();
      assertThat(line.answered()).isFalse();
      Ledger.Task task = Ledger.read(ledger()).tasks().getFirst();
      assertThat(Duration.between(line.at(), task.createdAt()))
          .isGreaterThanOrEqualTo(Duration.ofMillis(295));
      String path = "/" + kind.path() + kind.collection() + "/" + task.id() + "?stream=true";
      assertThat(Wire.once(server, get(path)).status()).isEqualTo(200);
    }
  }

  @Test
  void late_isInvisibleAndItsKeyInUseUntilItIsMade() throws IOException {
    String request = post(Kind.KEYED, KEY, "{\"input\":{}}");
    try (SandboxServer server = SandboxServer.start(options());
        Wire first = new Wire(server)) {
      server.script(Kind.KEYED, "late(1500)");
      first.send(request);
      await().until(() -> stats(server).contains("\"requests\":1"));
      Seen second = Wire.once(server, request);
      assertThat(second.status()).isEqualTo(409);
      assertThat(second.errorCode()).isEqualTo("idempotency_key_in_use");
      Seen answer = first.read(Duration.ofSeconds(5));
      assertThat(answer.status()).isEqualTo(202);
      Seen third = Wire.once(server, request);
      assertThat(third.status()).isEqualTo(202);
      assertThat(third.body()).isEqualTo(answer.body());
      assertThat(Ledger.read(ledger()).tasks()).hasSize(1);
    }
  }

  @Test
  void late_serverClosesBefore_ledgerHasTheRequestAndNoTask() throws IOException {
    SandboxServer server = SandboxServer.start(options());
    try (server;
        Wire wire = new Wire(server)) {
      server.script(Kind.BLIND, "late(60000)");
      wire.send(post(Kind.BLIND, "", "{\"input\":{}}"));
      await().until(() -> stats(server).contains("\"requests\":1"));
    }
    Ledger ledger = Ledger.read(ledger());
    assertThat(ledger.requests()).hasSize(1);
    assertThat(ledger.tasks()).isEmpty();
  }

  @Test
  void script_takesOneEntryPerRequestOfTheSameBody_thenAccepts() throws IOException {
    String body = "{\"input\":{\"sandbox_script\":[\"503\",\"accept+500\"]}}";
    String other = "{\"input\":{\"sandbox_script\":[\"503\",\"accept+500\"],\"x\":1}}";
    try (SandboxServer server = SandboxServer.start(options())) {
      List<Integer> statuses =
          Stream.of(body, body, other, body, body)
              .map(each -> status(server, post(Kind.BLIND, "", each)))
              .toList();
      assertThat(statuses).containsExactly(503, 500, 503, 202, 202);
      assertThat(status(server, post(Kind.LOOKUP, "", body))).isEqualTo(503);
      assertThat(Ledger.read(ledger()).tasks()).hasSize(3);
    }
  }

  @Test
  void script_unknownFault_isRefused() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      String body = "{\"input\":{\"sandbox_script\":[\"acceptt\"]}}";
      Seen seen = Wire.once(server, post(Kind.BLIND, "", body));
      assertThat(seen.status()).isEqualTo(400);
      assertThat(seen.errorCode()).isEqualTo("invalid_request");
    }
  }

  @Test
  void everyFaultName_readsBack() {
    Stream.of("accept/cut@0", "late(1500)", "status404(1)", "slow(0)", "429", "accept+504")
        .forEach(name -> assertThat(Fault.parse(name)).hasToString(name));
    for (String wrong : List.of("", "accept/cut", "late", "late()", "late(x)", "late(-1)", "502")) {
      assertThatThrownBy(() -> Fault.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static int status(SandboxServer server, String request) {
    try {
      return Wire.once(server, request).status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String stats(SandboxServer server) throws IOException {
    return Wire.once(server, get("/admin/stats")).body();
  }

  private static int openConnections(SandboxServer server) throws IOException {
    return Wire.once(server, get("/admin/stats")).json().path("openConnections").asInt();
  }

  /** The one request line, once its answer line is there. */
  private Ledger.Request answeredLine() {
    return await()
        .until(
            () -> Ledger.read(ledger()).requests(),
            lines -> lines.size() == 1 && lines.getFirst().answered() != null)
        .getFirst();
  }

  private Path ledger() {
    return folder.resolve("ledger.jsonl");
  }

  private SandboxOptions options() {
    return SandboxOptions.of(ledger());
  }
}
