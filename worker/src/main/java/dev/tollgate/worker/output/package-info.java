/**
 * From a task that succeeded to one final object.
 *
 * <p><b>Model.</b> {@link dev.tollgate.worker.output.Completion} takes a succeeded task through
 * five steps: look whether its output lies at its place already; fetch it into a file of its own
 * ({@link dev.tollgate.worker.output.Scratch}); look into its head ({@code MediaProbe}); put it at
 * its place ({@link dev.tollgate.worker.output.OutputStore}); write {@code complete} with its
 * address. The place follows from the operation key alone ({@code Place}).
 *
 * <p><b>Invariants.</b> Nothing gets to a place before its length, its digest and its head were
 * looked at. Nothing that lies at a place is replaced, but an object that was damaged as it was
 * stored, and that under the condition that it is still that object. What is reported as stored was
 * confirmed by the store, or read back. Nobody holds a lease here: every step may be done twice, at
 * once or later, by anybody, and the last one is a compare-and-set.
 *
 * <p><b>Failures.</b> A process that dies leaves a file in the scratch folder, which is swept when
 * it is old, or parts of an upload, which the bucket's own rule has to drop. A store that is away
 * or slow: the operation stays {@code accepted} and the same is tried again; it is never a reason
 * for another task. What is not the output, or is gone at the provider, is on record a few times,
 * further and further apart; then a person decides. See {@code docs/adr/0006-outputs.md}.
 *
 * <p>Only this package knows what an object store is.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.output;
