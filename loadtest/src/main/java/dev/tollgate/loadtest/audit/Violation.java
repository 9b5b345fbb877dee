package dev.tollgate.loadtest.audit;

import org.jspecify.annotations.Nullable;

/**
 * One broken rule.
 *
 * @param key the operation; absent where the rule is about the whole run
 * @param what what was seen
 */
public record Violation(Rule rule, @Nullable String key, String what) {

  /** What must hold after every run. */
  public enum Rule {
    /** One intended operation has at most one remote task. */
    ONE_TASK,
    /** Every requested key is an operation or a dead letter, and nothing else is. */
    NO_INTENT_LOST,
    /** Every remote task belongs to an operation that says so or still asks. */
    NO_TASK_LOST,
    /** A complete operation has one output row and one file with its digest; no other file lies. */
    ONE_OUTPUT,
    /** An open operation has one wake row, a finished one none. */
    NOTHING_FORGOTTEN,
    /** A remote id belongs to one operation. */
    ONE_OWNER,
    /** Each attempt but the first follows a proof, and each is one row before its one request. */
    NO_SEND_WITHOUT_PROOF,
    /** States and evidence agree, and states move along the table. */
    LEGAL_WALK,
    /** What the provider told us whole is in evidence. */
    EVIDENCE_KEPT,
    /** Every change that others must hear is published, in an order that can be. */
    EVENTS_TOLD,
    /** Chunks are stored and published without a gap, and their text is what the provider sent. */
    STREAM_WHOLE
  }

  @Override
  public String toString() {
    return rule + (key == null ? "" : " " + key) + ": " + what;
  }
}
