package dev.tollgate.worker.follow;

import dev.tollgate.schema.config.Rate;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.worker.provider.StatusResult;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * What of one provider's tasks is under way in this process, and how much more may be: so many
 * calls at once, as many in a time as its documents allow, none for as long as it asked for peace.
 * Outputs are fetched apart, so that slow ones hold up no question. {@link #callsNow} and {@link
 * #call} are confined to the follower's thread; the rest is thread-safe.
 */
final class FollowLane {
  /** Outputs that wait for their turn, for each that is fetched: some minutes' worth. */
  private static final int WAITING_PER_FETCH = 32;

  /** A provider that says nothing about how long is asked twice as seldom each time. */
  private static final Duration PAUSE_MAX = Duration.ofMinutes(5);

  private final Semaphore calls;
  private final Semaphore fetches;
  private final int waitingMax;
  private final Set<OperationKey> underWay = ConcurrentHashMap.newKeySet();
  private final Optional<Rate> rate;
  private final LongSupplier nanoTime;

  /** When the next call may be made if all were evenly spaced; the follower's thread's own. */
  private long evenly;

  private long pausedUntil;
  private int throttledInARow;

  /**
   * @param rate calls in a time that the documents allow
   */
  FollowLane(int calls, int fetches, Optional<Rate> rate, LongSupplier nanoTime) {
    this.calls = new Semaphore(calls);
    this.fetches = new Semaphore(fetches);
    this.waitingMax = fetches * WAITING_PER_FETCH;
    this.rate = rate;
    this.nanoTime = nanoTime;
    this.evenly = nanoTime.getAsLong();
    this.pausedUntil = evenly;
  }

  /** How many calls may be made now. */
  int callsNow() {
    long now = nanoTime.getAsLong();
    synchronized (this) {
      if (now - pausedUntil < 0) {
        return 0;
      }
    }
    int free = calls.availablePermits();
    if (rate.isEmpty()) {
      return free;
    }
    // what was not used is not saved up, beyond a second of it
    evenly = Math.max(evenly, now - Duration.ofSeconds(1).toNanos());
    return Math.clamp((now - evenly) / apart(rate.get()), 0, free);
  }

  private static long apart(Rate rate) {
    return Duration.ofMinutes(1).toNanos() / rate.perMinute();
  }

  /** A call begins. Never waits, since no more are made than there may be now. */
  void call() {
    calls.acquireUninterruptibly();
    rate.ifPresent(some -> evenly += apart(some));
  }

  void called() {
    calls.release();
  }

  /** Takes note of whether the provider wants to be left alone. */
  synchronized void heard(Collection<StatusResult> results) {
    Optional<Duration> asked =
        results.stream()
            .filter(StatusResult.Throttled.class::isInstance)
            .map(result -> ((StatusResult.Throttled) result).retryAfter())
            .max(Duration::compareTo);
    if (asked.isEmpty()) {
      throttledInARow = results.isEmpty() ? throttledInARow : 0;
      return;
    }
    throttledInARow = Math.min(throttledInARow + 1, 16);
    Duration doubled = Duration.ofMillis(500).multipliedBy(1L << throttledInARow);
    Duration least = doubled.compareTo(PAUSE_MAX) < 0 ? doubled : PAUSE_MAX;
    Duration pause = asked.get().compareTo(least) > 0 ? asked.get() : least;
    long until = nanoTime.getAsLong() + pause.toNanos();
    pausedUntil = until - pausedUntil > 0 ? until : pausedUntil;
  }

  /** Whether a task was not under way, and is now. */
  boolean take(OperationKey key) {
    return underWay.add(key);
  }

  void done(OperationKey key) {
    underWay.remove(key);
  }

  /** Whether one more output may wait for its turn. */
  boolean mayWait() {
    return fetches.getQueueLength() < waitingMax;
  }

  /** Waits for the turn of an output. */
  void fetch() {
    fetches.acquireUninterruptibly();
  }

  void fetched() {
    fetches.release();
  }
}
