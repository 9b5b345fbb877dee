package dev.tollgate.cli.serve;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Whether a process lives and takes work. Thread-safe.
 *
 * @see HttpEndpoint
 */
final class Health {
  /** Far above the longest round of a loop that works; restarting sooner would only cost time. */
  static final Duration STALLED_AFTER = Duration.ofSeconds(30);

  /** An answer: its HTTP status, and a line for people. */
  record Answer(int status, String text) {}

  private enum Phase {
    STARTING,
    SERVING,
    DRAINING
  }

  private final Supplier<Duration> sinceProgress;
  private volatile Phase phase = Phase.STARTING; // written by the process's main and stop threads

  Health(Supplier<Duration> sinceProgress) {
    this.sinceProgress = sinceProgress;
  }

  void serving() {
    phase = Phase.SERVING;
  }

  void draining() {
    phase = Phase.DRAINING;
  }

  /** Whether restarting the process would not help. */
  Answer live() {
    Duration since = sinceProgress.get();
    return new Answer(
        since.compareTo(STALLED_AFTER) < 0 ? 200 : 503,
        String.format(Locale.ROOT, "last progress %.1f s ago%n", since.toMillis() / 1000.0));
  }

  /** Whether it takes work: started, not draining, and alive. */
  Answer ready() {
    return phase == Phase.SERVING
        ? live()
        : new Answer(503, phase.name().toLowerCase(Locale.ROOT) + System.lineSeparator());
  }
}
