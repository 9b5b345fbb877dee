/**
 * Intake: from records of the log to intents in the database.
 *
 * <p>For each batch that one poll returns: decode; ask the gate; one statement that stores what is
 * new; mark the gate; write dead letters and wait for the broker; only then commit the offsets.
 * Nothing slow stands between the poll and the commit: a stored intent is sent by others, later. A
 * batch that fails anywhere is handled again as a whole, which repeats nothing, since each step is
 * safe to repeat; its offsets are committed when all of it succeeded (rule 3).
 *
 * <p>A request with {@code retry_of} costs its batch one statement more: the generation before has
 * to have ended.
 *
 * <p>A request that is older than what is remembered is refused ({@code TOO_OLD}) unless its key is
 * known: a question more for a batch that holds one, and none for others.
 *
 * <p>The log's order is kept where it matters: of two records with one key the earlier decides.
 *
 * <p>One thread owns the consumer. While the database or the broker is away it keeps the consumer's
 * membership alive with its partitions paused. Partitions that are lost meanwhile are handled by
 * their new owner too; both meet the same rows.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.intake;
