package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may have been paid twice: a second task of an operation, a late success of a failed one, the
 * same bytes as another's output. Each is a piece of evidence, and so is what became of it; nothing
 * else changes. Each method is one statement and one transaction. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}.
 */
public interface Suspicions {
  /** What became of a suspicion. */
  enum Fate {
    OPEN,
    /** The extra task could not be ended: it is paid. */
    PAID,
    /** The extra task was ended, or somebody looked into it. */
    SETTLED
  }

  /**
   * A suspicion.
   *
   * @param code SUSPECTED_DUPLICATE, CONTRADICTED or DUPLICATE_OUTPUT
   * @param remoteId the task that it is about; null where it is about the output
   * @param kept the task that the operation has
   * @param price of one task, in millionths; null where nobody knows
   * @param said what became of it, in words; null while it is open
   */
  record Suspected(
      Instant at,
      OperationKey key,
      String provider,
      String state,
      String code,
      @Nullable String remoteId,
      @Nullable String kept,
      @Nullable String note,
      @Nullable Long price,
      Fate fate,
      @Nullable String said) {}

  /**
   * A task that is provably extra: our own create was answered with it, or it carries our own
   * reference; its operation has another one, on record, and nobody else has it.
   */
  record Extra(OperationKey key, String provider, String remoteId, String kept) {}

  /**
   * The newest suspicions, the newest first.
   *
   * @param provider null for all
   * @param settledToo whether those that were settled are shown
   */
  List<Suspected> list(@Nullable String provider, boolean settledToo, int most);

  /**
   * Records that an operation has another task, which carries its own reference. A repeat adds
   * nothing.
   */
  void extra(OperationKey key, String remoteId, String note);

  /**
   * Extra tasks of these providers about which nothing was decided, the oldest first.
   *
   * @param within how long ago they were noticed at most: later there is nothing left to end
   */
  List<Extra> extras(Collection<String> providers, Duration within, int most);

  /**
   * Records what became of the suspicions of an operation; of an unknown key nothing.
   *
   * @param remoteId of which task; null for all that is suspected by now
   * @param fate not {@code OPEN}
   * @param byPerson else it is the provider's word
   * @return whether there is such an operation
   */
  boolean close(
      OperationKey key, @Nullable String remoteId, Fate fate, boolean byPerson, String note);
}
