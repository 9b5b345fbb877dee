package dev.tollgate.schema.store;

import java.util.List;

/**
 * What a claim under limits got.
 *
 * @param claims the right to send each of these once
 * @param drained whether the limits allowed more than was due: nothing waits any more
 */
public record Grant(List<Claim> claims, boolean drained) {
  public Grant {
    claims = List.copyOf(claims);
  }
}
