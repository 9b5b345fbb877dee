package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.NextGeneration;
import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Failed operations whose next generation the policy may ask for. Each method is one statement and
 * one transaction. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}: then it may have happened or not, and may be
 * repeated.
 */
public interface Regenerations {
  /**
   * Notes failed operations, each to be decided on after a pause. One that is noted already stays
   * as it is.
   */
  void note(Map<OperationKey, Duration> pauses);

  /**
   * Takes those that are due, for {@code lease}: after that they are due again. A note of what is
   * not stored, or has not failed, is dropped.
   */
  List<Due> take(int limit, Duration lease);

  /** Forgets these: their next generation was asked for, or is not to be. */
  void done(Collection<OperationKey> keys);

  /**
   * A failed operation that is to be decided on.
   *
   * @param earlier what was asked for
   * @param reason why it failed
   * @param why the sentence of the evidence that it failed with; absent where there is none
   * @param doubt what its evidence says that makes it no plain failure: a task may exist, or have
   *     existed, that nobody accounts for, or the provider told of an output before; absent where
   *     there is nothing
   * @param now the database's time
   */
  record Due(
      NextGeneration.Earlier earlier,
      @Nullable Code reason,
      @Nullable String why,
      @Nullable Code doubt,
      Instant now) {}
}
