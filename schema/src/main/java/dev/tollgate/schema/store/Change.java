package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.state.Transition;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A compare-and-set on one operation: from an expected state under an expected claim, with the
 * evidence for it. Building one that the transition table does not hold is a bug and throws at
 * once.
 *
 * @param seq where its rows lie: the offset of the record that brought it
 * @param reason why; stored with the state
 * @param review why a person has to decide; no process touches the operation by itself then
 * @param remoteId the provider's id, where it became known; becomes the operation's own with {@code
 *     accepted} or {@code failed} only, and never replaces another
 * @param wakeAfter when to look at the operation again, from now by the database's clock; ignored
 *     for final states and where a person decides
 * @param output the stored output, for {@code complete} only
 */
public record Change(
    OperationKey key,
    long seq,
    String provider,
    int fence,
    UUID claim,
    OperationState from,
    OperationState to,
    Code reason,
    @Nullable Code review,
    @Nullable String remoteId,
    Duration wakeAfter,
    @Nullable StoredOutput output,
    Evidence evidence) {

  public Change {
    boolean staysUnknown = from == OperationState.UNKNOWN && to == OperationState.UNKNOWN;
    boolean staysAccepted = from == OperationState.ACCEPTED && to == OperationState.ACCEPTED;
    if (!staysUnknown && !staysAccepted && !Transition.allowed(from, to, reason)) {
      throw new IllegalArgumentException(
          "%s may not go from %s to %s because of %s".formatted(key, from, to, reason));
    }
    if ((to == OperationState.COMPLETE) != (output != null)) {
      throw new IllegalArgumentException(
          key + ": an output is stored with `complete`, and only then");
    }
  }

  /** The same, with another time to look at the operation again. */
  public Change wakingAfter(Duration other) {
    return new Change(
        key, seq, provider, fence, claim, from, to, reason, review, remoteId, other, output,
        evidence);
  }

  /** A change of an operation that is being sent. */
  public static Change ofSend(
      Claim claim,
      OperationState to,
      Code reason,
      @Nullable Code review,
      @Nullable String remoteId,
      Duration wakeAfter,
      Evidence evidence) {
    return new Change(
        claim.key(),
        claim.seq(),
        claim.provider(),
        claim.fence(),
        claim.claim(),
        OperationState.SENDING,
        to,
        reason,
        review,
        remoteId,
        wakeAfter,
        null,
        evidence);
  }

  /** A change of an operation whose fate is being looked for. */
  public static Change ofLook(
      Look look,
      OperationState to,
      Code reason,
      @Nullable Code review,
      @Nullable String remoteId,
      Duration wakeAfter,
      Evidence evidence) {
    return new Change(
        look.key(),
        look.seq(),
        look.provider(),
        look.fence(),
        look.claim(),
        OperationState.UNKNOWN,
        to,
        reason,
        review,
        remoteId,
        wakeAfter,
        null,
        evidence);
  }

  /** A change of an operation whose remote task is being followed. */
  public static Change ofFollow(
      Follow follow,
      OperationState to,
      Code reason,
      @Nullable Code review,
      @Nullable StoredOutput output,
      Duration wakeAfter,
      Evidence evidence) {
    return new Change(
        follow.key(),
        follow.seq(),
        follow.provider(),
        follow.fence(),
        follow.claim(),
        OperationState.ACCEPTED,
        to,
        reason,
        review,
        null,
        wakeAfter,
        output,
        evidence);
  }
}
