package dev.tollgate.worker.watch;

import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.worker.loop.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, a few times a second, how many operations wait for a slot and what time the database has.
 * {@link #runOnce} is confined to its loop's thread; the answers may be read from any.
 */
public final class Watch implements Step {
  private static final Logger log = LoggerFactory.getLogger(Watch.class);
  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);

  private final OperationStore store;
  private final Supplier<Instant> databaseNow;
  private final List<String> providers;
  private final int backlogMax;
  private final LongSupplier nanoTime;
  private final Runnable clockStepped;
  private final ClockWatch clock;

  /** Written by the loop's thread. */
  private volatile Map<String, Integer> backlog = Map.of();

  /** Written by the loop's thread; null before the first round. */
  private volatile @Nullable Reading reading;

  /** What time the database had, and when that was. */
  private record Reading(Instant database, long nanos) {}

  /**
   * @param backlogMax prepared operations of one provider at which intake pauses
   * @param longestLease how long nothing is claimed after the database's clock stepped
   * @param clockStepped runs when it did
   */
  public Watch(
      OperationStore store,
      Supplier<Instant> databaseNow,
      Collection<String> providers,
      int backlogMax,
      Duration longestLease,
      LongSupplier nanoTime,
      Runnable clockStepped) {
    this.store = store;
    this.databaseNow = databaseNow;
    this.providers = List.copyOf(providers);
    this.backlogMax = backlogMax;
    this.nanoTime = nanoTime;
    this.clockStepped = clockStepped;
    this.clock = new ClockWatch(CLOCK_TOLERANCE, longestLease);
  }

  @Override
  public boolean runOnce() {
    long before = nanoTime.getAsLong();
    Instant database = databaseNow.get();
    long after = nanoTime.getAsLong();
    reading = new Reading(database, after);
    Duration step = clock.reading(database, before, after);
    if (!step.isZero()) {
      log.error(
          "the database's clock stepped by {}; claims pause until leases made before it are over",
          step);
      clockStepped.run();
    }
    backlog = store.backlog(providers, backlogMax);
    return false;
  }

  /** What time the database has, to within a second or so; empty before the first round. */
  public Optional<Instant> databaseTime() {
    Reading last = reading;
    return last == null
        ? Optional.empty()
        : Optional.of(last.database().plusNanos(nanoTime.getAsLong() - last.nanos()));
  }

  /** Whether intake should leave the rest to the log. */
  public boolean full() {
    return backlog.values().stream().anyMatch(waiting -> waiting >= backlogMax);
  }

  /** Whether nothing may be claimed now. */
  public boolean pauseClaims() {
    return clock.pauseClaims(nanoTime.getAsLong());
  }

  /** Prepared operations by provider, each counted up to the bound. */
  public Map<String, Integer> backlog() {
    return backlog;
  }
}
