package dev.tollgate.reconciler.watch;

import dev.tollgate.reconciler.relay.RelayListener;
import dev.tollgate.schema.store.Ending;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import dev.tollgate.worker.metrics.MoneyMeters;
import java.time.Duration;

/**
 * Counts what operations took and cost, as their events are published: what that needs was read for
 * the event anyway. Thread-safe.
 */
public final class Told implements RelayListener {
  private final Meters meters;
  private final MoneyMeters money;

  public Told(Meters meters) {
    this.meters = meters;
    this.money = meters.money();
  }

  @Override
  public void relayed(int events) {
    meters.count(Meter.RELAYED, events);
  }

  @Override
  public void told(OutboxRow row, Ending stored) {
    if (!row.state().terminal()) {
      money.saved(row.provider(), "found", stored.price());
      return;
    }
    String state = row.state().word();
    Duration took = Duration.between(stored.createdAt(), row.at());
    meters.time(Meter.TOOK, took, "provider", row.provider(), "state", state);
    if (row.remoteId() != null) {
      money.spent(row.provider(), state, stored.price());
    }
  }
}
