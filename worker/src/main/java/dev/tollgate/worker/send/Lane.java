package dev.tollgate.worker.send;

import dev.tollgate.schema.store.Terms;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderTiming;
import dev.tollgate.worker.provider.Recourse;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** One provider: its adapter, its terms and its slots. Thread-safe. */
public final class Lane {
  /** From here on a provider is slow: its slots are not waited for. */
  private static final Duration SLOW = Duration.ofMillis(250);

  private final ProviderAdapter adapter;
  private final Terms terms;
  private final Duration answerWithin;
  private final Semaphore slots;
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
   */
  public Lane(ProviderAdapter adapter, Duration leaseGrace, LongSupplier nanoTime) {
    this.adapter = adapter;
    this.nanoTime = nanoTime;
    this.slots = new Semaphore(adapter.profile().concurrency());
    ProviderTiming timing = adapter.profile().timing();
    this.answerWithin = timing.submitDeadline();
    this.terms =
        new Terms(
            adapter.profile().name(),
            timing.submitDeadline().dividedBy(2),
            timing.submitDeadline().plus(leaseGrace),
            timing.horizonAfter(),
            timing.promiseRetention().orElse(Duration.ZERO));
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
   * leaves as few as possible for a person.
   */
  public boolean sendsFromIntake() {
    return adapter.profile().recourse() != Recourse.NONE;
  }

  /**
   * Takes slots for intents that are about to be stored straight as {@code sending}, unless older
   * operations wait for one. A fast provider's slots come free within milliseconds: waiting for a
   * good share of them saves the statements that storing, claiming and re-reading would take. A
   * slow one's are not waited for, since it must not hold up others.
   *
   * @param wanted how many intents there are
   * @param until monotonic time until which a fast provider may be waited for
   * @return how many were taken; 0 if the intents had better wait in the database
   */
  public int takeForIntake(int wanted, long until) throws InterruptedException {
    long patience = holdNanos < SLOW.toNanos() ? until : nanoTime.getAsLong();
    while (hasBacklog() && nanoTime.getAsLong() - patience < 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    int least = Math.min(wanted, Math.max(1, adapter.profile().concurrency() / 4));
    long wait = Math.max(0, patience - nanoTime.getAsLong());
    if (hasBacklog() || !slots.tryAcquire(least, wait, TimeUnit.NANOSECONDS)) {
      return 0;
    }
    return least + takeFree(wanted - least);
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
    return adapter.profile().concurrency() - slots.availablePermits();
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
