package dev.tollgate.loadtest.sandbox;

import static dev.tollgate.loadtest.sandbox.Wire.get;
import static dev.tollgate.loadtest.sandbox.Wire.post;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.sandbox.Wire.End;
import dev.tollgate.loadtest.sandbox.Wire.Seen;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Streams of the sandbox: what they say, how they are read on, how they misbehave. */
final class SandboxTextIT {
  private static final Duration SILENCE = Duration.ofMillis(300);

  @TempDir Path folder;

  private SandboxOptions options() {
    return SandboxOptions.of(folder.resolve("ledger.jsonl"));
  }

  private static String create(String prompt) {
    return post(
        Kind.TEXT, "", "{\"model\":\"m\",\"input\":\"%s\",\"stream\":true}".formatted(prompt));
  }

  private static String resume(String id, int after) {
    return get("/text/responses/%s?stream=true&starting_after=%d".formatted(id, after));
  }

  /** The data of the whole events that came. */
  private static List<String> events(Seen seen) {
    StringBuilder body = new StringBuilder();
    String left = seen.bytes().contains("\r\n\r\n") ? seen.body() : "";
    for (int line = left.indexOf("\r\n"); line > 0; line = left.indexOf("\r\n")) {
      int size = Integer.parseInt(left.substring(0, line), 16);
      body.append(left, line + 2, Math.min(left.length(), line + 2 + size));
      left = left.substring(Math.min(left.length(), line + 4 + size));
    }
    String text = new String(body.toString().getBytes(ISO_8859_1), UTF_8);
    List<String> events = new ArrayList<>();
    for (int end = text.indexOf("\n\n"); end > 0; end = text.indexOf("\n\n")) {
      String event = text.substring(0, end);
      events.add(event.substring(event.indexOf("\ndata: ") + 7));
      text = text.substring(end + 2);
    }
    return events;
  }

  private static JsonNode json(String event) {
    return Json.MAPPER.readTree(event);
  }

  private static String id(List<String> events) {
    return json(events.getFirst()).path("response").path("id").asString();
  }

  private static String text(List<String> events) {
    return events.stream()
        .map(event -> json(event).path("delta").asString(""))
        .collect(Collectors.joining());
  }

  private Ledger ledger() {
    return Ledger.read(options().ledger());
  }

  @Test
  void text_isStreamedAsResponsesAre_andTheLedgerHasItsDigest() throws IOException {
    List<String> events;
    try (SandboxServer server = SandboxServer.start(options())) {
      Seen seen = Wire.once(server, create("a \\u00e9"));
      assertThat(seen.end()).isEqualTo(End.ANSWERED);
      assertThat(seen.bytes()).startsWith("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream");
      events = events(seen);
    }
    assertThat(events.stream().map(event -> json(event).path("sequence_number").asInt()))
        .isEqualTo(IntStream.range(0, events.size()).boxed().toList());
    assertThat(json(events.getFirst()).path("type").asString()).isEqualTo("response.created");
    assertThat(json(events.getLast()).path("type").asString()).isEqualTo("response.completed");
    Ledger.Task task = ledger().tasks().getFirst();
    assertThat(ledger().tasks()).hasSize(1);
    assertThat(task.id()).isEqualTo(id(events)).startsWith("text-1-");
    assertThat(task.input()).isEqualTo("\"a \u00e9\"");
    assertThat(task.answered()).isTrue();
    assertThat(task.stream())
        .isEqualTo(
            new Ledger.Streamed(events.size(), CreateRequest.sha256(text(events).getBytes(UTF_8))));
  }

  @Test
  void resumedStream_isTheRest_alsoAfterARestart() throws IOException {
    List<String> events;
    try (SandboxServer server = SandboxServer.start(options())) {
      events = events(Wire.once(server, create("a")));
    }
    try (SandboxServer server = SandboxServer.start(options())) {
      Seen rest = Wire.once(server, resume(id(events), 40));
      assertThat(events(rest)).isEqualTo(events.subList(41, events.size()));
      Seen nothing = Wire.once(server, resume(id(events), events.size() - 1));
      assertThat(nothing.end()).isEqualTo(End.ANSWERED);
      assertThat(events(nothing)).isEmpty();
    }
    assertThat(ledger().resumed()).isEqualTo(2);
    assertThat(ledger().tasks()).hasSize(1);
  }

