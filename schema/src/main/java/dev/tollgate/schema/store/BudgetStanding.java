package dev.tollgate.schema.store;

import java.time.LocalDate;

/**
 * How a budget stands in the period under way.
 *
 * @param period its first day, in UTC
 * @param booked in millionths, for operations that were sent or are being sent
 */
public record BudgetStanding(Budget budget, LocalDate period, long booked) {

  /** What is left, in millionths; negative where less is allowed than was when it was booked. */
  public long left() {
    return budget.micros() - booked;
  }
}
