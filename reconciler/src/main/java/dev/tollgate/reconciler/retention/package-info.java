/**
 * Forgetting: ended operations past their horizon become tombstones of their keys, and what hung on
 * them is deleted.
 *
 * <p>One process at a time goes through all operations, a page in each round, with a pause after
 * each, and begins anew some time after it came to the end. Where it stands is remembered by the
 * process alone: another one begins at the beginning, which costs reading. A round that fails is
 * repeated, since each statement may be; what a crash left half done is met again in the next pass.
 *
 * <p>Which operations may be forgotten is decided by {@link dev.tollgate.schema.store.Tombstones},
 * in the statement that buries them; how long they are kept, by {@link
 * dev.tollgate.worker.retention.Horizons}.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.reconciler.retention;
