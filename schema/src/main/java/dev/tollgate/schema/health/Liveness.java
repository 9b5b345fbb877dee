package dev.tollgate.schema.health;

/** Where a part of a process says that it cannot go on. Thread-safe. */
@FunctionalInterface
public interface Liveness {
  /**
   * Whoever watches the process is told that it is not alive any more, so that another is started
   * in its place. This cannot be taken back; of several reasons of one component the first stays.
   * Returns at once and never throws.
   *
   * @param component what cannot go on: one of a few fixed words such as {@code database-history},
   *     since it is a tag of a metric
   * @param reason one sentence for an operator, without secrets
   */
  void failed(String component, String reason);
}
