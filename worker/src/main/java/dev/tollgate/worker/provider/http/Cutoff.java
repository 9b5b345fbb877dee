package dev.tollgate.worker.provider.http;

import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/**
 * The moment at which one exchange is cut. It stands still while its reader is busy with what came,
 * and moves on where the reader grants more time for the next piece. Cheap to move: the timer is
 * set anew when it comes due too early, not with each move. {@link #fire} runs on the timer's
 * thread, all else on the sender's.
 */
final class Cutoff implements AutoCloseable {
  private final Deadlines deadlines;
  private final LongSupplier nanoTime;
  private final Runnable cut;

  private long at;
  private boolean held;
  private boolean cameDue;
  private boolean closed;
  private Future<?> due;
  private long dueAt;

  /** Cuts at {@code at}, a reading of {@code nanoTime}, unless it is moved before. */
  Cutoff(Deadlines deadlines, LongSupplier nanoTime, long at, Runnable cut) {
    this.deadlines = deadlines;
    this.nanoTime = nanoTime;
    this.cut = cut;
    this.at = at;
    this.dueAt = at;
    this.due = deadlines.after(at - nanoTime.getAsLong(), this::fire);
  }

  /** The reader is busy: whatever time passes now is not the peer's. */
  synchronized void hold() {
    held = true;
  }

  /**
   * The reader waits again.
   *
   * @param patienceNanos how long for the next piece; 0: until the moment that held before
   */
  synchronized void release(long patienceNanos) {
    held = false;
    if (patienceNanos > 0) {
      at = nanoTime.getAsLong() + patienceNanos;
    }
    if (cameDue || at - dueAt < 0) {
      cameDue = false;
      due.cancel(false);
      arm();
    }
  }

  private synchronized void arm() {
    if (!closed) {
      dueAt = at;
      due = deadlines.after(at - nanoTime.getAsLong(), this::fire);
    }
  }

  private void fire() {
    synchronized (this) {
      if (closed) {
        return;
      }
      if (held) {
        cameDue = true;
        return;
      }
      if (at - nanoTime.getAsLong() > 0) {
        arm();
        return;
      }
    }
    cut.run();
  }

  @Override
  public synchronized void close() {
    closed = true;
    due.cancel(false);
  }
}
