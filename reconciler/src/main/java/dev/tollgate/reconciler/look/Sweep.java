package dev.tollgate.reconciler.look;

import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.Swept;
import dev.tollgate.worker.loop.Step;
import java.time.Duration;
import java.util.function.IntConsumer;

/**
 * Turns expired leases into unknowns and ends intents whose deadline passed. Confined to its loop's
 * thread.
 */
public final class Sweep implements Step {
  private static final int BATCH = 500;

  private final OperationStore store;
  private final Duration lookAfter;
  private final IntConsumer swept;

  /**
   * A sweep of one database.
   *
   * @param lookAfter when a swept operation is looked at if nobody hears of it sooner
   * @param swept hears how many leases were lost
   */
  public Sweep(OperationStore store, Duration lookAfter, IntConsumer swept) {
    this.store = store;
    this.lookAfter = lookAfter;
    this.swept = swept;
  }

  @Override
  public boolean runOnce() {
    Swept leases = store.sweep(BATCH, lookAfter);
    swept.accept(leases.lost().size());
    int expired = store.expire(BATCH).size();
    return leases.more() || expired == BATCH;
  }
}
