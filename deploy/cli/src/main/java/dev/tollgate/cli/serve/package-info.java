/**
 * A worker or a reconciler as a process: started, watched over HTTP, drained when told to end.
 *
 * <p><b>Promises.</b> SIGTERM drains; a second start of the drain changes nothing. What is printed
 * about the configuration names no credential.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.cli.serve;
