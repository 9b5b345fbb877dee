package dev.tollgate.worker.send;

import dev.tollgate.schema.store.Limits;
import dev.tollgate.schema.store.Terms;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.ProviderTiming;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.provider.WebhookReader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * One provider: its adapter, its terms and its slots, of which there are as many as its protection
 * lets there be. Thread-safe.
 */
public final class Lane {
  /** Slots that are expected to come free later than this are not waited for. */
  private static final Duration SOON = Duration.ofMillis(500);

  /** How long a claim waits for more slots of a fast provider, so that few claims carry many. */
  private static final Duration GATHER = Duration.ofMillis(50);

  private final ProviderAdapter adapter;
  private final Terms terms;
  private final Duration answerWithin;
  private final Protection protection;
  private final Optional<Limits> limits;
  private final Slots slots;
  private final LongSupplier nanoTime;

  /**
   * Grows when prepared operations are stored; where the claimer last found nothing more. Unequal:
   * some may wait.
   */
  private final AtomicLong queued = new AtomicLong(1);

  private volatile long drained;

  /** Moving mean of how long a slot is in use; written by many threads, see {@link #held}. */
  private volatile long holdNanos;

  /**
   * @param leaseGrace how much longer than the submit deadline a claim holds: time to store the
   *     outcome
   * @param limits what the fleet may do together; absent for anything
   */
  public Lane(
      ProviderAdapter adapter,
      Duration leaseGrace,
      Protection protection,
      Optional<Limits> limits,
      LongSupplier nanoTime) {
    this.adapter = adapter;
    this.protection = protection;
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.slots = new Slots(protection.width());
    ProviderProfile profile = adapter.profile();
    ProviderTiming timing = profile.timing();
    boolean promised = profile.recourses().contains(Recourse.IDEMPOTENT_CREATE);
    this.answerWithin = timing.submitDeadline();
    this.terms =
        new Terms(
            profile.name(),
            timing.submitDeadline().dividedBy(2),
            timing.submitDeadline().plus(leaseGrace),
            timing.horizonAfter(),
            promised ? timing.promiseRetention().orElseThrow() : Duration.ZERO,
            Recourse.bits(profile.recourses())
                | (adapter.webhooks().filter(WebhookReader::namesReferences).isPresent()
                    ? Terms.EVENT_REFERENCE
                    : 0),
            profile.sendsTo().digest());
  }

  public String provider() {
    return terms.provider();
  }

  ProviderAdapter adapter() {
    return adapter;
  }

  public Terms terms() {
    return terms;
  }

  /**
   * The last moment, on the monotonic clock, at which a first byte may leave for a claim asked for
   * at {@code asked}.
   */
  long sendNotAfter(long asked) {
    return asked + terms.sendWithin().toNanos();
  }

  long answerBy(long asked) {
    return asked + answerWithin.toNanos();
  }

  /** An asking time so long ago that nothing may be sent on it any more. */
  public long longOver(long asked) {
    return asked - terms.lease().toNanos();
  }

  /**
   * Whether intents may be stored straight as {@code sending}. Not for a provider that cannot be
   * asked afterwards: there, {@code sending} is marked right before the send, so that a crash
   * leaves as few as possible for a person. Nor where the fleet has a limit: only a claim books it.
   */
  public boolean sendsFromIntake() {
    return limits.isEmpty() && adapter.profile().canBeAsked();
  }

  Optional<Limits> limits() {
    return limits;
  }

  /**
   * Whether a slot is free once the provider has answered. Where it cannot be asked afterwards,
   * what is answered and not yet stored when a worker dies is for a person, so there slots bound
   * it.
   */
  boolean freeOnceAnswered() {
    return adapter.profile().canBeAsked();
  }

  /**
   * Takes slots for intents that are about to be stored straight as {@code sending}. A fast
   * provider's slots come free within milliseconds: waiting for a good share of them saves the
   * statements that storing, claiming and re-reading would take; older operations get their share
   * in turn. A slow one's are not waited for, since it must not hold up others, and older
   * operations go first.
   *
   * @param wanted how many intents there are
   * @param until monotonic time until which a fast provider may be waited for
   * @return how many were taken; 0 if the intents had better wait in the database
   */
  public int takeForIntake(int wanted, long until) throws InterruptedException {
    int width = width();
    if (width == 0) {
      return 0;
    }
    if (!soon(wanted, width)) {
      return hasBacklog() ? 0 : takeFree(wanted);
    }
    int taken = gather(wanted, share(wanted, width), until - nanoTime.getAsLong());
    return taken > 0 || hasBacklog() ? taken : takeFree(wanted);
  }

  /** Takes up to {@code most} slots for prepared operations. */
  int takeForClaims(int most) throws InterruptedException {
    int width = width();
    if (width == 0) {
      return 0;
    }
    int share = share(most, width);
    int taken = hasBacklog() && soon(share, width) ? gather(most, share, GATHER.toNanos()) : 0;
    return taken > 0 ? taken : takeFree(most);
  }

  /** How many slots the provider's protection lets there be now. */
  public int width() {
    int width = slots.resize(protection::width);
    protection.tell();
    return width;
  }

  /**
   * Takes what became of a send.
   *
   * @param asked when its claim was asked for
   */
  void heard(Verdict verdict, long asked) {
    if (protection.heard(verdict, asked)) {
      width();
    }
  }

  /** Waits for a good share of the slots, and takes what is free beyond it. */
  private int gather(int most, int share, long nanos) throws InterruptedException {
    return slots.tryAcquire(share, Math.max(0, nanos), TimeUnit.NANOSECONDS)
        ? share + takeFree(most - share)
        : 0;
  }

  private static int share(int wanted, int width) {
    return Math.min(wanted, Math.max(1, width / 4));
  }

  /** Whether so many slots are expected to come free soon, with all of them in use. */
  private boolean soon(int wanted, int width) {
    return holdNanos / width * wanted < SOON.toNanos();
  }

  /** Notes for how long a slot was in use. */
  void held(long nanos) {
    long mean = holdNanos;
    holdNanos = mean + (nanos - mean) / 16; // a lost update of two threads does not matter
  }

  /** Takes up to {@code most} free slots. */
  int takeFree(int most) {
    int taken = 0;
    while (taken < most && slots.tryAcquire()) {
      taken++;
    }
    return taken;
  }

  public void give(int count) {
    slots.release(count);
  }

  /** Gives the slot of a finished send back, and wakes the claimer if something waits for one. */
  public void giveBack(Runnable wakeClaimer) {
    give(1);
    if (hasBacklog()) {
      wakeClaimer.run();
    }
  }

  /** Slots in use. */
  public int inFlight() {
    return slots.inUse();
  }

  /** Says that prepared operations wait for a slot. */
  public void queued() {
    queued.incrementAndGet();
  }

  /**
   * To be read before a claim is asked for, and given to {@link #drained} if the claim found less
   * than it could take.
   */
  long queueMark() {
    return queued.get();
  }

  void drained(long mark) {
    drained = mark;
  }

  /** Whether prepared operations may be waiting for a slot. */
  public boolean hasBacklog() {
    return queued.get() != drained;
  }
}
