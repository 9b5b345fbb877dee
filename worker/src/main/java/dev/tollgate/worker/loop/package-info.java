/** Threads that repeat one step until they are closed. */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.loop;
