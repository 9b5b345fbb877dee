/**
 * Whether a provider sent what came in.
 *
 * <p>Signatures are checked over the raw bytes, before anything parses them; a time counts only
 * where it is part of what is signed; comparisons take as long whether they fit or not, and the
 * number of signatures that one request can have checked is bounded. What cannot be checked (a
 * secret that is no secret, a key set that cannot be fetched) is told apart from a forgery: the
 * sender is asked to come again.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.signature;
