package dev.tollgate.worker.intake;

import java.util.OptionalLong;

/** What an operation costs. Called for every intent, so it must be quick; thread-safe. */
@FunctionalInterface
public interface Pricing {
  /**
   * The price in millionths of the configured currency, or nothing where it is not known.
   *
   * @param params canonical JSON as UTF-8; not to be changed
   */
  OptionalLong micros(String provider, byte[] params);
}
