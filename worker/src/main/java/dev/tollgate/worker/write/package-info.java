/**
 * Writing changes of operations in few statements: many threads hand in one change each, one thread
 * writes them.
 *
 * <p>A change that is handed in is written, however long the database is away: its operation is
 * held by a lease meanwhile, and if that runs out the change loses its compare-and-set and leaves
 * only its evidence. What is waiting is bounded by the slots of the providers, which are given back
 * when a change is written and not before.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.write;
