/**
 * Who is looked at, and when: at once where the reconcile topic says so, else when due by the
 * database's clock. The topic is a nudge that may be lost or repeated; the due times are what
 * nothing is forgotten by.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.reconciler.look;
