package dev.tollgate.reconciler.retention;

import dev.tollgate.reconciler.relay.Duty;
import dev.tollgate.schema.config.RetentionConfig;
import dev.tollgate.schema.store.Tombstones;
import dev.tollgate.schema.store.Tombstones.Keep;
import dev.tollgate.schema.store.Tombstones.Page;
import dev.tollgate.schema.store.Tombstones.Place;
import dev.tollgate.worker.loop.Step;
import dev.tollgate.worker.retention.Horizon;
import dev.tollgate.worker.retention.Horizons;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets what ended long ago, a page of operations in each round. Confined to its loop's thread,
 * whose pause is what keeps the load small.
 */
public final class Forgetting implements Step {
  /** What the one process that forgets holds. */
  public static final String DUTY = "retention";

  /** A page of operations with usual evidence takes half of it. */
  private static final int CLEARINGS_MAX = 10;

  private static final Logger log = LoggerFactory.getLogger(Forgetting.class);

  private final Tombstones tombstones;
  private final Duty duty;
  private final Supplier<Optional<Horizons.Known>> horizons;
  private final RetentionConfig config;
  private final LongSupplier nanoTime;
  private final IntConsumer forgotten;

  /** Where the pass goes on; null at its beginning. */
  private @Nullable Place after;

  /** What the last page left to be cleared: more than one round takes. */
  private List<Place> rest = List.of();

  private int ofThisPass;
  private long nextPass;

  /**
   * @param horizons empty while they are not known: nothing is forgotten then
   * @param forgotten hears how many operations became nothing but a tombstone
   */
  public Forgetting(
      Tombstones tombstones,
      Duty duty,
      Supplier<Optional<Horizons.Known>> horizons,
      RetentionConfig config,
      LongSupplier nanoTime,
      IntConsumer forgotten) {
    this.tombstones = tombstones;
    this.duty = duty;
    this.horizons = horizons;
    this.config = config;
    this.nanoTime = nanoTime;
    this.forgotten = forgotten;
    this.nextPass = nanoTime.getAsLong();
  }

  /** A few small statements; always false, so that the loop pauses. */
  @Override
  public boolean runOnce() {
    if (nanoTime.getAsLong() - nextPass < 0) {
      return false;
    }
    Optional<Horizons.Known> known = horizons.get();
    if (known.isEmpty() || !duty.held()) {
      return false;
    }
    if (rest.isEmpty()) {
      bury(keep(known.get()));
    } else {
      clear();
    }
    return false;
  }

  private void bury(Keep keep) {
    Page page = tombstones.bury(after, config.batch(), keep);
    after = page.last();
    rest = new ArrayList<>(page.buried());
    rest.addAll(page.emptied());
    if (page.read() < config.batch()) {
      endPass();
    }
    clear();
  }

  /** What has more rows than a round deletes is left to the next one. */
  private void clear() {
    for (int i = 0; i < CLEARINGS_MAX && !rest.isEmpty(); i++) {
      if (tombstones.clear(rest, config.batch()).most() < config.batch()) {
        int removed = tombstones.remove(rest);
        ofThisPass += removed;
        forgotten.accept(removed);
        rest = List.of();
      }
    }
  }

  private void endPass() {
    if (ofThisPass > 0) {
      log.info("nothing but their keys is kept of {} more operations", ofThisPass);
    }
    ofThisPass = 0;
    after = null;
    boolean more = tombstones.forgetBooks(config.auditWindow(), config.batch()) >= config.batch();
    nextPass = nanoTime.getAsLong() + (more ? config.pause() : config.every()).toNanos();
  }

  private static Keep keep(Horizons.Known known) {
    Map<String, Duration> byProvider =
        known.byProvider().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, horizon -> time(horizon.getValue())));
    return new Keep(byProvider, time(known.otherwise()));
  }

  private static Duration time(Horizon horizon) {
    return horizon.time();
  }
}
