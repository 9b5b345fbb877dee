/**
 * The house rules as tests: who may depend on whom, who may call what, and what no file may hold.
 * Each rule is tried on {@code seeded}, a small tree that breaks every one of them, so that a rule
 * which can no longer fail is noticed.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.cli.house;
