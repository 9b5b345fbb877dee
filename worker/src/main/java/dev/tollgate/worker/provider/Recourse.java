package dev.tollgate.worker.provider;

/** What a provider offers, by its own documentation, to find out what became of a create. */
public enum Recourse {
  /** The same key sent again gives the first task's answer, for as long as it promises to. */
  IDEMPOTENT_CREATE,
  /** Tasks can be looked up by a reference that the create carried. */
  LOOKUP_BY_REFERENCE,
  /** Tasks can be listed by creation time. */
  LIST_BY_TIME,
  /** Nothing: a person decides. */
  NONE
}
