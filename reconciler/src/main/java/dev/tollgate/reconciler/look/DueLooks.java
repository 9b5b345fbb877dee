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
import java.util.concurrent.atomic.AtomicInteger;
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
  private final LookPace pace;
  private final Supplier<UUID> claimIds;
  private final LongSupplier nanoTime;
  private final Map<String, Long> notBefore = new HashMap<>();
  private final Map<String, AtomicInteger> underWay = new ConcurrentHashMap<>();

  /**
   * @param pace how many may be under way at once at each provider, now
   */
  public DueLooks(
      OperationStore store,
      Investigator investigator,
      Duration lease,
      LookPace pace,
      Supplier<UUID> claimIds,
      LongSupplier nanoTime) {
    this.store = store;
    this.investigator = investigator;
    this.lease = lease;
    this.pace = pace;
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
      int width = pace.width(provider);
      AtomicInteger open = underWay.computeIfAbsent(provider, _ -> new AtomicInteger());
      int want = (shares ? width * SHARED : width) - open.get();
      if (want <= 0) {
        continue; // what is due stays so; nothing is counted as a look
      }
      List<Look> due = store.lookDue(provider, want, claimIds.get(), lease);
      open.addAndGet(due.size());
      investigator.investigate(provider, due, width, open::decrementAndGet);
      boolean full = due.size() == want;
      notBefore.put(provider, full ? now : now + SHARE_EVERY_NANOS);
      more |= full;
    }
    return more;
  }
}
