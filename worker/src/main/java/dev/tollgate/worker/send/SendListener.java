package dev.tollgate.worker.send;

import dev.tollgate.schema.Code;
import java.time.Duration;

/** Hears of sends and claims. Called by many threads; must not block or throw. */
public interface SendListener {
  /** An attempt ended. */
  default void sent(String provider, Code verdict, Duration took) {}

  /** Prepared operations were claimed. */
  default void claimed(String provider, int count) {}

  /**
   * A provider is left alone because its answers got bad.
   *
   * @param cause what rose: unknown or throttled
   */
  default void breakerOpened(String provider, String cause) {}

  /** Prepared operations would have broken a budget, or had no price where one applies. */
  default void heldByBudget(String provider, int waiting, int refused) {}

  /** A provider is left alone because it asked for it. */
  default void throttlePaused(String provider) {}
}
