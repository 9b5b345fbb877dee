package dev.tollgate.loadtest.demo;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Strikes workers, one at a time, until the run has no more to be struck and there were enough
 * strikes of each kind. Every worker runs when it is over. {@link #run} is for one thread.
 */
final class Chaos implements Runnable {
  private static final int EACH_AT_LEAST = 2;

  private final Fleet fleet;
  private final long seed;
  private final Duration lease;
  private final BooleanSupplier over;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private final Map<String, Long> struck = new TreeMap<>();

  /** Written by the striking thread, read by all. */
  private volatile @Nullable RuntimeException failure;

  /**
   * @param over whether enough was published that no further strike is worth it
   */
  Chaos(Fleet fleet, long seed, Duration lease, BooleanSupplier over) {
    this.fleet = fleet;
    this.seed = seed;
    this.lease = lease;
    this.over = over;
    for (Strike.Kind kind : Strike.Kind.values()) {
      struck.put(kind.fault(), 0L);
    }
  }

  @Override
  public void run() {
    try {
      int workers = fleet.workers().size();
      for (int number = 0; !enough(); number++) {
        strike(Strike.of(seed, number, workers, lease));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      done.countDown();
    }
  }

  private boolean enough() {
    return stop.getCount() == 0
        || (over.getAsBoolean()
            && struck().values().stream().allMatch(count -> count >= EACH_AT_LEAST));
  }

  private void strike(Strike strike) throws InterruptedException {
    if (waited(strike.after())) {
      return;
    }
    String worker = fleet.workers().get(strike.worker());
    switch (strike.kind()) {
      case KILL -> fleet.kill(worker);
      case FREEZE -> fleet.freeze(worker);
    }
    count(strike.kind());
    try {
      waited(strike.out());
    } finally {
      switch (strike.kind()) {
        case KILL -> fleet.start(worker);
        case FREEZE -> fleet.thaw(worker);
      }
    }
  }

  /** Waits; true when the run ended meanwhile. */
  private boolean waited(Duration time) throws InterruptedException {
    return stop.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized void count(Strike.Kind kind) {
    struck.merge(kind.fault(), 1L, Long::sum);
  }

  /** Strikes so far, by the name of each. */
  synchronized Map<String, Long> struck() {
    return Map.copyOf(struck);
  }

  boolean done() {
    return done.getCount() == 0;
  }

  @Nullable RuntimeException failure() {
    return failure;
  }

  /** Ends it early. */
  void stop() {
    stop.countDown();
  }
}
