package dev.tollgate.worker.provider;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Limits that a provider's documents name.
 *
 * @param creates creates in a time, as {@code 600/min}
 * @param tasks most tasks at once
 */
public record DocumentedLimits(Optional<String> creates, OptionalInt tasks) {
  /** None are named. */
  public static final DocumentedLimits NONE =
      new DocumentedLimits(Optional.empty(), OptionalInt.empty());
}
