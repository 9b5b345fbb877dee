package dev.tollgate.loadtest.sandbox;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds every orderly answer back for the same time. Thread-safe.
 *
 * <p>Since the time is the same for all, those who wait are in order of arrival, and one thread
 * that wakes once a millisecond serves thousands of them. A timer per answer, the way of {@code
 * Thread.sleep}, costs more than the rest of the answer.
 */
final class Pacer implements AutoCloseable {
  private static final long TICK_NANOS = 1_000_000;

  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    final long dueNanos;

    /** Volatile: set by the ticker, read by the waiter. */
    volatile boolean done;

    Waiter(long dueNanos) {
      this.dueNanos = dueNanos;
    }
  }

  private final long delayNanos;
  private final LongSupplier nanoTime;
  private final Queue<Waiter> waiters = new ConcurrentLinkedQueue<>();
  private final @Nullable Thread ticker;

  /** Whether the ticker sleeps without a limit; volatile since arrivals look at it. */
  private volatile boolean asleep;

  /** Volatile: set by the closing thread, read by the ticker. */
  private volatile boolean closed;

  Pacer(long delayNanos, LongSupplier nanoTime) {
    this.delayNanos = delayNanos;
    this.nanoTime = nanoTime;
    this.ticker =
        delayNanos == 0
            ? null
            : Thread.ofPlatform().daemon().name("sandbox-pacer").start(this::tick);
  }

  /** Waits for the answer delay, and up to a millisecond more. */
  void pause() throws InterruptedException {
    if (ticker == null) {
      return;
    }
    Waiter waiter = new Waiter(nanoTime.getAsLong() + delayNanos);
    waiters.add(waiter);
    if (asleep) {
      LockSupport.unpark(ticker);
    }
    while (!waiter.done) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        throw new InterruptedException("the server closes");
      }
    }
  }

  private void tick() {
    while (!closed) {
      Waiter first = waiters.peek();
      if (first == null) {
        asleep = true;
        if (waiters.isEmpty() && !closed) {
          LockSupport.park(this);
        }
        asleep = false;
      } else {
        wait(first);
        release();
      }
    }
  }

  private void wait(Waiter first) {
    long nanos = first.dueNanos - nanoTime.getAsLong();
    if (nanos > 0) {
      LockSupport.parkNanos(this, Math.max(nanos, TICK_NANOS));
    }
  }

  private void release() {
    long now = nanoTime.getAsLong();
    for (Waiter first = waiters.peek();
        first != null && first.dueNanos - now <= 0;
        first = waiters.peek()) {
      waiters.poll();
      first.done = true;
      LockSupport.unpark(first.thread);
    }
  }

  /** Ends the ticker; who still waits is woken by the interrupt that ends its connection. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(ticker);
  }
}
