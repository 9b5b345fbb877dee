package dev.tollgate.schema.store;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was decided about one dead letter.
 *
 * @param run who did, and why
 * @param note where it was sent to, or what its operation came to
 */
public record DeadLetterFate(
    int partition, long offset, Fate fate, long run, Instant at, @Nullable String note) {

  /** What became of a letter. */
  public enum Fate {
    /** A run has it in hand, or died with it: nobody knows whether it was sent. */
    CLAIMED,
    /** It was sent back to the topic that it came from. */
    REPLAYED,
    /** It was not sent: what it asks for had been answered. */
    SETTLED,
    /** Somebody does not want it. */
    DISCARDED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Fate of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /**
   * A decision that is to be recorded.
   *
   * @param micros what it costs; null where nobody knows
   */
  public record Decision(
      int partition, long offset, Fate fate, @Nullable String note, @Nullable Long micros) {}

  /** Where a letter lies. */
  public record At(int partition, long offset) {}
}
