package dev.tollgate.reconciler.watch;

import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.Waiting;
import dev.tollgate.worker.loop.Step;
import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Reads how much waits and for how long, and shows it as gauges. {@link #runOnce} is confined to
 * its loop's thread.
 */
public final class WaitingWatch implements Step {
  private static final List<String> FOR = List.of("claim", "look", "follow", "person");

  /** Names of {@link Waiting#AGES}, and one for what is older. */
  private static final List<String> AGES = List.of("1m", "10m", "1h", "1d", "more");

  /** It reads everything that waits: of the time that takes, a fiftieth of one core is enough. */
  private static final int SHARE = 50;

  private final OperationStore store;
  private final Meters meters;
  private final LongSupplier nanoTime;
  private final Set<String> shown = new HashSet<>();
  private long notBefore;

  /** By provider, or empty for events. Replaced, never changed. */
  private volatile Map<String, List<Waiting>> waiting = Map.of();

  public WaitingWatch(OperationStore store, Meters meters, LongSupplier nanoTime) {
    this.store = store;
    this.meters = meters;
    this.nanoTime = nanoTime;
    this.notBefore = nanoTime.getAsLong();
  }

  @Override
  public boolean runOnce() {
    long began = nanoTime.getAsLong();
    if (began - notBefore < 0) {
      return false;
    }
    Map<String, List<Waiting>> seen =
        store.waiting().stream().collect(Collectors.groupingBy(Waiting::provider));
    seen.keySet().forEach(this::show);
    waiting = seen;
    long now = nanoTime.getAsLong();
    notBefore = now + (now - began) * SHARE;
    return false;
  }

  private void show(String provider) {
    if (!shown.add(provider)) {
      return;
    }
    if (provider.isEmpty()) {
      meters.gauge(Meter.OUTBOX, () -> sum(provider, _ -> true, Waiting::count));
      meters.gauge(Meter.OUTBOX_OLDEST, () -> oldest(provider, _ -> true));
      return;
    }
    for (String forWhat : FOR) {
      Predicate<Waiting> these = some -> some.forWhat().equals(forWhat);
      String[] tags = {"provider", provider, "for", forWhat};
      meters.gauge(Meter.WAITING, () -> sum(provider, these, Waiting::count), tags);
      meters.gauge(Meter.WAITING_OLDEST, () -> oldest(provider, these), tags);
    }
    meters.gauge(
        Meter.RUNNABLE,
        () -> sum(provider, some -> some.forWhat().equals("claim"), Waiting::due),
        "provider",
        provider);
    meters.gauge(
        Meter.UNKNOWNS_OLDEST, () -> oldest(provider, Waiting::unknown), "provider", provider);
    for (int age = 0; age < AGES.size(); age++) {
      int of = age;
      meters.gauge(
          Meter.UNKNOWNS,
          () -> sum(provider, Waiting::unknown, some -> ofAge(some, of)),
          "provider",
          provider,
          "age",
          AGES.get(age));
    }
  }

  /** How many are of an age, and of none below it. */
  private static long ofAge(Waiting some, int age) {
    List<Long> younger = some.younger();
    long upTo = age < younger.size() ? younger.get(age) : some.count();
    return upTo - (age == 0 ? 0 : younger.get(age - 1));
  }

  private long sum(String provider, Predicate<Waiting> these, ToLongFunction<Waiting> what) {
    return waiting.getOrDefault(provider, List.of()).stream().filter(these).mapToLong(what).sum();
  }

  /** In seconds. */
  private double oldest(String provider, Predicate<Waiting> these) {
    return waiting.getOrDefault(provider, List.of()).stream()
            .filter(these)
            .mapToLong(some -> some.oldest().toMillis())
            .max()
            .orElse(0)
        / 1000.0;
  }
}
