package dev.tollgate.worker.watch;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Notices a step of the database's clock: it decides leases, so a step makes them end early or live
 * on (rule 12). Compares how far that clock and the monotonic one moved between two readings.
 * Confined to one thread but for {@link #pauseClaims}.
 */
final class ClockWatch {
  private final Duration tolerance;
  private final Duration pauseFor;

  private @Nullable Instant lastDatabase;
  private long lastNanos;

  /** Written by the watching thread; monotonic time until which nothing is claimed. */
  private volatile long pausedUntil;

  private volatile boolean stepped;

  /**
   * @param tolerance how far the clocks may drift apart between two readings, the round trip
   *     included
   * @param pauseFor how long nothing is claimed after a step: the longest lease
   */
  ClockWatch(Duration tolerance, Duration pauseFor) {
    this.tolerance = tolerance;
    this.pauseFor = pauseFor;
  }

  /**
   * Takes a reading.
   *
   * @param before monotonic time before the database was asked
   * @param after monotonic time after it answered
   * @return how far the database's clock stepped, or zero
   */
  Duration reading(Instant database, long before, long after) {
    Duration step = Duration.ZERO;
    if (lastDatabase != null) {
      Duration moved = Duration.between(lastDatabase, database);
      Duration difference = moved.minusNanos(after - lastNanos);
      Duration allowed = tolerance.plusNanos(after - before);
      if (difference.abs().compareTo(allowed) > 0) {
        step = difference;
        pausedUntil = after + pauseFor.toNanos();
        stepped = true;
      }
    }
    lastDatabase = database;
    lastNanos = after;
    return step;
  }

  /** Whether claims pause because of a step. */
  boolean pauseClaims(long now) {
    return stepped && now - pausedUntil < 0;
  }
}
