package dev.tollgate.reconciler.look;

import java.time.Duration;

/** Hears of looks. Called by many threads; must not block or throw. */
public interface LookListener {
  /**
   * A look is over.
   *
   * @param result simple name of the finding, or {@code failed}
   */
  void looked(String provider, String result);

  /**
   * A look settled an operation.
   *
   * @param to the word of the state that follows
   * @param dwell how long ago its last attempt had begun, by the database's clock
   */
  default void settled(String provider, String to, Duration dwell) {}

  /**
   * An operation has a task beyond the one it needs.
   *
   * @param ended {@code cancelled, too_late, not_cancellable} or {@code not_answered}
   */
  void duplicate(String provider, String ended);
}
