package dev.tollgate.schema.config;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the whole fleet may do together at one provider, held in the database. With any of these,
 * nothing is sent straight from intake.
 */
public interface LimitsConfig {
  /** Creates per second or minute, as {@code 20/s} or {@code 600/m}. */
  Optional<Rate> rate();

  /**
   * Most creates at once after a quiet time; as many as the rate gives in a second if absent.
   * Workers ask about four times a second, so less than a quarter of that holds below the rate.
   */
  OptionalInt burst();

  /**
   * Most remote tasks at once: what is being sent, what is accepted and not finished, and what is
   * unknown.
   */
  OptionalInt tasksMax();

  /** Whether there is any. */
  default boolean any() {
    return rate().isPresent() || tasksMax().isPresent();
  }
}
