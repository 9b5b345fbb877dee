package dev.tollgate.worker.output;

/** Hears of outputs. Called by many threads; must not block or throw. */
public interface OutputListener {
  /** An output was stored. */
  default void stored(String provider, long bytes) {}
}
