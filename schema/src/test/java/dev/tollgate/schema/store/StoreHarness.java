package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the contract needs of a store under test besides {@link OperationStore} itself: a look at
 * what it keeps, and a hand on its clock.
 */
public interface StoreHarness extends AutoCloseable {
  OperationStore store();

  /** The store as another process of the fleet has it, over the same data. */
  OperationStore another();

  /** Forgets everything. */
  void reset();

  /** Every lease, duty and due time that is set now lies in the past, by a second. */
  void letTimePass();

  /** The last change of an operation's state lies that much further in the past. */
  void age(OperationKey key, Duration by);

  /** How many leases are kept, live or over. */
  int leases();

  /** How many operations are in a state. */
  int count(OperationState state);

  Optional<StoredOperation> read(OperationKey key);

  /** What is kept and should not be, one sentence each; empty where all is well. */
  List<String> broken();

  /** What is kept of an operation that must be there. */
  default StoredOperation get(OperationKey key) {
    return read(key).orElseThrow(() -> new AssertionError(key + " is not stored"));
  }

  @Override
  void close();
}
