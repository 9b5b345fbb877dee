package dev.tollgate.loadtest.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tollgate.embedded.Ports;
import dev.tollgate.loadtest.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * MiniMax as its documents have it: before a create is answered, its callback address is asked
 * whether it gives a challenge back within three seconds; then each change of state is reported
 * there, as the answer of a status call.
 */
final class MinimaxCallbackIT {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration CHALLENGE_WITHIN = Duration.ofSeconds(3);

  @TempDir Path folder = Path.of("");
  private final Stage stage = Stage.open(MinimaxCallbackIT.class);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, String> callbacks = new ConcurrentHashMap<>();
  private final List<String> challenged = new CopyOnWriteArrayList<>();
  private final HttpServer minimax = server();

  /** The descriptor whose provider is played. */
  private volatile String name = "";

  private HttpServer server() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
      server.setExecutor(threads);
      server.createContext("/", this::handle);
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void receive() {
    int port = Ports.free();
    stage
        .set("webhooks.port", "" + port)
        .set("callbacks", "http://127.0.0.1:" + port)
        .set("worker.follow-after", "1h")
        .set("worker.follow-pace-max", "1h");
  }

  @AfterEach
  void close() {
    stage.close();
    minimax.stop(0);
    client.shutdownNow();
    threads.shutdownNow();
  }

  private String state(String id, String word) {
    return name.equals("minimax-v1")
        ? "{\"task_id\":\"%s\",\"status\":\"%s\",\"file_id\":\"205\",\"base_resp\":{\"status_code\":0,\"status_msg\":\"success\"}}"
            .formatted(id, word)
        : "{\"task\":{\"id\":\"%s\",\"status\":\"%s\",\"error\":{\"code\":\"1027\",\"message\":\"blocked\"}}}"
            .formatted(id, word);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestMethod().equals("POST")) {
        create(exchange);
      } else {
        String id =
            name.equals("minimax-v1")
                ? exchange.getRequestURI().getQuery().replace("task_id=", "")
                : exchange.getRequestURI().getPath().replaceFirst(".*/", "");
        answer(exchange, state(id, name.equals("minimax-v1") ? "Fail" : "failed"));
      }
    }
  }

  private static void answer(HttpExchange exchange, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void create(HttpExchange exchange) throws IOException {
    JsonNode body = JSON.readTree(exchange.getRequestBody());
    String callback = body.path("callback_url").asString();
    String challenge = "challenge-%d".formatted(System.nanoTime());
    HttpResponse<String> echoed =
        post(callback, "{\"challenge\":\"%s\"}".formatted(challenge), CHALLENGE_WITHIN);
    if (echoed.statusCode() != 200
        || !JSON.readTree(echoed.body()).path("challenge").asString().equals(challenge)) {
      throw new IOException("the address is none of theirs: " + echoed);
    }
    challenged.add(callback);
    String id = "" + (4240 + challenged.size());
    callbacks.put(id, callback);
    if (body.toString().contains("for lost")) {
      return; // the connection ends without an answer
    }
    answer(
        exchange,
        "{\"task_id\":\"%s\",\"base_resp\":{\"status_code\":0,\"status_msg\":\"success\"}}"
            .formatted(id));
  }

  private HttpResponse<String> post(String address, String body, Duration within)
      throws IOException {
    try {
      return client.send(
          HttpRequest.newBuilder(URI.create(address))
              .timeout(within)
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private String publish(String product) {
    String params =
        "{\"prompt\":\"a boat for %s\",\"model\":\"M\",\"resolution\":\"768P\",\"duration_s\":5}"
            .formatted(product);
    return stage.publish(
        "{\"kind\":\"video\",\"product\":\"%s\",\"variant\":\"a\",\"provider\":\"%s\",\"params\":%s}"
            .formatted(product, name, params));
  }

  /** Each state call of this service says that the task has failed, so one report ends it. */
  @ParameterizedTest
  @CsvSource({"minimax-v1,answered", "minimax-v1,lost", "minimax-v2,answered", "minimax-v2,lost"})
  void challengeIsEchoed_andTheReportThatFollowsEndsIt(String descriptor, String product)
      throws IOException {
    name = descriptor;
    Path key = Files.writeString(folder.resolve("key"), "mm-secret");
    String prefix = "providers." + name + ".";
    stage
        .set(prefix + "descriptor", name)
        .set(prefix + "endpoint", "http://127.0.0.1:" + minimax.getAddress().getPort())
        .set(prefix + "secrets.api-key", "file:" + key)
        .set(prefix + "submit-deadline", "4s")
        .set(prefix + "connection-life", "1s")
        .set(prefix + "longest-hold", "500ms")
        .set(prefix + "visibility-lag", "500ms")
        .run();
    String operation = publish(product);
    stage.awaitState(operation, product.equals("lost") ? "unknown" : "accepted");
    assertThat(challenged)
        .singleElement()
        .asString()
        .contains("/callbacks/" + name + "/" + operation);
    assertThat(stage.evidence(operation)).noneMatch(line -> line.startsWith("webhook"));

    String id = callbacks.keySet().iterator().next();
    String word = "failed";
    assertThat(post(challenged.getFirst(), state(id, word), CHALLENGE_WITHIN).statusCode())
        .isEqualTo(204);
    stage.awaitState(operation, product.equals("lost") ? "accepted" : "failed");
    assertThat(stage.operation(operation)).containsEntry("remote_id", id);
    assertThat(stage.evidence(operation))
        .anyMatch(line -> line.startsWith("webhook") && line.endsWith(": failed"));
    assertThat(challenged).as("creates").hasSize(1);
  }
}
