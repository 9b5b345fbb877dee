package dev.tollgate.worker.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a dead Redis from slowing each batch: after a failure the gate is skipped for a pause, then
 * one batch probes. A probe that succeeds closes the breaker, one that fails doubles the pause up
 * to a bound.
 *
 * <p>A pure state machine over a monotonic clock: it does no I/O and starts no timer. Thread-safe.
 */
public final class GateBreaker {

  /** Whether Redis is asked. */
  public enum State {
    /** Every batch asks. */
    CLOSED,
    /** No batch asks until the pause ends. */
    OPEN,
    /** One batch asks, the others wait for what it finds. */
    PROBING
  }

  /**
   * The right to ask once, and to report how it went. A report counts only in the state that gave
   * the right: of many batches that fail together one opens the breaker, and a batch that was under
   * way before cannot close it.
   */
  public static final class Permit {
    private final long epoch;

    private Permit(long epoch) {
      this.epoch = epoch;
    }
  }

  private final long firstPauseNanos;
  private final long maxPauseNanos;
  private final LongSupplier nanoTime;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private State state = State.CLOSED;

  /** Grows with each change of state. */
  @GuardedBy("lock")
  private long epoch;

  @GuardedBy("lock")
  private long pauseNanos;

  /** In OPEN the end of the pause; in PROBING the moment after which the probe counts as lost. */
  @GuardedBy("lock")
  private long untilNanos;

  /**
   * @param firstPause how long the gate is skipped after a first failure
   * @param maxPause the longest pause; also how long a probe may stay without a report before
   *     another is let through
   * @param nanoTime a monotonic clock, as {@link System#nanoTime()}
   */
  public GateBreaker(Duration firstPause, Duration maxPause, LongSupplier nanoTime) {
    if (firstPause.isNegative() || firstPause.isZero() || maxPause.compareTo(firstPause) < 0) {
      throw new IllegalArgumentException(
          "pauses must be positive and the longest (%s) not shorter than the first (%s)"
              .formatted(maxPause, firstPause));
    }
    this.firstPauseNanos = firstPause.toNanos();
    this.maxPauseNanos = maxPause.toNanos();
    this.nanoTime = nanoTime;
  }

  /**
   * The right to ask now, or null where Redis is to be skipped. Each permit must be reported once.
   */
  public @Nullable Permit enter() {
    synchronized (lock) {
      return switch (state) {
        case CLOSED -> new Permit(epoch);
        case OPEN, PROBING -> {
          long now = nanoTime.getAsLong();
          if (now - untilNanos < 0) {
            yield null;
          }
          change(State.PROBING, now + maxPauseNanos);
          yield new Permit(epoch);
        }
      };
    }
  }

  /** Reports that Redis answered in time. Returns whether this closed the breaker. */
  public boolean succeeded(Permit permit) {
    synchronized (lock) {
      if (permit.epoch != epoch || state == State.CLOSED) {
        return false;
      }
      change(State.CLOSED, 0);
      return true;
    }
  }

  /** Reports an error or a slow answer. Returns whether this opened a closed breaker. */
  public boolean failed(Permit permit) {
    synchronized (lock) {
      if (permit.epoch != epoch) {
        return false;
      }
      boolean wasClosed = state == State.CLOSED;
      pauseNanos = wasClosed ? firstPauseNanos : Math.min(pauseNanos * 2, maxPauseNanos);
      change(State.OPEN, nanoTime.getAsLong() + pauseNanos);
      return wasClosed;
    }
  }

  /** The state, for metrics and tests. */
  public State state() {
    synchronized (lock) {
      return state;
    }
  }

  @GuardedBy("lock")
  private void change(State next, long until) {
    state = next;
    untilNanos = until;
    epoch++;
  }
}
