package dev.tollgate.worker.stream;

import dev.tollgate.schema.store.Chunks.Appended;
import java.time.Duration;

/** Hears of streams, for metrics. Any thread; must not block or throw. */
public interface StreamListener {
  /** Chunks of one statement were handed in. */
  default void appended(int chunks, Duration took) {}

  /** Chunks of a stream could not be stored as they should. */
  default void refused(Appended why) {}

  /**
   * A stream came to its end, or to where its reading ends.
   *
   * @param how {@code ended}, {@code cut}, {@code missing} or {@code conflict}
   */
  default void ended(String provider, String how) {}

  /** A stream that was cut is asked for again. */
  default void resumed(String provider) {}
}
