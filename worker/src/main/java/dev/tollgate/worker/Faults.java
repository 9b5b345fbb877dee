package dev.tollgate.worker;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is wrong with the configuration of one provider, gathered so that one start tells all of it.
 * Confined.
 */
final class Faults {
  private final String provider;
  private final List<String> all;
  private int found;

  /**
   * @param all gets each fault, with the provider's name before it
   */
  Faults(String provider, List<String> all) {
    this.provider = provider;
    this.all = all;
  }

  void add(String fault) {
    found++;
    all.add("provider " + provider + ": " + fault);
  }

  /** What a step comes to; none, and a fault for each line of its message, if it refuses. */
  <T> Optional<T> attempt(Supplier<T> step) {
    try {
      return Optional.of(step.get());
    } catch (IllegalArgumentException | UncheckedIOException e) {
      String.valueOf(e.getMessage()).lines().forEach(this::add);
      return Optional.empty();
    }
  }

  boolean none() {
    return found == 0;
  }
}
