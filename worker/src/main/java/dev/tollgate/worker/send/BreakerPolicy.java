package dev.tollgate.worker.send;

import dev.tollgate.schema.config.BreakerConfig;
import java.time.Duration;

/**
 * When a provider is left alone, and how it is tried again. Immutable.
 *
 * @param window how many of the latest outcomes are looked at
 * @param within how old the oldest of them may be
 * @param outcomesMin fewer outcomes than this decide nothing
 * @param unknownPercent share of unknowns at which it opens
 * @param throttledPercent share of throttled sends at which it opens
 * @param pause how long it first stays open; doubled each time the next try fails
 * @param pauseMax bound of that pause
 * @param startPercent share of the slots that a worker begins with
 */
public record BreakerPolicy(
    int window,
    Duration within,
    int outcomesMin,
    int unknownPercent,
    int throttledPercent,
    Duration pause,
    Duration pauseMax,
    int startPercent) {
  public BreakerPolicy {
    if (outcomesMin < 1 || window < outcomesMin) {
      throw new IllegalArgumentException(
          "a window of %d outcomes cannot hold the %d that decide".formatted(window, outcomesMin));
    }
    if (pause.isNegative() || pause.isZero() || pauseMax.compareTo(pause) < 0) {
      throw new IllegalArgumentException(
          "pauses must be positive and the longest (%s) not shorter than the first (%s)"
              .formatted(pauseMax, pause));
    }
  }

  /** As it is configured. */
  public static BreakerPolicy of(BreakerConfig config) {
    return new BreakerPolicy(
        config.window(),
        config.within(),
        config.outcomesMin(),
        config.unknownPercent(),
        config.throttledPercent(),
        config.pause(),
        config.pauseMax(),
        config.startPercent());
  }

  /** How many slots of so many a worker begins with. */
  int startWidth(int slots) {
    return Math.max(1, (int) ((long) slots * startPercent / 100));
  }

  /** Whether so many of so many are a rise of unknowns. */
  boolean tooManyUnknown(int unknown, int of) {
    return unknown > 0 && (long) unknown * 100 >= (long) unknownPercent * of;
  }

  boolean tooManyThrottled(int throttled, int of) {
    return throttled > 0 && (long) throttled * 100 >= (long) throttledPercent * of;
  }
}
