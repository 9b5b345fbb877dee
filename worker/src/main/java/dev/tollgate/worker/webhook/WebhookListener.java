package dev.tollgate.worker.webhook;

/** Hears of events. Called by many threads; must not block or throw. */
public interface WebhookListener {
  /**
   * A request was answered.
   *
   * @param provider as configured; empty where the address names none
   * @param result {@code new, known, altered, too_many, challenge, forged, malformed, too_large,
   *     unknown_address, unavailable}
   */
  default void received(String provider, String result) {}

  /** Nobody turned up to whom an event belongs. */
  default void unmatched(String provider) {}

  /** An event says otherwise than the operation ended. */
  default void contradicted(String provider) {}

  /** An event named a task that its operation does not have. */
  default void suspected() {}
}
