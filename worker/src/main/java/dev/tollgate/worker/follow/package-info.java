/**
 * From an accepted task to its stored output.
 *
 * <p>Accepted operations that are due are asked about, each at a pace that slows with its age.
 * Nothing the network does, and no answer but the provider's own word, ends a task: "not found",
 * throttling, errors and words we do not know leave it accepted. Asking twice is harmless, so
 * nobody holds a lease here; the end is one compare-and-set.
 *
 * <p>Each statement takes what is due at one provider, up to thousands, and each call asks about as
 * many tasks as the provider takes. 100,000 tasks that are each asked about every 10 seconds cost
 * 10,000 answers, 100 calls and 7 statements a second, and 0.26 of one core, database and the
 * provider's half of the calls included ({@code FollowBench} in the tests prints it anew).
 *
 * <p>What a task that succeeded made is stored by {@link dev.tollgate.worker.output.Completion}.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.follow;
