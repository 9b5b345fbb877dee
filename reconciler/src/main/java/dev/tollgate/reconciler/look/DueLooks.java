package dev.tollgate.reconciler.look;

import dev.tollgate.schema.store.Look;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.worker.loop.Step;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Looks at unknown operations that are due, a bounded number at each provider. Confined to its
 * loop's thread.
 */
public final class DueLooks implements Step {
  /** Looks that one call serves: so many more may be under way. */
  private static final int SHARED = 16;

  /** How long the first of those that share a call waits for the others. */
  private static final long SHARE_EVERY_NANOS = 1_000_000_000;

  private final OperationStore store;
  private final Investigator investigator;
  private final Duration lease;
  private final int concurrency;
  private final Supplier<UUID> claimIds;
  private final LongSupplier nanoTime;
  private final Map<String, Long> notBefore = new HashMap<>();
  private final Map<String, Semaphore> permits = new ConcurrentHashMap<>();

  public DueLooks(
      OperationStore store,
      Investigator investigator,
      Duration lease,
      int concurrency,
      Supplier<UUID> claimIds,
      LongSupplier nanoTime) {
    this.store = store;
    this.investigator = investigator;
    this.lease = lease;
    this.concurrency = concurrency;
    this.claimIds = claimIds;
    this.nanoTime = nanoTime;
  }

  @Override
  public boolean runOnce() {
    boolean more = false;
    for (String provider : investigator.providers()) {
      boolean shares = investigator.shares(provider);
      long now = nanoTime.getAsLong();
      if (shares && now - notBefore.getOrDefault(provider, now) < 0) {
        continue;
      }
      int most = shares ? concurrency * SHARED : concurrency;
      Semaphore free = permits.computeIfAbsent(provider, _ -> new Semaphore(most));
      int want = free.availablePermits();
      List<Look> due = store.lookDue(provider, want, claimIds.get(), lease);
      free.acquireUninterruptibly(due.size()); // never waits: only this thread takes permits
      investigator.investigate(provider, due, concurrency, free::release);
      boolean full = want > 0 && due.size() == want;
      notBefore.put(provider, full ? now : now + SHARE_EVERY_NANOS);
      more |= full;
    }
    return more;
  }
}
