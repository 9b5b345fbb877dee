package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a person decides about one operation: a compare-and-set on what that person saw.
 *
 * @param seen the operation as it was shown
 * @param claim random id of the claim that the decision is: whoever was at the operation meanwhile
 *     is too late
 * @param what the decision
 * @param remoteId the task, for {@link What#FOUND} alone
 * @param agreed whether somebody else has to have proposed it, for {@link What#RESEND}
 * @param who whose decision it is; no colon
 * @param why the reason, for whoever reads it later
 */
public record Decision(
    OperationSummary seen,
    UUID claim,
    What what,
    @Nullable String remoteId,
    boolean agreed,
    String who,
    String why) {

  public Decision {
    if ((what == What.FOUND) != (remoteId != null)) {
      throw new IllegalArgumentException("a task is named with FOUND, and only then");
    }
    if (who.isBlank() || who.indexOf(':') >= 0 || why.isBlank()) {
      throw new IllegalArgumentException("a decision says who (without a colon) and why");
    }
  }

  /** What can be decided. */
  public enum What {
    /** The remote task is this one. */
    FOUND(Code.FOUND),
    /** No remote task exists, and none will come into being: it is sent again. */
    ABSENT(Code.ABSENT),
    /** It is over: nothing is sent, asked or fetched any more. */
    FAILED(Code.GIVEN_UP),
    /** It is sent again although an earlier attempt may have created a task. */
    RESEND(Code.RISK_ACCEPTED),
    /** It goes on where it was: looked for, followed or sent, as if nothing had been in the way. */
    AGAIN(Code.TAKEN_UP);

    private final Code code;

    What(Code code) {
      this.code = code;
    }

    public Code code() {
      return code;
    }

    /** The state that it leads to. */
    public OperationState from(OperationState state) {
      return switch (this) {
        case FOUND -> OperationState.ACCEPTED;
        case ABSENT, RESEND -> OperationState.PREPARED;
        case FAILED -> OperationState.FAILED;
        case AGAIN -> state;
      };
    }
  }

  /** What became of it. */
  public enum Outcome {
    /** It is stored. */
    STORED,
    /** The operation is no longer what was seen: look again. */
    CHANGED,
    /** A task of that id is another operation's. */
    TASK_TAKEN,
    /** Nobody else has proposed it since the operation came to be what it is. */
    NOT_AGREED,
    /** An attempt may still arrive: that no task exists cannot be known yet. */
    BEFORE_HORIZON
  }

  /** Who and why, in one sentence. */
  String note() {
    return "by %s: %s".formatted(who, why);
  }
}
