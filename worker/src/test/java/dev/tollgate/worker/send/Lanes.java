package dev.tollgate.worker.send;

import dev.tollgate.schema.store.Limits;
import dev.tollgate.worker.provider.ProviderAdapter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Lanes, and what a claimer does to one, for tests without one. */
public final class Lanes {
  private static final Duration GRACE = Duration.ofSeconds(5);

  private Lanes() {}

  /** A lane that has all its slots at once and trusts its provider. */
  public static Lane of(ProviderAdapter adapter, LongSupplier nanoTime) {
    return of(adapter, policy(100), nanoTime);
  }

  static Lane of(ProviderAdapter adapter, BreakerPolicy policy, LongSupplier nanoTime) {
    return of(adapter, policy, Optional.empty(), nanoTime);
  }

  /** A lane at whose provider the fleet has a limit. */
  static Lane limited(ProviderAdapter adapter, LongSupplier nanoTime) {
    Limits limits = new Limits(OptionalLong.empty(), 1, OptionalInt.of(5), List.of());
    return of(adapter, policy(100), Optional.of(limits), nanoTime);
  }

  private static Lane of(
      ProviderAdapter adapter,
      BreakerPolicy policy,
      Optional<Limits> limits,
      LongSupplier nanoTime) {
    Protection protection =
        new Protection(
            adapter.profile().name(),
            adapter.profile().concurrency(),
            adapter.streams().isPresent(),
            policy,
            new SendListener() {},
            nanoTime,
            withoutJitter());
    return new Lane(adapter, GRACE, protection, limits, nanoTime);
  }

  /** Ten outcomes decide, half of them; pauses of 1 to 4 seconds. */
  static BreakerPolicy policy(int startPercent) {
    return new BreakerPolicy(
        20,
        Duration.ofSeconds(60),
        10,
        50,
        50,
        Duration.ofSeconds(1),
        Duration.ofSeconds(4),
        startPercent);
  }

  static RandomGenerator withoutJitter() {
    return () -> 0;
  }

  /** As when a claim found nothing that waits. */
  public static Lane drained(Lane lane) {
    lane.drained(lane.queueMark());
    return lane;
  }

  /** As after sends that took seconds. */
  public static Lane slow(Lane lane) {
    for (int i = 0; i < 100; i++) {
      lane.held(Duration.ofSeconds(2).toNanos());
    }
    return lane;
  }
}
