/**
 * How much waits, for what, and for how long: the numbers by which an operator sees that something
 * does not go on. They come from the database and not from what a process remembers, so they are
 * right after a restart, and each reconciler tells the same.
 */
@NullMarked
package dev.tollgate.reconciler.watch;

import org.jspecify.annotations.NullMarked;
