/**
 * Who is looked at, and when: at once where the reconcile topic says so, else when due by the
 * database's clock. The topic is a nudge that may be lost or repeated; the due times are what
 * nothing is forgotten by.
 *
 * <p>Where a provider shows a list, one list is for all: what is due is asked about together, not
 * sooner than the rest (the topic passes it over), in rounds a second apart, and each next look is
 * put to a time at which others come too. So what a look costs does not grow with the number of
 * unknowns. Where each needs a question of its own, pauses are spread instead, and the number of
 * questions under way at a provider is bounded.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.reconciler.look;
