/**
 * The demonstration: many operations against a provider that misbehaves, workers killed and frozen
 * meanwhile, and at the end the books of both sides held against each other.
 *
 * <p><b>What it owns.</b> {@link dev.tollgate.loadtest.demo.Workload} (what is asked for, and in
 * which order it is said), {@link dev.tollgate.loadtest.demo.Chaos} (what happens to workers),
 * {@link dev.tollgate.loadtest.demo.Demo} (the run), {@link dev.tollgate.loadtest.demo.Outcome}
 * (what came of it). Who starts processes implements {@link dev.tollgate.loadtest.demo.Fleet}.
 *
 * <p><b>Model.</b> Publish, wait until nothing is under way, stop every process, audit. Quiet
 * means: each requested key is a row or a dead letter, no message waits, no event waits in the
 * outbox, and every operation is finished or waits for a person.
 *
 * <p><b>Seeds.</b> The same seed asks for the same operations in the same order, makes the provider
 * misbehave alike, and plans the same strikes; what a strike hits depends on the machine.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.loadtest.demo;
