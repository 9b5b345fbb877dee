package dev.tollgate.reconciler.relay;

import dev.tollgate.schema.store.OperationStore;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * A duty that one process of the fleet has at a time, to save effort; asked for again long before
 * it would be over. Confined to its loop's thread.
 */
public final class Duty {
  private static final Duration TTL = Duration.ofSeconds(6);

  private final OperationStore store;
  private final String name;
  private final UUID holder;
  private final LongSupplier nanoTime;

  private boolean held;
  private long askedAt;

  /**
   * @param holder random id of whoever asks
   */
  public Duty(OperationStore store, String name, UUID holder, LongSupplier nanoTime) {
    this.store = store;
    this.name = name;
    this.holder = holder;
    this.nanoTime = nanoTime;
    this.askedAt = nanoTime.getAsLong() - TTL.toNanos();
  }

  /** Whether it is ours, as far as is known. */
  public boolean held() {
    long now = nanoTime.getAsLong();
    if (now - askedAt > TTL.toNanos() / 3) {
      held = store.duty(name, holder, TTL);
      askedAt = now;
    }
    return held;
  }
}
