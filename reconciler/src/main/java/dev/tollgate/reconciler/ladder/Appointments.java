package dev.tollgate.reconciler.ladder;

import java.time.Duration;
import java.time.Instant;

/**
 * Times at which the looks that one list serves come together: multiples of a power of two
 * milliseconds of the database's clock. Pauses that are spread, as those of single questions are,
 * would give each operation a list of its own. Coarser times are among the finer ones, so looks of
 * any age meet. Pure.
 */
final class Appointments {
  private Appointments() {}

  /** From now to the last such time within a pause: between half and all of it. */
  static Duration within(Instant now, Duration pause) {
    long grain = grain(pause.dividedBy(2));
    long at = Math.floorDiv(now.plus(pause).toEpochMilli(), grain) * grain;
    return Duration.between(now, Instant.ofEpochMilli(at));
  }

  /**
   * From now to the first such time that is not before another.
   *
   * @param late how much later it may be at most
   */
  static Duration notBefore(Instant now, Instant time, Duration late) {
    long grain = grain(late);
    long at = Math.ceilDiv(time.plusMillis(1).toEpochMilli(), grain) * grain;
    return Duration.between(now, Instant.ofEpochMilli(at));
  }

  private static long grain(Duration atMost) {
    return Long.highestOneBit(Math.max(1, atMost.toMillis()));
  }
}
