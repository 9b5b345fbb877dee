package dev.tollgate.schema.store;

/**
 * Where people's decisions are stored. Each method is one statement and one transaction, safe to
 * call from several processes at once. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}: then it may have happened or not; whoever
 * looks again sees which.
 */
public interface Reviews {
  /**
   * Stores a decision, with who and why as evidence, if the operation still is what was seen. Its
   * fence grows: an answer that comes to whoever was at it meanwhile is kept as evidence and
   * changes nothing.
   */
  Decision.Outcome settle(Decision decision);

  /**
   * Puts on record that somebody would send again, for another to agree. Changes nothing.
   *
   * @return whether the operation still is what was seen
   */
  boolean propose(Decision decision);
}
