package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the whole fleet may do together at one provider, held in the database. With any of these,
 * nothing is sent straight from intake.
 */
public interface LimitsConfig {
  /**
   * Creates per second or minute, as {@code 20/s} or {@code 600/min}. Without it the descriptor's.
   */
  Optional<Rate> rate();

  /**
   * Most creates at once after a quiet time; as many as the rate gives in a second if absent.
   * Workers ask about four times a second, so less than a quarter of that holds below the rate.
   */
  OptionalInt burst();

  /**
   * Most remote tasks at once: what is being sent, what is accepted and not finished, and what is
   * unknown. What a descriptor documents is not taken for it: a task whose output cannot be fetched
   * counts until somebody has seen to it.
   */
  OptionalInt tasksMax();

  /**
   * Calls about accepted tasks per second or minute, of each worker by itself. Without it the
   * descriptor's. Whatever it is, a provider that answers 429 is left alone for as long as it says.
   */
  Optional<Rate> reads();

  /** Whether the rates that the provider documents hold where none are set here. */
  @WithDefault("true")
  boolean documented();
}
