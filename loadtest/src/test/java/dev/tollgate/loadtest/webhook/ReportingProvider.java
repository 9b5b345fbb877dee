package dev.tollgate.loadtest.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A provider that reports by itself. Its creates and status calls are those of an endpoint of one's
 * own; what it answers to a create, and when, the test says. Thread-safe.
 */
final class ReportingProvider implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Task> tasks = new ConcurrentHashMap<>();
  private final List<String> polls = new CopyOnWriteArrayList<>();
  private final Consumer<Task> created;

  /** Waits, or throws to drop the answer. */
  interface Answering {
    void before(Task task) throws IOException, InterruptedException;
  }

  /** A task, and the address that its create carried, if it did. */
  static final class Task {
    final String id;
    final String prompt;
    final String callback;

    /** The key that its create carried. */
    final String key;

    volatile String status = "queued";

    Task(String id, String prompt, String callback, String key) {
      this.id = id;
      this.prompt = prompt;
      this.callback = callback;
      this.key = key;
    }

    String json() {
      return "{\"id\":\"%s\",\"status\":\"%s\"}".formatted(id, status);
    }
  }

  private final Answering answering;

  /** What comes before the answer to a status call; set by the test. */
  volatile Answering asked = _ -> {};

  /**
   * @param created hears of each task before its create is answered
   */
  ReportingProvider(Consumer<Task> created, Answering answering) {
    this.created = created;
    this.answering = answering;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  List<Task> tasks() {
    return List.copyOf(tasks.values());
  }

  /** Status calls. */
  List<String> polls() {
    return polls;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (exchange.getRequestMethod().equals("POST")) {
        JsonNode body = JSON.readTree(exchange.getRequestBody());
        Task task =
            new Task(
                "t-" + (tasks.size() + 1) + "-" + Integer.toHexString(exchange.hashCode()),
                body.path("input").path("prompt").asString(""),
                body.path("callback_url").asString(""),
                body.path("client_reference").asString(""));
        tasks.put(task.id, task);
        created.accept(task);
        try {
          answering.before(task);
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
          return;
        }
        send(exchange, 202, task.json().getBytes(UTF_8));
      } else if (path.startsWith("/outputs/")) {
        send(exchange, 200, ("output of " + path.substring(9)).getBytes(UTF_8));
      } else {
        String id = path.substring(path.lastIndexOf('/') + 1);
        polls.add(id);
        Task task = tasks.get(id);
        try {
          if (task != null) {
            asked.before(task);
          }
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
          return;
        }
        if (task == null) {
          send(
              exchange,
              404,
              "{\"error\":{\"code\":\"task_not_found\",\"message\":\"\"}}".getBytes(UTF_8));
          return;
        }
        String status = task.status;
        String output =
            status.equals("succeeded")
                ? ",\"output\":{\"url\":\"%s/outputs/%s\"}".formatted(endpoint(), id)
                : "";
        send(
            exchange,
            200,
            "{\"id\":\"%s\",\"status\":\"%s\"%s}".formatted(id, status, output).getBytes(UTF_8));
      }
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
