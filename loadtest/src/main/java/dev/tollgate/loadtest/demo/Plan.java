package dev.tollgate.loadtest.demo;

import java.time.Duration;

/**
 * One run.
 *
 * @param operations how many outputs are asked for
 * @param seed of everything that is random
 * @param faults how hard it is
 * @param lease longest time for which a claim holds: a freeze lasts longer
 * @param within longest time from the first message to quiet
 */
public record Plan(int operations, long seed, FaultLevel faults, Duration lease, Duration within) {
  private static final Duration STRUCK_AT_LEAST = Duration.ofSeconds(20);
  private static final int STRUCK_PER_SECOND = 80;

  /** From this size on a run meets every fault, and one that was not met is a finding. */
  static final int EVERY_FAULT_FROM = 2000;

  public Plan {
    if (operations < 1) {
      throw new IllegalArgumentException("operations must be at least 1, not " + operations);
    }
  }

  /** The usual bound: ten minutes, and more for more operations. */
  public static Duration usualBound(int operations) {
    return Duration.ofMinutes(10).plusMillis(100L * operations);
  }

  /**
   * How long publishing takes: no time unless workers are struck, else long enough for strikes to
   * fall between sends.
   */
  Duration publishing() {
    if (!faults.strikes()) {
      return Duration.ZERO;
    }
    Duration paced = Duration.ofMillis(1000L * operations / STRUCK_PER_SECOND);
    return paced.compareTo(STRUCK_AT_LEAST) > 0 ? paced : STRUCK_AT_LEAST;
  }
}
