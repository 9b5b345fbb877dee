/**
 * Every meter of worker and reconciler, declared in one catalogue, and the listeners that feed
 * them.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.metrics;
