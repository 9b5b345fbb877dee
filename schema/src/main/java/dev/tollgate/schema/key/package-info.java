/**
 * What names an intended output, and what tells one set of parameters from another.
 *
 * <p>An {@link OperationKey} is the SHA-256 of the canonical form of {@link Dimensions}: it says
 * which output is wanted. A {@link RequestHash} is the SHA-256 of the provider and its {@link
 * Params}: it says how it was asked for. One key with two hashes is a contradiction, and the first
 * request wins.
 *
 * <p>Both can be computed in any language: NFC, a few rules on text, and RFC 8785 canonical JSON.
 * The resources {@code vectors/keys.json} and {@code vectors/request-hashes.json} hold inputs with
 * their canonical forms and results.
 *
 * <p>Everything here is immutable and does no input or output. What is refused, is refused with
 * {@link dev.tollgate.schema.RefusedException}.
 */
@NullMarked
package dev.tollgate.schema.key;

import org.jspecify.annotations.NullMarked;
