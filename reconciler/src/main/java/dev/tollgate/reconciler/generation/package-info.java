/**
 * New generations by policy: after a failure that the configuration names, the next generation of
 * the output is asked for, as a producer would ask.
 *
 * <p>What fails is noted in a row of its own before the outbox row that tells of it is deleted, and
 * the row is deleted when the broker has acknowledged the request, or it was decided against. A
 * reconciler that dies anywhere in between does one of the two again: noting what is noted changes
 * nothing, and a request that comes twice is one operation, since its key follows from the failed
 * one's. No claim, no fence and no duty is needed, and none of the rest knows of this room ({@code
 * reconciler/docs/adr/0002-generations.md}).
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.reconciler.generation;
