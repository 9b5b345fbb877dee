/**
 * From an accepted task to its stored output.
 *
 * <p>Accepted operations that are due are asked about, each at a pace that slows with its age.
 * Nothing the network does, and no answer but the provider's own word, ends a task: "not found",
 * throttling, errors and words we do not know leave it accepted. Asking twice is harmless, so
 * nobody holds a lease here; the end is one compare-and-set.
 *
 * <p>An output is written to a temporary file, checked for length and digest, and put in its place
 * by a link that fails where something is there already: however many handlers finish, there is one
 * final object.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.follow;
