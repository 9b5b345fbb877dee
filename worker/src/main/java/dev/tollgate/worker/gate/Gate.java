package dev.tollgate.worker.gate;

import java.util.List;

/**
 * The cheap look that intake takes before the database: who is at an operation, and which are
 * durable already.
 *
 * <p>A gate never throws for anything its store does, and never waits longer than its budget. All
 * it can do is save a statement: only {@link GateAnswer#CONSUMED_SAME} may acknowledge a message,
 * every other answer leads to the database.
 *
 * <p>Implementations are thread-safe.
 */
public interface Gate extends AutoCloseable {

  /**
   * Claims each key for this process, or says what stands in the way.
   *
   * <p>A key that stands twice in the list is claimed by its first place and answers {@link
   * GateAnswer#OWN} at the next.
   *
   * @return one answer for each key, in the same order
   */
  List<GateAnswer> ask(List<GateKey> keys);

  /**
   * Reads again, without claiming, what was {@link GateAnswer#HELD} before. A key whose entry has
   * gone meanwhile answers {@link GateAnswer#UNAVAILABLE}: nobody is known to be at it, so the
   * database decides.
   *
   * @return one answer for each key, in the same order; never {@link GateAnswer#ACQUIRED}
   */
  List<GateAnswer> look(List<GateKey> keys);

  /**
   * Marks operations as durable. To be called only after the database has committed, and only with
   * keys whose stored operation carries exactly this request hash: a later message that matches
   * both is acknowledged on this mark alone. What fails is counted and otherwise ignored; the next
   * copy is then decided by the database.
   */
  void consumed(List<GateKey> keys);

  /**
   * Takes back this process's own claims after a failed intake. Entries of other owners, and marks
   * of durable operations, stay. It is right to pass every key of the failed batch, whatever the
   * gate answered: a claim may have been stored though its answer was lost. What fails is counted
   * and otherwise ignored; the claim then ends with its time to live.
   */
  void release(List<GateKey> keys);

  /** Gives back connections. Later calls answer as if the store were away. */
  @Override
  void close();
}
