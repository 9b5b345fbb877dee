package dev.tollgate.worker.provider.http;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** What tests of the HTTP/2 engine have in common. */
abstract class Http2Fixture {
  /** Longer than any answer of a test server takes on a busy machine. */
  static final Duration PLENTY = Duration.ofSeconds(20);

  static final Duration SOON = Duration.ofMillis(300);
  static final Deadlines DEADLINES = new Deadlines();

  static HttpSettings settings(int connections) {
    return settings(connections, Duration.ofSeconds(3));
  }

  static HttpSettings settings(int connections, Duration connectTimeout) {
    return new HttpSettings(HttpProtocol.HTTP_2, connections, connectTimeout, PLENTY, SOON);
  }

  static HttpEngine engine(RawH2Server server, int connections) {
    return engine(server, settings(connections));
  }

  static HttpEngine engine(RawH2Server server, HttpSettings settings) {
    return engine(server.base("").toString(), settings);
  }

  static HttpEngine engine(String origin, HttpSettings settings) {
    return HttpEngine.open(URI.create(origin), settings, System::nanoTime, DEADLINES);
  }

  static HttpCall post(byte[] body, Duration patience) {
    long by = System.nanoTime() + patience.toNanos();
    return HttpCall.post("/tasks", Map.of("Authorization", "Bearer x"), body, by, by);
  }

  static HttpAnswer send(HttpEngine engine, Duration patience) {
    byte[] body = "{\"prompt\":\"a red kite\"}".getBytes(StandardCharsets.US_ASCII);
    return engine.send(post(body, patience), new Collector(100_000));
  }

  /** The same on a thread of its own. */
  static Future<HttpAnswer> sending(HttpEngine engine, Duration patience) {
    CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> answer.complete(send(engine, patience)));
    return answer;
  }

  @SafeVarargs
  static List<HttpAnswer> all(Future<HttpAnswer>... answers)
      throws ExecutionException, InterruptedException {
    List<HttpAnswer> all = new ArrayList<>();
    for (Future<HttpAnswer> answer : answers) {
      all.add(answer.get());
    }
    return all;
  }

  static String text(HttpAnswer answer) {
    return new String(answer.body(), StandardCharsets.US_ASCII);
  }

  static void waitFor(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(20, TimeUnit.SECONDS)) {
        throw new IOException("the test never went on");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  static void waitForUnchecked(CountDownLatch latch) {
    try {
      waitFor(latch);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
