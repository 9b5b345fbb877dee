package dev.tollgate.schema.store;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the fleet may do together at one provider, and spend there. Immutable.
 *
 * @param perMinute creates per minute; absent for any number
 * @param burst most creates at once after a quiet time; of no meaning without a rate
 * @param tasksMax most remote tasks at once, counted from the claim until the outcome is final
 * @param budgets the provider's, and those of all producers
 */
public record Limits(
    OptionalLong perMinute, int burst, OptionalInt tasksMax, List<Budget> budgets) {
  private static final long MICROS_PER_MINUTE = 60_000_000L;

  public Limits {
    if (burst < 1 || perMinute.orElse(1) < 1 || tasksMax.orElse(1) < 1) {
      throw new IllegalArgumentException("limits must be at least 1");
    }
    budgets = List.copyOf(budgets);
  }

  /** How long it takes to fill an empty bucket, in microseconds, rounded up. */
  long fillMicros() {
    long rate = perMinute.orElse(1);
    return (burst * MICROS_PER_MINUTE + rate - 1) / rate;
  }
}
