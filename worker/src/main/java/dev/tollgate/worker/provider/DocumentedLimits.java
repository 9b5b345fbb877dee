package dev.tollgate.worker.provider;

import java.util.Optional;

/**
 * Limits that a provider's documents name, as far as they hold unless told otherwise.
 *
 * @param creates creates in a time, as {@code 600/min}
 */
public record DocumentedLimits(Optional<String> creates) {
  /** None are named. */
  public static final DocumentedLimits NONE = new DocumentedLimits(Optional.empty());
}
