package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything a store keeps of one operation, for tests.
 *
 * @param leased whether a lease is stored, expired or not
 * @param wake what is to be done next, and in how long; absent where nothing is
 */
public record StoredOperation(
    OperationState state,
    @Nullable Code reason,
    @Nullable Code review,
    @Nullable String remoteId,
    int fence,
    @Nullable UUID claim,
    int attempts,
    int looks,
    int version,
    boolean leased,
    @Nullable Wake wake,
    List<Attempt> attemptRows,
    List<Seen> evidence,
    @Nullable StoredOutput output) {

  /** A row of {@code wake}: the role's word and the time left, negative once due. */
  public record Wake(String role, Duration in) {}

  /** One attempt at sending. */
  public record Attempt(
      int fence, UUID claim, String owner, Duration sendWithin, Duration absentAfter) {}

  /** One piece of evidence, without its id and time. */
  public record Seen(
      String source,
      Code code,
      int fence,
      @Nullable Integer status,
      @Nullable String remoteId,
      @Nullable String note) {}

  /** The role of the wake row. */
  public @Nullable String role() {
    return wake == null ? null : wake.role();
  }

  /** How many pieces of evidence have this code. */
  public long evidenceOf(Code code) {
    return evidence.stream().filter(e -> e.code() == code).count();
  }
}
