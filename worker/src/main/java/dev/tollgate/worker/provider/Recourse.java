package dev.tollgate.worker.provider;

import java.util.Locale;

/** What a provider offers, by its own documentation, to find out what became of a create. */
public enum Recourse {
  /** The same key sent again gives the first task's answer, for as long as it promises to. */
  IDEMPOTENT_CREATE,
  /** Tasks can be looked up by a reference that the create carried. */
  LOOKUP_BY_REFERENCE,
  /** Tasks can be listed, and show the reference that the create carried. */
  ECHOED_REFERENCE,
  /** Tasks can be listed by creation time, and show what was asked for. */
  LIST_BY_TIME,
  /** The create carries an address at which the provider reports the task. */
  CALLBACK_PER_REQUEST,
  /** Nothing: a person decides. */
  NONE;

  /** The word in configurations and texts. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the provider can be asked at once: a callback is only waited for. */
  public boolean asks() {
    return this != CALLBACK_PER_REQUEST && this != NONE;
  }
}
