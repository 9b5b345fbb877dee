package dev.tollgate.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A provider that gives its callers' credential back wherever it can: nothing that Tollgate writes
 * may hold it, in clear or encoded, with every logger at its most talkative.
 */
class CanaryIT {
  private static final String CANARY = "canary/key+0123456789abcdefXYZ";
  private static final Logger ROOT =
      (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  @TempDir Path folder;
  private final Stage stage = Stage.open(CanaryIT.class);
  private final Lines lines = new Lines();
  private final HttpServer echo = server();

  /** What was logged, as it would stand in a file. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final ConcurrentLinkedQueue<String> all = new ConcurrentLinkedQueue<>();

    /** Tollgate's own: the database's client tells at this level what it is given, prompts too. */
    private final ConcurrentLinkedQueue<String> own = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(ILoggingEvent event) {
      String fields = event.getKeyValuePairs() == null ? "" : " " + event.getKeyValuePairs();
      String line = event.getLoggerName() + " " + event.getFormattedMessage() + fields;
      all.add(line);
      if (event.getLoggerName().startsWith("dev.tollgate.")) {
        own.add(line);
      }
      if (event.getThrowableProxy() != null) {
        all.add(ThrowableProxyUtil.asString(event.getThrowableProxy()));
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    Path key = Files.writeString(folder.resolve("key"), CANARY);
    stage
        .set("providers.echo.descriptor", "http-json")
        .set("providers.echo.offers", "lookup-by-reference")
        .set("providers.echo.endpoint", "http://127.0.0.1:" + echo.getAddress().getPort())
        .set("providers.echo.api-key", "file:" + key)
        .set("providers.echo.submit-deadline", "1s")
        .set("providers.echo.connection-life", "1s")
        .set("providers.echo.longest-hold", "1s")
        .set("providers.echo.visibility-lag", "500ms");
    lines.start();
    ROOT.addAppender(lines);
    ROOT.setLevel(Level.TRACE);
  }

  @AfterEach
  void close() {
    ROOT.setLevel(Level.INFO);
    ROOT.detachAppender(lines);
    stage.close();
    echo.stop(0);
  }

  @Test
  void credentialThatIsEchoedEverywhere_isNowhereInWhatIsWritten() throws IOException {
    stage.run();
    String refused = stage.publish(Stage.request("echo", "refused"));
    String named = stage.publish(Stage.request("echo", "named"));
    String cut = stage.publish(Stage.request("echo", "cut"));
    Stage.eventually()
        .until(() -> stage.evidence(refused).stream().anyMatch(e -> e.contains("ACCOUNT_REFUSED")));
    Stage.eventually()
        .until(() -> stage.evidence(named).size() > 1 && stage.evidence(cut).size() > 1);
    List<String> forms = forms();
    assertThat(lines.all).as("something was logged").hasSizeGreaterThan(100);
    assertNowhere("log", lines.all.stream(), forms);
    assertThat(lines.own)
        .as("each change is an event with its fields")
        .anyMatch(line -> line.contains("key=\"" + named) && line.contains("fence=\"1\""));
    assertNowhere("log", lines.own.stream(), List.of("a red kite"));
    assertNowhere("database", tables().stream(), forms);
    for (String topic : stage.topics().all()) {
      assertNowhere(topic, stage.topic(topic).records().stream().flatMap(CanaryIT::texts), forms);
    }
    assertThat(tables()).anyMatch(row -> row.contains(hex("[redacted]")));
  }

  private static void assertNowhere(String where, Stream<String> texts, List<String> forms) {
    texts.forEach(
        text ->
            forms.forEach(
                form -> assertThat(text).as("%s holds %s", where, form).doesNotContain(form)));
  }

  private static Stream<String> texts(ConsumerRecord<byte[], byte[]> record) {
    List<String> texts = new ArrayList<>();
    texts.add(record.value() == null ? "" : latin1(record.value()));
    record.headers().forEach(header -> texts.add(latin1(header.value())));
    return texts.stream();
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static List<String> forms() {
    byte[] bytes = CANARY.getBytes(StandardCharsets.UTF_8);
    return List.of(
        CANARY,
        URLEncoder.encode(CANARY, StandardCharsets.UTF_8),
        Base64.getEncoder().withoutPadding().encodeToString(bytes),
        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
        hex(CANARY));
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Every row of every table, byte strings in hexadecimal. */
  private List<String> tables() {
    List<String> rows = new ArrayList<>();
    for (String table :
        stage.sql("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")) {
      rows.addAll(stage.sql("SELECT t::text FROM \"" + table + "\" t"));
    }
    return rows;
  }

  private static HttpServer server() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", CanaryIT::answer);
      server.start();
      return server;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String credential = exchange.getRequestHeaders().getFirst("Authorization").substring(7);
    exchange.getResponseHeaders().set("X-Request-Id", credential);
    exchange.getResponseHeaders().set("Retry-After", credential);
    String encoded =
        Base64.getEncoder().encodeToString(credential.getBytes(StandardCharsets.UTF_8));
    String body =
        "{\"error\":{\"code\":\"denied\",\"message\":\"key "
            + credential
            + " or "
            + encoded
            + "\"}}";
    int status = 401;
    if (!exchange.getRequestMethod().equals("POST")) {
      status = 500;
    } else if (request.contains("for named")) {
      status = 200;
      body = "{\"id\":\"" + credential + "\",\"status\":\"queued\"}";
    } else if (request.contains("for cut")) {
      exchange.sendResponseHeaders(200, 1000);
      exchange
          .getResponseBody()
          .write(("{\"note\":\"" + credential).getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      exchange.close();
      return;
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
