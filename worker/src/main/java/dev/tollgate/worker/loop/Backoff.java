package dev.tollgate.worker.loop;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Growing pauses with jitter, so that many who failed together do not come back together. */
public final class Backoff {
  private Backoff() {}

  /**
   * The pause after the n-th failure in a row: doubled each time up to a bound, then between half
   * and all of it.
   *
   * @param failures at least 1
   */
  public static Duration of(int failures, Duration first, Duration most) {
    long bounded = longest(failures, first, most).toMillis();
    return Duration.ofMillis(bounded / 2 + ThreadLocalRandom.current().nextLong(bounded / 2 + 1));
  }

  /**
   * The longest that this pause may be: for those who are to come back together.
   *
   * @param failures at least 1
   */
  public static Duration longest(int failures, Duration first, Duration most) {
    long doubled = first.toMillis() << Math.min(failures - 1, 20);
    return Duration.ofMillis(Math.min(doubled, most.toMillis()));
  }
}
