package dev.tollgate.worker.loop;

import dev.tollgate.schema.health.Vitals;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that repeats a {@link Step}: again at once while there is more, else after a pause or
 * when woken. A step that throws is reported and repeated after a growing pause; it never ends the
 * loop. Thread-safe; start and close may be called more than once, and close without start.
 */
public final class Loop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Loop.class);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(200);
  private static final Duration PAUSE_AFTER_FAILURE_MAX = Duration.ofSeconds(5);

  private final String name;
  private final Step step;
  private final Duration pause;
  private final LongSupplier nanoTime;
  private final Thread thread;
  private final Semaphore wakeUps = new Semaphore(0);
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Written by the loop's thread, read by health checks. */
  private volatile long lastProgressNanos;

  /** As above. */
  private volatile long lastRoundNanos;

  /** Loop's thread only. */
  private int failures;

  public Loop(String name, Duration pause, LongSupplier nanoTime, Step step) {
    this.name = name;
    this.step = step;
    this.pause = pause;
    this.nanoTime = nanoTime;
    this.lastProgressNanos = nanoTime.getAsLong();
    this.lastRoundNanos = lastProgressNanos;
    this.thread = Thread.ofPlatform().name(name).unstarted(this::run);
  }

  public void start() {
    if (started.compareAndSet(false, true)) {
      thread.start();
    }
  }

  /** Ends the pause, if there is one. */
  public void wake() {
    if (wakeUps.availablePermits() == 0) {
      wakeUps.release();
    }
  }

  /** How long ago a round last ended without failing. */
  public Duration sinceProgress() {
    return Duration.ofNanos(nanoTime.getAsLong() - lastProgressNanos);
  }

  /** How long ago a round last ended, whether or not it failed. */
  public Duration sinceRound() {
    return Duration.ofNanos(nanoTime.getAsLong() - lastRoundNanos);
  }

  /** Has its signs of life watched. */
  public void watchedBy(Vitals vitals) {
    vitals.watch(name, this::sinceRound, this::sinceProgress);
  }

  /** Whether {@link #close} was called: a step that waits for something should stop waiting. */
  public boolean closing() {
    return closed.get();
  }

  private void run() {
    while (!closed.get()) {
      try {
        if (!round()) {
          await(pause);
        }
      } catch (InterruptedException _) {
        return; // only close() interrupts
      }
    }
  }

  private boolean round() throws InterruptedException {
    try {
      boolean more = step.runOnce();
      failures = 0;
      lastProgressNanos = nanoTime.getAsLong();
      lastRoundNanos = lastProgressNanos;
      return more;
    } catch (RuntimeException e) {
      if (closed.get()) {
        throw new InterruptedException("closing");
      }
      failures++;
      lastRoundNanos = nanoTime.getAsLong();
      Duration wait = Backoff.of(failures, PAUSE_AFTER_FAILURE, PAUSE_AFTER_FAILURE_MAX);
      log.warn("{} failed {} times in a row; again in {}", name, failures, wait, e);
      await(wait);
      return true;
    }
  }

  private void await(Duration time) throws InterruptedException {
    if (wakeUps.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS)) {
      wakeUps.drainPermits();
    }
  }

  /** Lets the round under way end, within a bound, then ends the thread. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true) || !started.get()) {
      return;
    }
    wakeUps.release();
    try {
      if (!thread.join(Duration.ofSeconds(10))) {
        thread.interrupt();
        thread.join(Duration.ofSeconds(5));
      }
    } catch (InterruptedException _) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
