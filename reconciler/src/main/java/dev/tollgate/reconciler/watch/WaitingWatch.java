package dev.tollgate.reconciler.watch;

import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.Waiting;
import dev.tollgate.worker.loop.Step;
import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Reads how much waits and for how long, and shows it as gauges. {@link #runOnce} is confined to
 * its loop's thread.
 */
public final class WaitingWatch implements Step {
  private static final List<String> FOR = List.of("claim", "look", "follow", "person");

  /** It reads everything that waits: of the time that takes, a fiftieth of one core is enough. */
  private static final int SHARE = 50;

  private final OperationStore store;
  private final Meters meters;
  private final LongSupplier nanoTime;
  private final Set<String> shown = new HashSet<>();
  private long notBefore;

  /** By provider and what it waits for, with a space between. Replaced, never changed. */
  private volatile Map<String, Waiting> waiting = Map.of();

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
    Map<String, Waiting> seen = new HashMap<>();
    for (Waiting some : store.waiting()) {
      seen.put(some.provider() + " " + some.forWhat(), some);
      show(some.provider());
    }
    waiting = Map.copyOf(seen);
    long now = nanoTime.getAsLong();
    notBefore = now + (now - began) * SHARE;
    return false;
  }

  private void show(String provider) {
    if (!shown.add(provider)) {
      return;
    }
    for (String forWhat : FOR) {
      String name = provider + " " + forWhat;
      meters.gauge(Meter.WAITING, () -> count(name), "provider", provider, "for", forWhat);
      meters.gauge(
          Meter.WAITING_OLDEST,
          () -> oldest(name).toMillis() / 1000.0,
          "provider",
          provider,
          "for",
          forWhat);
    }
  }

  private long count(String name) {
    Waiting some = waiting.get(name);
    return some == null ? 0 : some.count();
  }

  private Duration oldest(String name) {
    Waiting some = waiting.get(name);
    return some == null ? Duration.ZERO : some.oldest();
  }
}
