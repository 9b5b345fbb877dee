/**
 * What a worker keeps an eye on besides its work: how much is waiting, and whether the database's
 * clock can be trusted.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.watch;
