package dev.tollgate.cli.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * {@code /metrics} in Prometheus's text format, {@code /health/live} and {@code /health/ready}.
 * Thread-safe.
 */
final class HttpEndpoint implements AutoCloseable {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final int BACKLOG = 16;

  private final PrometheusMeterRegistry registry;
  private final Health health;
  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("http-", 0).factory());

  private HttpEndpoint(PrometheusMeterRegistry registry, Health health, HttpServer server) {
    this.registry = registry;
    this.health = health;
    this.server = server;
  }

  /**
   * Listens and answers.
   *
   * @throws IOException when the port is taken or the host is none of this machine's
   */
  static HttpEndpoint open(String host, int port, PrometheusMeterRegistry registry, Health health)
      throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
    HttpEndpoint endpoint = new HttpEndpoint(registry, health, server);
    server.setExecutor(endpoint.threads);
    server.createContext("/", endpoint::answer);
    server.start();
    return endpoint;
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, TEXT, "only GET and HEAD\n");
        return;
      }
      switch (exchange.getRequestURI().getPath()) {
        case "/metrics" -> send(exchange, 200, PROMETHEUS, registry.scrape());
        case "/health/live" -> send(exchange, health.live());
        case "/health/ready" -> send(exchange, health.ready());
        default -> send(exchange, 404, TEXT, "there is /metrics, /health/live, /health/ready\n");
      }
    }
  }

  private static void send(HttpExchange exchange, Health.Answer answer) throws IOException {
    send(exchange, answer.status(), JSON, answer.json());
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
