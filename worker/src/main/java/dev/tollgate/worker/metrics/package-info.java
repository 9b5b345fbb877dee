/**
 * Every meter of worker and reconciler, declared in one catalogue, and the listeners that feed
 * them.
 *
 * <p><b>Promises.</b> {@link dev.tollgate.worker.metrics.Catalogue} alone makes meters, as {@link
 * dev.tollgate.worker.metrics.Meter} lists them. What is counted is counted where it happens, from
 * what is in memory; what the database knows is read by the watching loops, one statement a round.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.metrics;
