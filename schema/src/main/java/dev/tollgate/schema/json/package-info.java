/**
 * JSON as the contract reads and writes it: strict on the way in, one canonical form on the way
 * out.
 *
 * <p>Reading refuses what would let two readers see two documents: bytes that are not UTF-8, a byte
 * order mark, duplicate names, lone surrogates and noncharacters, numbers that a double cannot tell
 * from their neighbour, and everything past the limits. Writing follows RFC 8785.
 *
 * <p>The number form comes from {@code java-json-canonicalization}; its parser is not used, since
 * it turns a lone surrogate into a question mark, accepts leading zeros, folds {@code
 * 9007199254740993} silently and recurses without a bound.
 */
@NullMarked
package dev.tollgate.schema.json;

import org.jspecify.annotations.NullMarked;
