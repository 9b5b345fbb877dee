package dev.tollgate.worker.write;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Change;
import java.time.Duration;

/** Hears what became of changes. Called by the writer's thread; must not block or throw. */
public interface WriteListener {
  /** The change is stored. */
  default void applied(Change change) {}

  /** Another claim is the newest: the change is dropped, its evidence is stored. */
  default void stale(Change change) {}

  /** Evidence names a remote task that the operation, settled already, does not have. */
  default void suspectedDuplicate(Change change) {}

  /** The output that the change stored has the same bytes as another operation's. */
  default void duplicateOutput(Change change, OperationKey other) {}

  /**
   * The change breaks a rule and was not stored: a defect, and its operation is left to the sweep.
   */
  default void refused(Change change, RuntimeException why) {}

  /** One statement stored a batch. */
  default void wrote(int changes, Duration took) {}
}
