package dev.tollgate.loadtest.wire;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * A proxy that means well: when a create's answer takes too long it asks the next backend, and the
 * next, until it gives up with a page of its own. Everything else it passes on once. Thread-safe.
 */
final class ThriceProxy implements AutoCloseable {
  private static final int BACKENDS = 3;
  private static final Duration PATIENCE = Duration.ofMillis(400);
  private static final Set<String> HOP = Set.of("connection", "host", "content-length", "upgrade");

  private final URI behind;
  private final String method;
  private final String create;
  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer server;

  /**
   * @param method method of a create
   * @param create pattern of the path at which tasks are created
   */
  ThriceProxy(URI behind, String method, String create) {
    this.behind = behind;
    this.method = method;
    this.create = create;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  URI origin() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(behind + exchange.getRequestURI().toString()))
              .method(
                  exchange.getRequestMethod(),
                  HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
      exchange
          .getRequestHeaders()
          .forEach(
              (name, values) -> {
                if (!HOP.contains(name.toLowerCase(Locale.ROOT))) {
                  values.forEach(value -> request.header(name, value));
                }
              });
      boolean creates =
          exchange.getRequestMethod().equals(method)
              && exchange.getRequestURI().getRawPath().matches(create);
      (creates ? patiently(request.timeout(PATIENCE).build(), BACKENDS) : once(request.build()))
          .send(exchange);
    }
  }

  private Reply patiently(HttpRequest request, int backends) throws IOException {
    for (int i = 0; i < backends; i++) {
      try {
        return once(request);
      } catch (java.net.http.HttpTimeoutException _) {
        // the next one
      }
    }
    return Reply.gatewayPage(504);
  }

  private Reply once(HttpRequest request) throws IOException {
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      Map<String, String> headers = new HashMap<>();
      answer
          .headers()
          .map()
          .forEach(
              (name, values) -> {
                if (!HOP.contains(name.toLowerCase(Locale.ROOT))) {
                  headers.put(name, String.join(", ", values));
                }
              });
      return new Reply(answer.statusCode(), headers, answer.body());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Reply.CUT;
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
    server.stop(0);
  }
}
