package dev.tollgate.worker.reading;

/** Hears of readers. Called by many threads; must not block or throw. */
public interface ReadingListener {
  /**
   * A request was answered.
   *
   * @param result {@code opened, over, page, unknown_address, malformed, unavailable}
   */
  default void answered(String result) {}

  /**
   * A connection that was opened is closed.
   *
   * @param why {@code ended, time, slow, gone, closing}
   */
  default void closed(String why) {}

  /** So many chunks were taken by a reader's socket. */
  default void chunks(int sent) {}
}
