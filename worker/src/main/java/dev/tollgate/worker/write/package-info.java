/**
 * Writing changes of operations in few statements: many threads hand in one change each, one thread
 * writes them.
 *
 * <p>A change that is handed in is written, however long the database is away: its operation is
 * held by a lease meanwhile, and if that runs out the change loses its compare-and-set and leaves
 * only its evidence. What waits is bounded: while more than two full batches do, the senders hold
 * their slots until their change is written.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.write;
