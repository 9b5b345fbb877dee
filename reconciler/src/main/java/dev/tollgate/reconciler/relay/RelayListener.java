package dev.tollgate.reconciler.relay;

import dev.tollgate.schema.store.Ending;
import dev.tollgate.schema.store.OutboxRow;

/** Hears of what was published. Called by the relay's thread; must not block or throw. */
@FunctionalInterface
public interface RelayListener {
  /** Events were acknowledged by the broker and forgotten. */
  void relayed(int events);

  /**
   * The event of an operation that ended, or whose task was found, was among them. Heard again if
   * this process died before the event was forgotten.
   *
   * @param stored what is stored about it; without output or reason where it goes on
   */
  default void told(OutboxRow row, Ending stored) {}
}
