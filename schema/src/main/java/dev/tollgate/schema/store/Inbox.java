package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What providers report by themselves. An event is stored before it is acknowledged, once for its
 * id however often it comes, and then told apart: to which operation it belongs, and whom it has to
 * wake. Each method is one statement and one transaction. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}: then it may have happened or not, and may be
 * repeated.
 */
public interface Inbox {
  /**
   * Most events of one operation, or of one task for which no address names an operation: who has
   * the address, or the secret, can make any number. Events that come at once may be a few more.
   */
  int EVENTS_MAX = 200;

  /** Stores an event that is new, unless there are too many; counts one that is not. */
  Receipt receive(Event event);

  /**
   * Takes events that are due, for {@code lease}: after that they are due again. What belongs to an
   * operation becomes its evidence, once; an accepted operation is asked about now, unless all that
   * is said is that its task goes on.
   */
  List<Taken> take(int limit, Duration lease);

  /** Ends these events: whom they concern knows. */
  void done(List<Id> ids);

  /**
   * Puts events off that belong to no operation yet, or to one that is being sent: each for longer
   * the more often it was put off.
   *
   * @param giveUpAfter events that are older are not looked at again
   * @return those
   */
  List<Id> later(List<Id> ids, Pauses pauses, Duration giveUpAfter);

  /**
   * Forgets events that whom they concern knows of, or that were given up, the oldest first. One
   * that comes again afterwards is new; that it is evidence once does not change.
   *
   * @param most rows of one statement
   * @param keptFor how long ago they came, at least
   * @return how many there were: {@code most} where there may be others
   */
  int forget(int most, Duration keptFor);

  /**
   * How long events are put off.
   *
   * @param first doubled with each time
   * @param most at most that long
   * @param mostForeign at most that long where neither an address nor a task that is known names an
   *     operation: it may be somebody else's on the same account. Whoever makes the task known
   *     makes it due.
   */
  record Pauses(Duration first, Duration most, Duration mostForeign) {}

  /** One event, as a provider names it. */
  record Id(String provider, String event) {}

  /**
   * An event whose sender is known to be the provider.
   *
   * @param operation what its address names, for a callback
   * @param reference the submission key that it names; found where its provider's events do so by
   *     {@link Terms#EVENT_REFERENCE} since before the operation was taken in
   * @param remoteId the task that it is about
   * @param word the provider's word for the task's state, mapped; absent where it is not known
   * @param sha256 digest of the whole body
   * @param body raw, capped and redacted
   * @param truncated whether the body was cut to the cap
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Event(
      Id id,
      @Nullable OperationKey operation,
      byte @Nullable [] reference,
      @Nullable String remoteId,
      @Nullable String word,
      byte[] sha256,
      @Nullable String headers,
      byte[] body,
      boolean truncated) {

    /** An event that does not name a submission key. */
    public Event(
        Id id,
        @Nullable OperationKey operation,
        @Nullable String remoteId,
        @Nullable String word,
        byte[] sha256,
        @Nullable String headers,
        byte[] body,
        boolean truncated) {
      this(id, operation, null, remoteId, word, sha256, headers, body, truncated);
    }
  }

  /** What became of an event that came. */
  enum Receipt {
    NEW,
    /** It was here before, with the same bytes. */
    KNOWN,
    /** It was here before, with other bytes; the first stay. */
    ALTERED,
    /** It is not stored: there are {@link #EVENTS_MAX} others. */
    TOO_MANY
  }

  /**
   * An event to be told apart.
   *
   * @param operation to which it belongs; absent where none is known
   * @param standing how that operation stands
   */
  record Taken(
      Id id,
      @Nullable String remoteId,
      @Nullable String word,
      @Nullable OperationKey operation,
      @Nullable Standing standing) {}

  /**
   * How an operation stands.
   *
   * @param state its state's word
   * @param remoteId its own remote task
   * @param woken whether an accepted one is asked about now, or has no need to be
   */
  record Standing(String state, @Nullable String remoteId, boolean woken) {}
}
