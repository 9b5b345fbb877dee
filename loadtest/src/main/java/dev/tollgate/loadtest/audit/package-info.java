/**
 * Counts what a run did, from what cannot be wrong about it: the provider's own ledger, the
 * database, the topics and the output files. The workers' logs and metrics are not asked.
 *
 * <p><b>What it owns.</b> {@link dev.tollgate.loadtest.audit.FactsReader} reads everything once;
 * {@link dev.tollgate.loadtest.audit.Audit} is pure and turns {@link
 * dev.tollgate.loadtest.audit.Facts} into a {@link dev.tollgate.loadtest.audit.Report}: counts, and
 * every broken rule with the key that breaks it.
 *
 * <p><b>When it may run.</b> When the run is quiet: a task that is made between two readings looks
 * like one that nobody owns.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.loadtest.audit;
