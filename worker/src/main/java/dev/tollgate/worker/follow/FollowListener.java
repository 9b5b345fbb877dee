package dev.tollgate.worker.follow;

/** Hears of followed tasks. Called by many threads; must not block or throw. */
public interface FollowListener {
  /**
   * A provider answered (or not): {@code queued, processing, succeeded, failed, not_found,
   * unavailable, throttled, unknown_word}.
   */
  default void asked(String provider, String answer) {}
}
