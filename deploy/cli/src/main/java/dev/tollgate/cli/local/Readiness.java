package dev.tollgate.cli.local;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Waits until a child does its work. Immutable. */
public final class Readiness {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int ANSWER_MS = 2_000;
  private static final int TAIL_LINES = 15;

  private final Duration patience;
  private final LongSupplier nanoTime;

  /**
   * @param patience how long a child may take
   * @param nanoTime the monotonic clock
   */
  public Readiness(Duration patience, LongSupplier nanoTime) {
    this.patience = patience;
    this.nanoTime = nanoTime;
  }

  /**
   * Waits until a worker or reconciler says that it takes work.
   *
   * @param httpPort where it serves its health
   * @throws ChildFailed with the last lines of its log
   */
  public void ofService(ChildProcess child, int httpPort) {
    await(child, () -> isReady(httpPort));
  }

  /** Waits until something listens on a port that is the child's. */
  public void ofPort(ChildProcess child, int port) {
    await(child, () -> LocalPorts.answers(port));
  }

  private void await(ChildProcess child, BooleanSupplier ready) {
    long until = nanoTime.getAsLong() + patience.toNanos();
    while (!ready.getAsBoolean()) {
      if (!child.isAlive()) {
        throw failed(child, "ended with status " + child.exitStatus().orElse(-1));
      }
      if (nanoTime.getAsLong() - until > 0) {
        throw failed(child, "is not ready after " + patience.toSeconds() + " s");
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChildFailed("interrupted while waiting for a child", e);
    }
  }

  private static ChildFailed failed(ChildProcess child, String what) {
    return new ChildFailed(
        "%s %s; the end of %s:%n%s"
            .formatted(
                child.name(),
                what,
                child.log(),
                String.join(System.lineSeparator(), child.logTail(TAIL_LINES))));
  }

  /** Whether a worker or reconciler takes work now. */
  public static boolean isReady(int httpPort) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://" + LocalPorts.HOST + ":" + httpPort + "/health/ready")
                  .toURL()
                  .openConnection();
      connection.setConnectTimeout(ANSWER_MS);
      connection.setReadTimeout(ANSWER_MS);
      try {
        return connection.getResponseCode() == 200;
      } finally {
        connection.disconnect();
      }
    } catch (IOException _) {
      return false; // not up yet, or frozen
    }
  }
}
