package dev.tollgate.worker.provider;

import dev.tollgate.schema.config.Rate;
import java.util.Optional;

/**
 * Limits that a provider's documents name, as far as they hold unless told otherwise.
 *
 * @param creates creates in a time, as {@code 600/min}
 * @param reads calls about tasks in a time
 */
public record DocumentedLimits(Optional<String> creates, Optional<Rate> reads) {
  /** None are named. */
  public static final DocumentedLimits NONE =
      new DocumentedLimits(Optional.empty(), Optional.empty());
}
