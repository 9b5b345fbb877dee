package dev.tollgate.schema.state;

import static dev.tollgate.schema.state.OperationState.ACCEPTED;
import static dev.tollgate.schema.state.OperationState.COMPLETE;
import static dev.tollgate.schema.state.OperationState.FAILED;
import static dev.tollgate.schema.state.OperationState.PREPARED;
import static dev.tollgate.schema.state.OperationState.SENDING;
import static dev.tollgate.schema.state.OperationState.UNKNOWN;

import dev.tollgate.schema.Code;
import java.util.EnumSet;
import java.util.Set;

/**
 * The one table of transitions. Whatever is not a row here does not happen: the store refuses to
 * build such a change, and the database refuses to store it.
 *
 * <p>A row with codes is open only to a change that gives one of them as its reason: that is how
 * rules 5 and 6 are held. What was sent again while an earlier attempt is unresolved, under a
 * promise or because somebody accepted the risk, goes on to {@code accepted} or {@code unknown}
 * alone; the database knows that, and refuses the rest.
 */
public enum Transition {
  CLAIM(PREPARED, SENDING),
  REFUSE(PREPARED, FAILED),
  ACCEPT(SENDING, ACCEPTED),
  REJECT(SENDING, FAILED),
  LOSE(SENDING, UNKNOWN),
  /** Rule 5: only what provably created nothing goes back. */
  RETURN(SENDING, PREPARED, Code.NOT_SENT, Code.PROVIDER_THROTTLED, Code.ACCOUNT_REFUSED),
  FIND(UNKNOWN, ACCEPTED),
  GIVE_UP(UNKNOWN, FAILED),
  /**
   * Rule 6: only with proof that no task exists, under a documented promise, or because whoever
   * pays decided to risk a second payment.
   */
  RESEND(UNKNOWN, PREPARED, Code.ABSENT, Code.PROTECTED_RESEND, Code.RISK_ACCEPTED),
  /**
   * A person confirms a task that was reported when the operation already waited to be sent again.
   */
  CONFIRM(PREPARED, ACCEPTED, Code.FOUND),
  COMPLETE_OUTPUT(ACCEPTED, COMPLETE),
  END(ACCEPTED, FAILED);

  private final OperationState from;
  private final OperationState to;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of cannot be changed
  private final Set<Code> reasons;

  Transition(OperationState from, OperationState to, Code... reasons) {
    this.from = from;
    this.to = to;
    this.reasons = Set.of(reasons);
  }

  public OperationState from() {
    return from;
  }

  public OperationState to() {
    return to;
  }

  /** The reasons that open this row; empty where any reason does. */
  public Set<Code> reasons() {
    return reasons;
  }

  /** Whether a change between these states with this reason is a row of the table. */
  public static boolean allowed(OperationState from, OperationState to, Code reason) {
    return EnumSet.allOf(Transition.class).stream()
        .anyMatch(
            row ->
                row.from == from
                    && row.to == to
                    && (row.reasons.isEmpty() || row.reasons.contains(reason)));
  }
}
