/**
 * From an accepted task to its stored output.
 *
 * <p>Accepted operations that are due are asked about, each at a pace that slows with its age.
 * Nothing the network does, and no answer but the provider's own word, ends a task: "not found",
 * throttling, errors and words we do not know leave it accepted. Asking twice is harmless, so
 * nobody holds a lease here; the end is one compare-and-set.
 *
 * <p>What a task that succeeded made is stored by {@link dev.tollgate.worker.output.Completion}.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.follow;
