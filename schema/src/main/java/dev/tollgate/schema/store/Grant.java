package dev.tollgate.schema.store;

import java.util.List;

/**
 * What a claim under limits got.
 *
 * @param claims the right to send each of these once
 * @param waiting how many were put off because of a budget
 * @param refused how many ended because of a budget
 * @param drained whether the limits allowed more than was due: nothing waits any more
 */
public record Grant(List<Claim> claims, int waiting, int refused, boolean drained) {
  public Grant {
    claims = List.copyOf(claims);
  }

  /** Whether budgets decided about some of what was due: others may be behind them. */
  public boolean decidedSome() {
    return waiting + refused > 0;
  }
}
