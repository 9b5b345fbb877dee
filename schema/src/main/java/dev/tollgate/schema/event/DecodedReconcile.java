package dev.tollgate.schema.event;

/** What a record of the reconcile topic turned out to be: {@link Reconcile} or {@link Refused}. */
public sealed interface DecodedReconcile permits DecodedReconcile.Reconcile, Refused {

  /** A reconcile event. */
  record Reconcile(ReconcileEvent event) implements DecodedReconcile {}
}
