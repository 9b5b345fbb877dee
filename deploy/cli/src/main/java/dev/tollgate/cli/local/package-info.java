/**
 * Tollgate on one machine: a configuration for local servers and the sandbox, and its processes as
 * children of this one.
 *
 * <p><b>Promises.</b> No child outlives this process, however it ends ({@link
 * dev.tollgate.embedded.Leash}). A child that is killed or frozen is so by its own process id.
 *
 * <p><b>When things fail.</b> A child that does not start or ends by itself is named with the last
 * lines of its log.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.cli.local;
