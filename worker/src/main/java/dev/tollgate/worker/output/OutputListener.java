package dev.tollgate.worker.output;

import dev.tollgate.schema.Code;

/** Hears of outputs. Called by many threads; must not block or throw. */
public interface OutputListener {
  /** An output was stored. */
  default void stored(String provider, long bytes) {}

  /** An output was gone or invalid: it is tried again, or a person decides. */
  default void trouble(String provider, Code code, boolean forAPerson) {}
}
