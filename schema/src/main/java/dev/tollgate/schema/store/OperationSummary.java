package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where one operation stands, for people and for tools that decide in their name.
 *
 * @param reason why it is in this state
 * @param review why a person has to decide
 * @param fence with {@code claim}: what a decision is a compare-and-set on
 * @param leaseUntil until when somebody works on it
 * @param next what happens next; absent for a finished operation
 */
public record OperationSummary(
    OperationKey key,
    String provider,
    OperationState state,
    @Nullable Code reason,
    @Nullable Code review,
    @Nullable String remoteId,
    int fence,
    @Nullable UUID claim,
    int attempts,
    int looks,
    int version,
    Instant createdAt,
    Instant changedAt,
    @Nullable Instant leaseUntil,
    @Nullable Next next) {

  /**
   * What an open operation waits for.
   *
   * @param role claim, sweep, look, follow or person
   * @param at when it is due; for a person, since when
   */
  public record Next(String role, Instant at) {}

  /** Where this operation stands in a list. */
  public OperationFilter.Cursor cursor() {
    return new OperationFilter.Cursor(changedAt, key);
  }
}
