package dev.tollgate.worker.send;

import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.CommitNotReplicated;
import dev.tollgate.schema.store.Grant;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.worker.loop.Step;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives free slots to prepared operations that are due, whoever stored them: this is also how a
 * worker's unfinished work is picked up by others. Confined to its loop's thread.
 */
public final class Claimer implements Step {
  private static final Logger log = LoggerFactory.getLogger(Claimer.class);

  /** Most operations of one claim statement. */
  private static final int BATCH = 1024;

  private final OperationStore store;
  private final Collection<Lane> lanes;
  private final Sender sender;
  private final SendListener listener;
  private final String owner;
  private final Supplier<UUID> claimIds;
  private final LongSupplier nanoTime;
  private final BooleanSupplier paused;
  private final Runnable wake;

  /**
   * @param paused whether no new claims may be made (draining, or the database's clock stepped)
   * @param wake runs the next round soon
   */
  public Claimer(
      OperationStore store,
      Collection<Lane> lanes,
      Sender sender,
      SendListener listener,
      String owner,
      Supplier<UUID> claimIds,
      LongSupplier nanoTime,
      BooleanSupplier paused,
      Runnable wake) {
    this.store = store;
    this.lanes = List.copyOf(lanes);
    this.sender = sender;
    this.listener = listener;
    this.owner = owner;
    this.claimIds = claimIds;
    this.nanoTime = nanoTime;
    this.paused = paused;
    this.wake = wake;
  }

  @Override
  public boolean runOnce() throws InterruptedException {
    boolean more = false;
    for (Lane lane : lanes) {
      if (!paused.getAsBoolean()) {
        more |= claim(lane);
      }
    }
    return more;
  }

  private boolean claim(Lane lane) throws InterruptedException {
    int slots = lane.takeForClaims(BATCH);
    if (slots == 0) {
      return false;
    }
    long mark = lane.queueMark();
    Claimed claimed = new Claimed(List.of(), 0, false, false);
    try {
      claimed = claimOrReread(lane, slots);
    } finally {
      lane.give(slots - claimed.claims.size());
    }
    if (claimed.drained) {
      lane.drained(mark);
    }
    listener.claimed(lane.provider(), claimed.claims.size());
    for (Claim claim : claimed.claims) {
      sender.send(lane, claim, claimed.asked, () -> lane.giveBack(wake));
    }
    return claimed.more;
  }

  /**
   * What a claim statement gave.
   *
   * @param drained whether it would have taken more than was due
   * @param more whether more is likely to be due and allowed at once
   */
  private record Claimed(List<Claim> claims, long asked, boolean drained, boolean more) {
    static Claimed of(List<Claim> claims, long asked, int slots) {
      return new Claimed(claims, asked, claims.size() < slots, claims.size() == slots);
    }
  }

  /**
   * A claim whose answer was lost, or that no standby confirmed, may be committed. It is re-read,
   * and counts as one whose time is over: the sender gives it back unsent, by a commit that is
   * confirmed. Where even the re-read fails, the lease runs out and the sweep finds it.
   */
  private Claimed claimOrReread(Lane lane, int slots) {
    long asked = nanoTime.getAsLong();
    UUID id = claimIds.get();
    try {
      return claim(lane, slots, id, asked);
    } catch (StoreUnavailable | CommitNotReplicated e) {
      log.warn("claims for {} are re-read: {}", lane.provider(), e.getMessage());
      return new Claimed(store.claimed(lane.provider(), id), lane.longOver(asked), false, false);
    }
  }

  private Claimed claim(Lane lane, int slots, UUID id, long asked) {
    if (lane.limits().isEmpty()) {
      return Claimed.of(store.claim(slots, id, owner, lane.terms()), asked, slots);
    }
    Grant grant = store.claimLimited(slots, id, owner, lane.terms(), lane.limits().get());
    listener.heldByBudget(lane.provider(), grant.waiting(), grant.refused());
    boolean more = grant.decidedSome() || grant.claims().size() == slots;
    return new Claimed(grant.claims(), asked, grant.drained(), more);
  }
}
