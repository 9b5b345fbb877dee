package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Forgets ended operations but for their keys. Each method is one statement and one transaction,
 * takes a bounded number of rows, waits for no other statement and may be repeated. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}.
 */
public interface Tombstones {
  /** Where an operation stands in the order in which all are gone through. */
  record Place(long seq, OperationKey key) {}

  /**
   * How long ended operations are kept whole.
   *
   * @param byProvider from their end on
   * @param otherwise of providers that are not named
   */
  record Keep(Map<String, Duration> byProvider, Duration otherwise) {
    public Keep {
      byProvider = Map.copyOf(byProvider);
    }

    /** Nothing that ended later is forgotten, whatever its provider. */
    Duration least() {
      return Stream.concat(byProvider.values().stream(), Stream.of(otherwise))
          .min(Duration::compareTo)
          .orElseThrow();
    }
  }

  /**
   * One page of operations.
   *
   * @param read how many it holds
   * @param last where the next one goes on; null for an empty one
   * @param buried those that became tombstones now
   * @param emptied those that had become tombstones before, and are still there
   */
  record Page(int read, @Nullable Place last, List<Place> buried, List<Place> emptied) {
    public Page {
      buried = List.copyOf(buried);
      emptied = List.copyOf(emptied);
    }
  }

  /**
   * Rows that one statement deleted.
   *
   * @param most of one table: at the bound, there may be more
   */
  record Cleared(int rows, int most) {}

  /**
   * Turns what ended long enough ago into tombstones, among the {@code most} operations after a
   * place; kept are those with a suspicion that nobody settled, and those that something untold is
   * about.
   *
   * @param after null for the first page
   */
  Page bury(@Nullable Place after, int most, Keep keep);

  /** Deletes what hangs on tombstones: at most {@code most} rows of each table. */
  Cleared clear(List<Place> buried, int most);

  /**
   * Deletes the operations of tombstones on which nothing hangs any more.
   *
   * @return how many there were
   */
  int remove(List<Place> buried);

  /** What the tombstone of each of these keys says, where there is one. */
  Map<OperationKey, Tombstone> read(Set<OperationKey> keys);

  /**
   * Deletes budgets whose period began longer ago, with what was to be taken off them, and the
   * records of dead-letter runs that ended longer ago.
   *
   * @param most rows of each table
   * @return how many rows there were
   */
  int forgetBooks(Duration keptFor, int most);
}