  @Test
  void cut_sendsExactlyThatManyBytes_andTheTaskIsPaid() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      for (int bytes = 0; bytes < 2000; bytes += 131) {
        server.script(Kind.TEXT, "accept/cut@" + bytes);
        Seen seen = Wire.once(server, create("a"));
        assertThat(seen.end()).isEqualTo(End.FIN);
        assertThat(seen.bytes()).hasSize(bytes);
      }
    }
    assertThat(ledger().tasks()).hasSize(16).noneMatch(Ledger.Task::answered);
  }

  @Test
  void events_comeWhenTheyAreDue() throws IOException {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-02T03:04:05Z"));
    SandboxOptions slow = options().withClock(now::get).withWordPause(Duration.ofMillis(20));
    try (SandboxServer server = SandboxServer.start(slow)) {
      try (Wire wire = new Wire(server)) {
        Seen first = wire.send(create("a")).read(SILENCE);
        assertThat(first.end()).isEqualTo(End.SILENT);
        assertThat(events(first)).hasSize(1);
        now.set(now.get().plusMillis(60));
        String id = id(events(first));
        try (Wire late = new Wire(server)) {
          assertThat(events(late.send(resume(id, -1)).read(SILENCE))).hasSize(4);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "accept/drop, SILENT, , true",
    "accept+503, ANSWERED, 503, true",
    "slow(50), ANSWERED, 200, true",
    "late(50), ANSWERED, 200, true",
    "429, ANSWERED, 429, false",
    "500, ANSWERED, 500, false"
  })
  void scriptBesideTheInput_spoilsTheCreate(String fault, End end, Integer status, boolean task)
      throws IOException {
    String body =
        "{\"sandbox_script\":[\"%s\"],\"model\":\"m\",\"input\":\"a\",\"stream\":true}"
            .formatted(fault);
    try (SandboxServer server = SandboxServer.start(options());
        Wire wire = new Wire(server)) {
      Seen seen = wire.send(post(Kind.TEXT, "", body)).read(Duration.ofSeconds(1));
      assertThat(seen.end()).isEqualTo(end);
      assertThat(seen.bytes().isEmpty() ? null : seen.status()).isEqualTo(status);
    }
    assertThat(ledger().tasks()).hasSize(task ? 1 : 0);
  }

  @Test
  void failedText_saysSoAtItsEnd_andAHiddenOneIsNotFound() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      server.script(Kind.TEXT, "fail", "status404(60000)");
      List<String> failed = events(Wire.once(server, create("a")));
      assertThat(json(failed.getLast()).path("type").asString()).isEqualTo("response.failed");
      List<String> hidden = events(Wire.once(server, create("b")));
      assertThat(Wire.once(server, resume(id(hidden), 3)).status()).isEqualTo(404);
      assertThat(Wire.once(server, resume("text-9-0", 3)).status()).isEqualTo(404);
    }
  }

  @Test
  void whatIsNoStream_isRefused_andMakesNoTask() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      String body = "{\"model\":\"m\",\"input\":\"a\"}";
      assertThat(Wire.once(server, post(Kind.TEXT, "", body)).status()).isEqualTo(400);
      String id = id(events(Wire.once(server, create("a"))));
      assertThat(Wire.once(server, get("/text/responses/" + id)).status()).isEqualTo(400);
      assertThat(Wire.once(server, resume(id, 0).replace("after=0", "after=x")).status())
          .isEqualTo(400);
    }
    assertThat(ledger().tasks()).hasSize(1);
  }

  /** A reader that keeps what it has, and asks for the rest until it has the end. */
  @Test
  void harshPlan_spoilsAnswersInEveryWay_andEveryTextIsWholeInTheEnd() throws IOException {
    int cut = 0;
    int again = 0;
    int refused = 0;
    try (SandboxServer server = SandboxServer.start(options().withFaults(7, FaultPreset.HARSH))) {
      for (int n = 0; n < 60; n++) {
        server.script(Kind.TEXT, "accept");
        TreeMap<Integer, String> got = new TreeMap<>();
        Seen seen = Wire.once(server, create("prompt " + n));
        if (events(seen).isEmpty()) {
          continue; // nothing names it
        }
        String id = id(events(seen));
        while (true) {
          for (String event : seen.status() == 503 ? List.<String>of() : events(seen)) {
            int number = json(event).path("sequence_number").asInt();
            String before = got.putIfAbsent(number, event);
            assertThat(before == null || before.equals(event)).isTrue();
            again += before == null ? 0 : 1;
          }
          if (seen.end() == End.ANSWERED && seen.status() == 200) {
            break;
          }
          cut += seen.end() == End.FIN ? 1 : 0;
          refused += seen.status() == 503 ? 1 : 0;
          do {
            seen = Wire.once(server, resume(id, got.lastKey()));
          } while (seen.bytes().length() < 12);
        }
        Ledger.Streamed stream = Objects.requireNonNull(ledger().tasks().get(n).stream(), "a text");
        assertThat(got).hasSize(stream.events());
        assertThat(CreateRequest.sha256(text(List.copyOf(got.values())).getBytes(UTF_8)))
            .isEqualTo(stream.sha256());
      }
    }
    assertThat(List.of(cut, again, refused)).allMatch(count -> count > 0);
  }
}
