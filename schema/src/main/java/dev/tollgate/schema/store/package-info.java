/**
 * The operation store: every statement that reads or changes an operation, each taking a batch and
 * being one statement.
 *
 * <p><b>Model.</b> An operation is a row of {@code operation}; whoever may change it holds its
 * newest claim, which is a fence (grows by one with each claim) and a random claim id (tells apart
 * two claims to which a lossy failover gave one fence). Each change of state is a compare-and-set
 * on (key, fence, claim, expected state), see {@link
 * dev.tollgate.schema.store.OperationStore#apply}. A change that meets another claim does nothing
 * but leave its evidence.
 *
 * <p><b>Time.</b> Leases, due times and horizons are computed by the database's clock in the
 * statement that stores them. Nothing here takes an instant from a process.
 *
 * <p><b>Locks.</b> Every statement locks rows of {@code operation} before rows of {@code wake}, in
 * the order of their keys or with {@code SKIP LOCKED}, so no two of them can wait for each other in
 * a circle. Rows of {@code allowance} and {@code budget} are locked before them, and never waited
 * for. Rows of {@code lease} come last, in the order of their keys; the sweep takes them first and
 * waits for nothing it meets after them.
 *
 * <p><b>Plans.</b> Connections of the hot path switch sequential scans, hash joins and merge joins
 * off: a batch statement that is planned once while its table is small would otherwise keep a plan
 * that scans the table for ever. For the same reason no statement joins two of its own intermediate
 * results; what a later step needs is carried in {@code RETURNING}. A plan that reads a whole index
 * instead is no better: a test settles every statement's plan on empty tables, fills them, and
 * counts what each call reads. People's reading ({@link dev.tollgate.schema.store.OperationReader})
 * has connections of its own, where the server chooses.
 *
 * <p><b>When it fails.</b> Each statement is a transaction of its own. Where its answer is lost
 * nobody knows whether it committed; every statement is therefore safe to repeat, or has a
 * companion that re-reads what it did by (key, fence, claim). {@link
 * dev.tollgate.schema.store.StoreUnavailable} says that repeating makes sense.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.schema.store;
