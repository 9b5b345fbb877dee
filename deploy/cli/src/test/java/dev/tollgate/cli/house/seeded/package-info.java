/** Breaks every rule of the house once. */
@org.jspecify.annotations.NullMarked
package dev.tollgate.cli.house.seeded;
