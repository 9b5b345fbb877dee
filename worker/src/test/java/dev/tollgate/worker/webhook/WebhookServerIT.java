package dev.tollgate.worker.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.Inbox;
import dev.tollgate.schema.store.PostgresInbox;
import dev.tollgate.schema.store.StoreFailures;
import dev.tollgate.schema.store.TestDatabase;
import dev.tollgate.worker.provider.WebhookReader;
import dev.tollgate.worker.provider.WebhookReaders;
import dev.tollgate.worker.provider.described.CallbackAddresses;
import dev.tollgate.worker.web.Dripping;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes in over a real socket, byte by byte as its sender writes it. */
final class WebhookServerIT {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000L);
  private static final byte[] INSTALLATION = new byte[32];
  private static final OperationKey KEY = new OperationKey("video", Sha256.of("k".getBytes(UTF_8)));
  private static final String BODY = "{\"id\":\"t-1\",\"status\":\"succeeded\"}";
  private static final int BODY_MAX = 2000;

  private static final ConcurrentLinkedQueue<String> results = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger woken = new AtomicInteger();

  private static Database database;
  private static Wrapped inbox;
  private static WebhookServer server;

  /** The inbox, with its database now and then away. */
  private record Wrapped(Inbox real, List<RuntimeException> next) implements Inbox {
    @Override
    public Receipt receive(Event event) {
      if (!next.isEmpty()) {
        throw next.removeFirst();
      }
      return real.receive(event);
    }

    @Override
    public List<Taken> take(int limit, Duration lease) {
      return real.take(limit, lease);
    }

    @Override
    public void done(List<Id> ids) {
      real.done(ids);
    }

    @Override
    public List<Id> later(List<Id> ids, Pauses pauses, Duration giveUpAfter) {
      return real.later(ids, pauses, giveUpAfter);
    }

    @Override
    public int forget(int most, Duration keptFor) {
      return real.forget(most, keptFor);
    }
  }

  @BeforeAll
  static void start() {
    database = new Database(TestDatabase.migrated(WebhookServerIT.class), "webhooks", 2, null);
    inbox = new Wrapped(new PostgresInbox(database.dsl()), new ArrayList<>());
    Map<String, WebhookReader> readers =
        Map.of(
            "signed", WebhookReaders.httpJson(Map.of("webhook-secret", SECRET)),
            "bare", WebhookReaders.httpJson(Map.of()),
            "naming", WebhookReaders.namingReferences(Map.of("webhook-secret", SECRET)),
            "account", WebhookReaders.ofAccount("us", Map.of("webhook-secret", SECRET)));
    Map<String, String> settings = new HashMap<>();
    settings.put("tollgate.kafka.bootstrap-servers", "unused:9092");
    settings.put("tollgate.database.url", "jdbc:postgresql://unused/unused");
    settings.put("tollgate.webhooks.port", "0");
    settings.put("tollgate.webhooks.body-max", "" + BODY_MAX);
    settings.put("tollgate.webhooks.body-within", "1s");
    settings.put("tollgate.webhooks.head-within", "1s");
    server =
        new WebhookServer(
            ConfigFile.read(Optional.empty(), settings).webhooks(),
            readers,
            INSTALLATION,
            inbox,
            woken::incrementAndGet,
            () -> NOW,
            System::nanoTime,
            new WebhookListener() {
              @Override
              public void received(String provider, String result) {
                results.add(provider + " " + result);
              }
            });
    server.start();
  }

  @AfterAll
  static void stop() {
    server.close();
    database.close();
  }

  @BeforeEach
  void forget() {
    database.dsl().execute("TRUNCATE inbox");
    results.clear();
    woken.set(0);
  }

  private static String callback(String provider) {
    return new CallbackAddresses(INSTALLATION).of(URI.create("/"), provider, KEY.toString());
  }

  private static String signed(String id, String body) {
    try {
      String time = "" + NOW.getEpochSecond();
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.substring(6)), "HmacSHA256"));
      String signature =
          Base64.getEncoder()
              .encodeToString(mac.doFinal((id + "." + time + "." + body).getBytes(UTF_8)));
      return "webhook-id: %s\r\nwebhook-timestamp: %s\r\nwebhook-signature: v1,%s\r\n"
          .formatted(id, time, signature);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String post(String path, String headers, String body) {
    return "POST %s HTTP/1.1\r\nHost: h\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(path, headers, body.getBytes(UTF_8).length, body);
  }

  /** The status that a request gets, or 0 if its connection was closed without one. */
  private static int status(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(ISO_8859_1));
      out.flush();
      String head = new String(socket.getInputStream().readNBytes(12), US_ASCII);
      return head.startsWith("HTTP/1.1 ") ? Integer.parseInt(head.substring(9, 12)) : 0;
    }
  }

  private static int rows() {
    return database.dsl().fetchCount(DSL.table("inbox"));
  }

  @Test
  void signedWebhook_isOneRowHoweverOften() throws IOException {
    String request = post("/webhooks/signed", signed("msg_1", BODY), BODY);
    for (int i = 0; i < 46; i++) {
      assertThat(status(request)).isEqualTo(204);
    }
    assertThat(rows()).isEqualTo(1);
    assertThat(woken).hasValue(1);
    assertThat(status(post("/webhooks/signed", signed("msg_2", BODY), BODY))).isEqualTo(204);
    assertThat(rows()).as("another id with equal bytes").isEqualTo(2);
    assertThat(results).contains("signed new", "signed known");
  }

  @Test
  void callback_provesItsSenderByItsAddress() throws IOException {
    assertThat(status(post(callback("bare"), "", BODY))).isEqualTo(204);
    assertThat(status(post(callback("bare"), "", BODY))).isEqualTo(204);
    assertThat(rows()).isEqualTo(1);
    assertThat(status(post("/public/path" + callback("bare"), "", BODY))).isEqualTo(204);
    assertThat(rows()).isEqualTo(1);
    assertThat(status(post(callback("signed"), signed("msg_1", BODY), BODY))).isEqualTo(204);
    assertThat(inbox.take(9, Duration.ofMinutes(1)))
        .extracting(Inbox.Taken::remoteId)
        .containsExactly("t-1", "t-1");
  }

  @Test
  void reference_isStoredWhereItIsOurs_andNamesAnOperationWithoutATask() throws IOException {
    String ours = "{\"client_reference\":\"tg-00112233445566778899aabbccddeeff\",\"id\":\"t-1\"}";
    assertThat(status(post("/webhooks/naming", signed("msg_1", ours), ours))).isEqualTo(204);
    String alone = ours.replace(",\"id\":\"t-1\"", "");
    assertThat(status(post("/webhooks/naming", signed("msg_2", alone), alone))).isEqualTo(204);
    String another = ours.replace("tg-", "order-");
    assertThat(status(post("/webhooks/naming", signed("msg_3", another), another))).isEqualTo(204);
    assertThat(status(post("/webhooks/signed", signed("msg_4", ours), ours))).isEqualTo(204);
    assertThat(status(post("/webhooks/signed", signed("msg_5", alone), alone))).isEqualTo(400);
    assertThat(
            database
                .dsl()
                .fetch("SELECT encode(reference, 'hex') FROM inbox ORDER BY event_id")
                .getValues(0, String.class))
        .containsExactly(
            "00112233445566778899aabbccddeeff", "00112233445566778899aabbccddeeff", null, null);
  }

  /** A service that signs alike for all who use it: what it says of others is refused. */
  @Test
  void anotherAccount_isRefusedAsIfForged() throws IOException {
    String genuine = signed("msg_1", BODY);
    for (String account : List.of("", "x-account: them\r\n", "x-account: US\r\n")) {
      assertThat(status(post("/webhooks/account", genuine + account, BODY)))
          .as(account)
          .isEqualTo(401);
    }
    assertThat(rows()).isZero();
    assertThat(status(post("/webhooks/account", genuine + "x-account: us\r\n", BODY)))
        .isEqualTo(204);
  }

  /**
   * The only ports are for providers and readers: no path decides, replays or lists anything, for a
   * page of another site least of all.
   */
  @Test
  void fc100_formOfAnotherSite_findsNothingToDecideOrReplay() throws IOException {
    String form =
        "Origin: https://elsewhere.example\r\nContent-Type: application/x-www-form-urlencoded\r\n";
    String plain = "Origin: https://elsewhere.example\r\nContent-Type: text/plain\r\n";
    for (String path :
        List.of("/review", "/review/settle", "/dlt/replay", "/operations", "/admin")) {
      assertThat(status(post(path, form, "what=resend&key=x"))).as(path).isEqualTo(404);
      assertThat(status(post(path, plain, "{\"what\":\"resend\"}"))).as(path).isEqualTo(404);
    }
    assertThat(status(post("/webhooks/signed", plain, BODY))).isEqualTo(401);
    assertThat(rows()).isZero();
  }

  @Test
  void database_away_isNeverAcknowledged() throws IOException {
    String request = post("/webhooks/signed", signed("msg_1", BODY), BODY);
    inbox.next().add(StoreFailures.unavailable());
    inbox.next().add(new IllegalStateException("a defect"));
    assertThat(status(request)).isEqualTo(503);
    assertThat(status(request)).isEqualTo(503);
    assertThat(rows()).isZero();
    assertThat(status(request)).isEqualTo(204);
  }

  @Test
  void eventsPastTheMost_areAcknowledgedAndCounted() throws IOException {
    for (int n = 0; n < Inbox.EVENTS_MAX; n++) {
      inbox.receive(
          new Inbox.Event(
              new Inbox.Id("bare", "e" + n),
              KEY,
              "t-1",
              null,
              new byte[32],
              null,
              new byte[0],
              false));
    }
    assertThat(status(post(callback("bare"), "", BODY))).isEqualTo(204);
    assertThat(rows()).isEqualTo(Inbox.EVENTS_MAX);
    assertThat(results).containsExactly("bare too_many");
    assertThat(woken).hasValue(0);
  }

  static Stream<Arguments> refused() {
    String good = signed("msg_1", BODY);
    String mac = callback("bare");
    String long1 = "{\"id\":\"t-1\",\"x\":\"" + "y".repeat(BODY_MAX) + "\"}";
    String deep = "{\"id\":\"t-1\",\"x\":" + "[".repeat(900) + "]".repeat(900) + "}";
    return Stream.of(
        Arguments.of("no signature", post("/webhooks/signed", "", BODY), 401),
        Arguments.of("no signature at a callback", post(callback("signed"), "", BODY), 401),
        Arguments.of("another body", post("/webhooks/signed", good, BODY + " "), 401),
        Arguments.of("two ids", post("/webhooks/signed", "webhook-id: x\r\n" + good, BODY), 401),
        Arguments.of("nobody signs there", post("/webhooks/bare", "", BODY), 401),
        Arguments.of("another mac", post(mac.substring(0, mac.length() - 1) + "g", "", BODY), 404),
        Arguments.of(
            "a forged mac",
            post(mac.substring(0, mac.length() - 32) + "0".repeat(32), "", BODY),
            401),
        Arguments.of(
            "another provider's mac", post(mac.replace("/bare/", "/signed/"), good, BODY), 401),
        Arguments.of("another operation", post(mac.replace("video:", "image:"), "", BODY), 401),
        Arguments.of("an unknown provider", post("/webhooks/nobody", good, BODY), 404),
        Arguments.of("an unknown path", post("/", good, BODY), 404),
        Arguments.of("a path in disguise", post("/webhooks/../webhooks/signed", good, BODY), 404),
        Arguments.of("an escaped path", post("/webhooks/%73igned", good, BODY), 404),
        Arguments.of("a GET", "GET /webhooks/signed HTTP/1.1\r\nHost: h\r\n\r\n", 405),
        Arguments.of(
            "packed", post("/webhooks/signed", "Content-Encoding: gzip\r\n" + good, BODY), 415),
        Arguments.of("too long", post("/webhooks/signed", signed("msg_1", long1), long1), 413),
        Arguments.of("no JSON", post(mac, "", "hello"), 400),
        Arguments.of("nothing", post(mac, "", ""), 400),
        Arguments.of("an array", post(mac, "", "[1]"), 400),
        Arguments.of("a name twice", post(mac, "", "{\"id\":\"a\",\"id\":\"b\"}"), 400),
        Arguments.of("too deep", post(mac, "", deep), 400),
        Arguments.of("cut", post(mac, "", BODY.substring(0, 20)), 400),
        Arguments.of("a task for nobody", post("/webhooks/signed", signed("m", "{}"), "{}"), 400),
        Arguments.of("a huge header", post(mac, "X-A: " + "a".repeat(9000) + "\r\n", BODY), 431),
        Arguments.of("no HTTP", "\u0016\u0003\u0001\r\n\r\n", 400));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refused(String what, String request, int status) throws IOException {
    assertThat(status(request)).as(what).isEqualTo(status);
    assertThat(rows()).isZero();
  }

  @Test
  void chunkedBody_isReadAndBounded() throws IOException {
    String head =
        "POST %s HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            .formatted(callback("bare"));
    String chunk = "%x\r\n%s\r\n".formatted(BODY.length(), BODY);
    assertThat(status(head + chunk + "0\r\n\r\n")).isEqualTo(204);
    String endless = "400\r\n" + " ".repeat(0x400) + "\r\n";
    assertThat(status(head + endless.repeat(50))).isEqualTo(413);
    assertThat(status(head + chunk + "zz\r\n")).isIn(0, 400, 408);
    assertThat(rows()).isEqualTo(1);
  }

  static Stream<Arguments> drips() {
    String chunked =
        "POST %s HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            .formatted(callback("bare"));
    String sized = post(callback("bare"), "", " ".repeat(1500));
    return Stream.of(
        Arguments.of("a head", "POST %s HTTP/1.1\r\nX: ".formatted(callback("bare"))),
        Arguments.of("a body", sized.substring(0, sized.length() - 1500)),
        Arguments.of("what stands beside a chunk", chunked + "5;x="),
        Arguments.of("what follows the chunks", chunked + "1\r\n{\r\n0\r\nX: "));
  }

  /** One byte each tenth of a second would keep a connection for minutes. */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void drips(String what, String begin) throws IOException {
    try (Dripping client = new Dripping(server.port(), begin)) {
      assertThat(status(post(callback("bare"), "", BODY))).isEqualTo(204);
      assertThat(client.isOver()).as("%s takes as long as it likes", what).isTrue();
    }
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void fc72_databaseIsSlow_theAnswerWaitsForTheRow() {
    CompletableFuture<Integer> status =
        database
            .dsl()
            .connectionResult(
                held -> {
                  held.setAutoCommit(false);
                  try (Statement sql = held.createStatement()) {
                    sql.execute("LOCK TABLE inbox");
                    CompletableFuture<Integer> answer =
                        CompletableFuture.supplyAsync(WebhookServerIT::statusOfOne);
                    Awaitility.await()
                        .until(
                            () ->
                                sql.executeQuery("SELECT 1 FROM pg_locks WHERE NOT granted")
                                    .next());
                    assertThat(answer).isNotDone();
                    return answer;
                  } finally {
                    held.rollback();
                    held.setAutoCommit(true);
                  }
                });
    assertThat(status.join()).isEqualTo(204);
    assertThat(rows()).isEqualTo(1);
  }

  private static int statusOfOne() {
    try {
      return status(post(callback("bare"), "", BODY));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
