/**
 * What every process agrees on: operation keys, events, states and their transitions, and the
 * store.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.schema;
