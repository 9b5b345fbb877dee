package dev.tollgate.schema.store;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One time that somebody replayed or discarded dead letters, and what came of it so far.
 *
 * @param topic the dead-letter topic
 * @param topicId Kafka's id of it
 * @param terms what it was told to do, as JSON
 * @param endedAt absent where it is under way, or its process died
 * @param until no other process goes on with it before
 * @param claimed letters that are claimed and not known to be dealt with
 */
public record DeadLetterRun(
    long id,
    Kind kind,
    String topic,
    UUID topicId,
    String who,
    String why,
    String terms,
    Instant startedAt,
    @Nullable Instant endedAt,
    Instant until,
    int claimed,
    Counts counts) {

  /** What is done with the letters. */
  public enum Kind {
    REPLAY,
    DISCARD;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Kind of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /**
   * How many letters met which fate.
   *
   * @param left meant and left as they were; 0 until the run has ended
   * @param micros what the replayed ones cost, in millionths of the configured currency, as far as
   *     prices were known
   * @param unpriced replayed ones whose price nobody knew
   */
  public record Counts(
      long replayed, long settled, long discarded, long left, long micros, long unpriced) {
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);
  }
}
