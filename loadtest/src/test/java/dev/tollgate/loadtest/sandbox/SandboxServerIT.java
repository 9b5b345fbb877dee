package dev.tollgate.loadtest.sandbox;

import static dev.tollgate.loadtest.sandbox.Wire.get;
import static dev.tollgate.loadtest.sandbox.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.sandbox.Wire.Seen;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
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

/** The orderly side of the sandbox: the life of a task, and the four ways of finding one. */
final class SandboxServerIT {
  private static final String BODY = "{\"input\":{\"prompt\":\"a red kite\"}}";
  private static final Instant START = Instant.parse("2026-01-02T03:04:05.678Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final InstantSource clock = now::get;

  @TempDir Path folder;

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
