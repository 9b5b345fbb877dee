/**
 * The reconciler: finds out what became of unknown operations, turns expired leases into unknowns,
 * and tells other processes what changed.
 *
 * <p>Rooms: {@code ladder} (the steps that can be asked, and what their answers prove), {@code
 * look} (who is looked at, and when), {@code relay} (outbox and chunks to Kafka), {@code
 * generation} (what is tried anew after it failed). {@link dev.tollgate.reconciler.Reconciler}
 * wires them. Any number may run: each look is a claim with a fence of its own, and sweeps pass
 * over rows that another is busy with.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.reconciler;
