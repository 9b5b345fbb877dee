package dev.tollgate.loadtest.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tollgate.loadtest.sandbox.ReportPlan.Sending;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Reports the changes of tasks over a fixed number of connections, each again until it is
 * acknowledged with 2xx, or was tried for about a minute. Thread-safe.
 *
 * <p>What it still has to report ends with it: a provider that dies loses reports.
 */
final class Reporter implements AutoCloseable {
  private static final int CONNECTIONS = 8;

  /** Doubled each time up to its most. */
  private static final long PAUSE_MS = 100;

  private static final long PAUSE_MS_MAX = 10_000;
  private static final int TRIES_MAX = 14;
  private static final int QUEUE_MAX = 100_000;
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  private final Reporting reporting;
  private final ReportPlan plan;
  private final long renderMs;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Stats stats;
  private final DelayQueue<Report> queue = new DelayQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final HttpClient client;

  Reporter(SandboxOptions options, Stats stats, LongSupplier nanoTime) {
    this.reporting = options.reporting();
    this.renderMs = options.renderTime().toMillis();
    this.plan = new ReportPlan(options.seed(), reporting.faults(), renderMs);
    this.clock = options.clock();
    this.nanoTime = nanoTime;
    this.stats = stats;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ANSWER_WITHIN)
            .build();
    for (int i = 0; i < CONNECTIONS; i++) {
      threads.add(Thread.ofVirtual().name("sandbox-report-" + i).start(this::run));
    }
  }

  /** One report on its way. */
  private final class Report implements Delayed {
    final List<URI> addresses;
    final String id;
    final String body;
    final int tries;
    final long dueNanos;

    Report(List<URI> addresses, String id, String body, int tries, long delayMs) {
      this.addresses = addresses;
      this.id = id;
      this.body = body;
      this.tries = tries;
      this.dueNanos = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(delayMs);
    }

    Report again() {
      long pause = Math.min(PAUSE_MS << Math.min(tries, 20), PAUSE_MS_MAX);
      return new Report(addresses, id, body, tries + 1, pause);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  /** Plans the reports of a task that was just made, if it is to be reported at all. */
  void created(CreateRequest request, SandboxTask task) {
    List<URI> addresses = addresses(request);
    if (addresses.isEmpty()) {
      return;
    }
    long[] changesMs = {0, ReportPlan.firstMs(renderMs), renderMs};
    for (int change = 0; change < ReportPlan.CHANGES; change++) {
      String word = task.status(task.createdAtMs + changesMs[change], renderMs);
      // a task that is over at once has one change alone
      if (changesMs[change] < renderMs || change == ReportPlan.CHANGES - 1) {
        Sending sending = plan.choose(request.kind(), request.bodySha256(), change);
        stats.report(sending.fate());
        String body =
            "{\"id\":\"%s\",\"status\":\"%s\",\"created_at\":\"%s\"}"
                .formatted(task.id, word, Json.time(task.createdAtMs));
        for (long delayMs : sending.delaysMs()) {
          add(
              new Report(
                  addresses, "msg_" + task.id + "_" + word, body, 0, changesMs[change] + delayMs));
        }
      }
    }
  }

  private List<URI> addresses(CreateRequest request) {
    URI callback = request.callback();
    return callback != null
        ? List.of(callback)
        : reporting.addresses().stream()
            .map(base -> URI.create(base + "/" + request.kind().path()))
            .toList();
  }

  private void add(Report report) {
    if (queue.size() < QUEUE_MAX) {
      queue.add(report);
    } else {
      stats.reported(false);
    }
  }

  private void run() {
    try {
      while (true) {
        Report report = queue.take();
        if (acknowledged(report)) {
          stats.reported(true);
        } else if (report.tries < TRIES_MAX) {
          add(report.again());
        } else {
          stats.reported(false);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean acknowledged(Report report) throws InterruptedException {
    URI address = report.addresses.get(report.tries % report.addresses.size());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(ANSWER_WITHIN)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(report.body));
    sign(request, report);
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode() / 100
          == 2;
    } catch (IOException _) {
      return false; // nobody is there now
    }
  }

  private void sign(HttpRequest.Builder request, Report report) {
    Optional<byte[]> key = reporting.secret().flatMap(Reporter::key);
    if (key.isEmpty()) {
      return;
    }
    String time = String.valueOf(clock.instant().getEpochSecond());
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.get(), "HmacSHA256"));
      byte[] signature = mac.doFinal((report.id + "." + time + "." + report.body).getBytes(UTF_8));
      request
          .header("webhook-id", report.id)
          .header("webhook-timestamp", time)
          .header("webhook-signature", "v1," + Base64.getEncoder().encodeToString(signature));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  /** The key in a secret as Standard Webhooks writes it. */
  static Optional<byte[]> key(String secret) {
    try {
      return secret.startsWith("whsec_")
          ? Optional.of(Base64.getDecoder().decode(secret.substring(6))).filter(k -> k.length > 0)
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** Ends what is under way. */
  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    client.shutdownNow();
  }
}
