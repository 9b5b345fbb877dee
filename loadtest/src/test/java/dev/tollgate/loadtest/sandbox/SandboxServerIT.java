package dev.tollgate.loadtest.sandbox;

import static dev.tollgate.loadtest.sandbox.Wire.get;
import static dev.tollgate.loadtest.sandbox.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.loadtest.sandbox.Wire.End;
import dev.tollgate.loadtest.sandbox.Wire.Seen;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The orderly side of the sandbox: the four APIs, the protocol, the ledger over restarts. */
final class SandboxServerIT {
  private static final String BODY = "{\"input\":{\"prompt\":\"a red kite\"}}";
  private static final Instant START = Instant.parse("2026-01-02T03:04:05.678Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final InstantSource clock = now::get;

  @TempDir Path folder;

  // ---- task life

  @Test
  void task_livesByTheClock_andItsOutputIsAsReported() throws Exception {
    try (SandboxServer server = SandboxServer.start(onClock().withOutputBytes(1000))) {
      Seen created = Wire.once(server, post(Kind.BLIND, "", BODY));
      assertThat(created.status()).isEqualTo(202);
      assertThat(created.id()).matches("blind-1-[0-9a-f]{8}");
      assertThat(created.body())
          .isEqualTo(
              "{\"id\":\"%s\",\"status\":\"queued\",\"created_at\":\"2026-01-02T03:04:05.678Z\"}",
              created.id());
      String path = "/blind/tasks/" + created.id();
      assertThat(state(server, path)).isEqualTo("queued");
      advance(100);
      assertThat(state(server, path)).isEqualTo("processing");
      assertThat(Wire.once(server, get("/outputs/" + created.id())).status()).isEqualTo(404);
      advance(200);
      JsonNode output = Wire.once(server, get(path)).json().path("output");
      assertThat(output.path("content_type").asString()).isEqualTo("image/png");
      byte[] bytes = fetch(URI.create(output.path("url").asString()));
      assertThat(bytes).hasSize(1000).hasSize(output.path("length").asInt());
      assertThat(CreateRequest.sha256(bytes)).isEqualTo(output.path("sha256").asString());
      assertThat(ImageIO.read(new ByteArrayInputStream(bytes)).getWidth()).isEqualTo(8);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 140, 141, 152, 153, 154, 165, 512, 100_000})
  void picture_isValidAndOfTheReportedLength(int size) throws IOException {
    byte[] bytes = Picture.of("blind-1-00000000", size);
    assertThat(bytes).hasSize(Picture.length(size)).isEqualTo(Picture.of("blind-1-00000000", size));
    assertThat(ImageIO.read(new ByteArrayInputStream(bytes)).getHeight()).isEqualTo(8);
    assertThat(bytes).isNotEqualTo(Picture.of("blind-2-00000000", size));
  }

  @Test
  void fail_endsAsFailedWithTheErrorShape() throws IOException {
    try (SandboxServer server = SandboxServer.start(onClock())) {
      server.script(Kind.BLIND, "fail");
      String path = "/blind/tasks/" + Wire.once(server, post(Kind.BLIND, "", BODY)).id();
      assertThat(state(server, path)).isEqualTo("queued");
      advance(300);
      Seen seen = Wire.once(server, get(path));
      assertThat(seen.json().path("status").asString()).isEqualTo("failed");
      assertThat(seen.errorCode()).isEqualTo("render_failed");
      assertThat(seen.json().has("output")).isFalse();
    }
  }

  // ---- the four kinds

  @Test
  void keyed_sameKey_givesTheStoredAnswer_otherBodyIsRefused() throws IOException {
    try (SandboxServer server = SandboxServer.start(onClock())) {
      Seen first = Wire.once(server, post(Kind.KEYED, key("tg-1"), BODY));
      advance(5000);
      Seen again = Wire.once(server, post(Kind.KEYED, key("tg-1"), BODY));
      assertThat(again.status()).isEqualTo(202);
      assertThat(again.body()).isEqualTo(first.body());
      Seen other = Wire.once(server, post(Kind.KEYED, key("tg-1"), "{\"input\":{}}"));
      assertThat(other.status()).isEqualTo(422);
      assertThat(other.errorCode()).isEqualTo("idempotency_key_reused");
      Ledger ledger = Ledger.read(ledger());
      assertThat(ledger.tasks()).hasSize(1);
      assertThat(ledger.requests())
          .extracting(Ledger.Request::created)
          .containsExactly(true, false, false);
      assertThat(ledger.requests()).extracting(Ledger.Request::task).containsOnly(first.id());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "accept/drop",
        "accept/rst",
        "accept+500",
        "accept/cut@9",
        "late(50)",
        "hang",
        "429",
        "400",
        "status404(50)",
        "slow(50)",
        "fail",
        "503",
        "500"
      })
  void keyed_faultOnTheResend_neverMakesASecondTask(String fault) throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      String request = post(Kind.KEYED, key("tg-1"), BODY);
      Seen first = Wire.once(server, request);
      server.script(Kind.KEYED, fault);
      try (Wire wire = new Wire(server)) {
        Seen second = wire.send(request).read(Duration.ofMillis(300));
        // a documented "not created" must not be said of a key that has its task
        assertThat(second.bytes()).doesNotContain("HTTP/1.1 400");
      }
      assertThat(Wire.once(server, request).body()).isEqualTo(first.body());
      assertThat(Ledger.read(ledger()).tasks()).hasSize(1);
    }
  }

  @Test
  void keyed_refusalsAndFaultsWithoutATask_leaveTheKeyFree() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      server.script(Kind.KEYED, "503", "429", "400");
      String request = post(Kind.KEYED, key("tg-1"), BODY);
      assertThat(Wire.once(server, request).status()).isEqualTo(503);
      assertThat(Wire.once(server, request).status()).isEqualTo(429);
      assertThat(Wire.once(server, request).status()).isEqualTo(400);
      assertThat(Wire.once(server, request).status()).isEqualTo(202);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Idempotency-Key: tg-1\r\n", "Idempotency-Key: \"\"\r\n"})
  void keyed_withoutAQuotedKey_isRefused(String header) throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      Seen seen = Wire.once(server, post(Kind.KEYED, header, BODY));
      assertThat(seen.status()).isEqualTo(400);
      assertThat(seen.errorCode()).isEqualTo("idempotency_key_invalid");
    }
  }

  @Test
  void keyed_sameKeyAtOnce_makesOneTask() throws Exception {
    int clients = 32;
    try (SandboxServer server = SandboxServer.start(options());
        ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 20; round++) {
        String request = post(Kind.KEYED, key("tg-" + round), BODY);
        List<Seen> seen = atOnce(pool, clients, () -> Wire.once(server, request));
        assertThat(seen).allMatch(each -> each.status() == 202 || each.status() == 409);
        assertThat(seen.stream().filter(each -> each.status() == 202).map(Seen::id).distinct())
            .hasSize(1);
      }
      assertThat(Ledger.read(ledger()).tasks()).hasSize(20);
    }
  }

  @Test
  void lookup_findsEveryTaskOfTheReference_andDoesNotDeduplicate() throws IOException {
    String body = "{\"client_reference\":\"tg-ref/1 %\",\"input\":{\"a\":1}}";
    try (SandboxServer server = SandboxServer.start(options())) {
      List<String> ids = new ArrayList<>();
      ids.add(Wire.once(server, post(Kind.LOOKUP, "", body)).id());
      ids.add(Wire.once(server, post(Kind.LOOKUP, "", body)).id());
      JsonNode found =
          Wire.once(server, get("/lookup/tasks?client_reference=tg-ref%2F1%20%25")).json();
      assertThat(texts(found, "id")).isEqualTo(ids);
      assertThat(texts(found, "client_reference")).containsOnly("tg-ref/1 %");
      JsonNode none = Wire.once(server, get("/lookup/tasks?client_reference=x")).json();
      assertThat(texts(none, "id")).isEmpty();
      assertThat(Ledger.read(ledger()).tasks())
          .extracting(Ledger.Task::ref)
          .containsOnly("tg-ref/1 %");
    }
  }

  @Test
  void status404_hidesTheTaskFromStatusLookupAndList_forItsTime() throws IOException {
    String body = "{\"client_reference\":\"r\",\"input\":{}}";
    try (SandboxServer server = SandboxServer.start(onClock())) {
      for (Kind kind : Kind.values()) {
        server.script(kind, "status404(1000)");
      }
      String lookup = Wire.once(server, post(Kind.LOOKUP, "", body)).id();
      String listed = Wire.once(server, post(Kind.LISTED, "", body)).id();
      advance(999);
      Seen hidden = Wire.once(server, get("/lookup/tasks/" + lookup));
      assertThat(hidden.status()).isEqualTo(404);
      assertThat(hidden.errorCode()).isEqualTo("task_not_found");
      assertThat(found(server, "/lookup/tasks?client_reference=r")).isEmpty();
      assertThat(found(server, "/listed/tasks")).isEmpty();
      advance(1);
      assertThat(state(server, "/lookup/tasks/" + lookup)).isEqualTo("succeeded");
      assertThat(found(server, "/lookup/tasks?client_reference=r")).containsExactly(lookup);
      assertThat(found(server, "/listed/tasks")).containsExactly(listed);
    }
  }

  @Test
  void list_pagesInOrderThroughAWindow_withTheInputAsSent() throws IOException {
    try (SandboxServer server = SandboxServer.start(onClock())) {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        String body = "{\"input\":{\"i\":%d.50}}".formatted(i);
        ids.add(Wire.once(server, post(Kind.LISTED, "", body)).id());
        advance(i % 2); // pairs of tasks share a millisecond
      }
      assertThat(found(server, "/listed/tasks")).isEqualTo(ids);
      List<String> paged = new ArrayList<>();
      String cursor = "";
      int pages = 0;
      do {
        Seen page = Wire.once(server, get("/listed/tasks?limit=2&cursor=" + cursor));
        paged.addAll(texts(page.json(), "id"));
        cursor = page.json().path("next_cursor").asString("");
        pages++;
      } while (!cursor.isEmpty());
      assertThat(paged).isEqualTo(ids);
      assertThat(pages).isEqualTo(5);
      String window =
          "/listed/tasks?created_after=%s&created_before=%s"
              .formatted(START.plusMillis(1), START.plusMillis(2));
      assertThat(found(server, window)).isEqualTo(ids.subList(2, 6));
      assertThat(Wire.once(server, get(window)).body()).contains("\"input\":{\"i\":2.50}");
      String early = "/listed/tasks?created_before=" + START.minusMillis(1);
      assertThat(found(server, early)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=0",
        "limit=x",
        "limit=1001",
        "created_after=yesterday",
        "cursor=%%%",
        "cursor=AAAA"
      })
  void list_senselessQuery_isRefused(String query) throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      Seen seen = Wire.once(server, get("/listed/tasks?" + query));
      assertThat(seen.status()).isEqualTo(400);
      assertThat(seen.errorCode()).isEqualTo("invalid_query");
    }
  }

  @Test
  void otherKinds_haveNoSearch_andKnowOnlyTheirOwnIds() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      String id = Wire.once(server, post(Kind.BLIND, "", BODY)).id();
      assertThat(Wire.once(server, get("/blind/tasks")).status()).isEqualTo(404);
      assertThat(Wire.once(server, get("/listed/tasks/" + id)).status()).isEqualTo(404);
      assertThat(found(server, "/listed/tasks")).isEmpty();
    }
  }

  // ---- the protocol

  @Test
  void wrongToken_isRefusedEverywhere_andLeavesNoTask() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      for (String token : List.of("Bearer sandbox-kez", "sandbox-key", "Bearer ")) {
        String post = post(Kind.BLIND, "", BODY).replace("Bearer sandbox-key", token);
        assertThat(Wire.once(server, post).status()).isEqualTo(401);
        String read = get("/blind/tasks/x").replace("Bearer sandbox-key", token);
        assertThat(Wire.once(server, read).errorCode()).isEqualTo("unauthorized");
      }
      Ledger ledger = Ledger.read(ledger());
      assertThat(ledger.tasks()).isEmpty();
      assertThat(ledger.requestCounts()).containsEntry("blind", 3L);
      assertThat(ledger.faultsFired()).isEmpty();
    }
  }

  @Test
  void keepAlive_servesManyRequestsAndPipelinedOnes() throws IOException {
    try (SandboxServer server = SandboxServer.start(options());
        Wire wire = new Wire(server)) {
      for (int i = 1; i <= 5; i++) {
        Seen seen = wire.send(post(Kind.BLIND, "", BODY)).read(Duration.ofSeconds(5));
        assertThat(seen.id()).startsWith("blind-" + i + "-");
      }
      wire.send(post(Kind.BLIND, "", BODY) + get("/admin/health"));
      assertThat(wire.read(Duration.ofSeconds(5)).id()).startsWith("blind-6-");
      assertThat(wire.read(Duration.ofSeconds(5)).body()).isEqualTo("{\"status\":\"ok\"}");
      wire.send(get("/admin/health").replace("Host: sandbox", "Connection: close"));
      assertThat(wire.read(Duration.ofSeconds(5)).bytes()).contains("Connection: close");
      assertThat(wire.read(Duration.ofSeconds(5)).end()).isEqualTo(End.FIN);
    }
  }

  @Test
  void chunkedBodyInPieces_isTakenLikeAWholeOne() throws IOException {
    String head = post(Kind.BLIND, "", "");
    String chunked = head.replace("Content-Length: 0", "Transfer-Encoding: chunked");
    try (SandboxServer server = SandboxServer.start(options());
        Wire wire = new Wire(server)) {
      wire.send(chunked.substring(0, 40));
      wire.send(chunked.substring(40) + "A;x=y\r\n" + BODY.substring(0, 10));
      int rest = BODY.length() - 10;
      wire.send("\r\n" + Integer.toHexString(rest) + "\r\n" + BODY.substring(10));
      wire.send("\r\n0\r\nX-Trailer: 1\r\n\r\n");
      assertThat(wire.read(Duration.ofSeconds(5)).status()).isEqualTo(202);
      assertThat(wire.send(get("/admin/health")).read(Duration.ofSeconds(5)).status())
          .isEqualTo(200);
      assertThat(Ledger.read(ledger()).requests().getFirst().bodySha256())
          .isEqualTo(CreateRequest.sha256(BODY.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }
  }

  @Test
  void expectContinue_isAnsweredBeforeTheBody() throws IOException {
    String request = post(Kind.BLIND, "Expect: 100-continue\r\n", BODY);
    int body = request.indexOf(BODY);
    try (SandboxServer server = SandboxServer.start(options());
        Wire wire = new Wire(server)) {
      wire.send(request.substring(0, body));
      assertThat(wire.read(Duration.ofSeconds(5)).bytes())
          .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      wire.send(BODY);
      assertThat(wire.read(Duration.ofSeconds(5)).status()).isEqualTo(202);
    }
  }

  @Test
  void javaHttpClient_isServed() throws Exception {
    try (SandboxServer server = SandboxServer.start(options());
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              java.net.http.HttpRequest.newBuilder(
                      URI.create(server.baseUri(Kind.BLIND) + "/tasks"))
                  .header("Authorization", "Bearer sandbox-key")
                  .POST(BodyPublishers.ofString(BODY))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(202);
    }
  }

  @Test
  void malformedOrTooLarge_isAnsweredAndClosed() throws IOException {
    String post = "POST /blind/tasks HTTP/1.1\r\nAuthorization: Bearer sandbox-key\r\n";
    try (SandboxServer server = SandboxServer.start(options())) {
      assertThat(closedWith(server, "hello\r\n\r\n")).isEqualTo(400);
      assertThat(closedWith(server, "GET / HTTP/2.0\r\n\r\n")).isEqualTo(400);
      assertThat(closedWith(server, post + "Content-Length: 2000000\r\n\r\n")).isEqualTo(413);
      assertThat(closedWith(server, post + "Content-Length: -1\r\n\r\n")).isEqualTo(400);
      assertThat(
              closedWith(server, post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"))
          .isEqualTo(400);
      assertThat(closedWith(server, post + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n"))
          .isEqualTo(413);
      assertThat(closedWith(server, post + "X: " + "x".repeat(16_384 - post.length() - 3)))
          .isEqualTo(431);
      for (String body : List.of("", "{", "[]", "{\"input\":1}", "{\"input\":{}} x", "{}")) {
        assertThat(Wire.once(server, post(Kind.BLIND, "", body)).errorCode())
            .isEqualTo("invalid_request");
      }
      assertThat(Ledger.read(ledger()).tasks()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "POST /blind/ta",
        "POST /blind/tasks HTTP/1.1\r\nAuthorization: Bearer sandbox-key\r\nContent-Length: 9\r\n\r\n{"
      })
  void idleOrIncomplete_isClosedAfterTheIdleTimeout(String start) throws IOException {
    SandboxOptions options = options().withIdleTimeout(Duration.ofMillis(300));
    try (SandboxServer server = SandboxServer.start(options);
        Wire wire = new Wire(server)) {
      if (!start.isEmpty()) {
        wire.send(start);
      }
      long before = System.nanoTime();
      Seen seen = wire.read(Duration.ofSeconds(5));
      Duration waited = Duration.ofNanos(System.nanoTime() - before);
      assertThat(seen).isEqualTo(new Seen(End.FIN, ""));
      assertThat(waited).isBetween(Duration.ofMillis(200), Duration.ofSeconds(3));
    }
  }

  @Test
  void drippingHeaders_doNotProlongTheIdleTimeout() throws IOException {
    SandboxOptions options = options().withIdleTimeout(Duration.ofMillis(300));
    try (SandboxServer server = SandboxServer.start(options);
        Wire wire = new Wire(server)) {
      long before = System.nanoTime();
      Seen seen = new Seen(End.SILENT, "");
      while (seen.end() == End.SILENT) {
        try {
          wire.send("G");
        } catch (IOException _) {
          break; // closed under the drip
        }
        seen = wire.read(Duration.ofMillis(20));
      }
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(3));
    }
  }

  // ---- the ledger and the plan

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
                    -1,
                    clock))
        .hasMessageContainingAll("port", "api key", "answer delay", "idle timeout", "output");
    assertThat(good.toString()).doesNotContain(good.apiKey());
  }

  // ---- helpers

  private static List<Seen> atOnce(
      ExecutorService pool, int clients, java.util.concurrent.Callable<Seen> call)
      throws InterruptedException, ExecutionException {
    CountDownLatch go = new CountDownLatch(1);
    List<Future<Seen>> futures = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      futures.add(
          pool.submit(
              () -> {
                go.await();
                return call.call();
              }));
    }
    go.countDown();
    List<Seen> seen = new ArrayList<>();
    for (Future<Seen> future : futures) {
      seen.add(future.get());
    }
    return seen;
  }

  private static int closedWith(SandboxServer server, String request) throws IOException {
    try (Wire wire = new Wire(server)) {
      Seen seen = wire.send(request).read(Duration.ofSeconds(5));
      assertThat(wire.read(Duration.ofSeconds(5)).end()).isIn(End.FIN, End.RST);
      return seen.status();
    }
  }

  private static byte[] fetch(URI address) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(java.net.http.HttpRequest.newBuilder(address).build(), BodyHandlers.ofByteArray())
          .body();
    }
  }

  private static String state(SandboxServer server, String path) throws IOException {
    return Wire.once(server, get(path)).json().path("status").asString();
  }

  private static List<String> found(SandboxServer server, String path) throws IOException {
    return texts(Wire.once(server, get(path)).json(), "id");
  }

  private static List<String> texts(JsonNode answer, String name) {
    List<String> texts = new ArrayList<>();
    answer.path("tasks").forEach(task -> texts.add(task.path(name).asString()));
    return texts;
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
