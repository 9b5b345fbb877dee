package dev.tollgate.worker.send;

import dev.tollgate.schema.store.Terms;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderTiming;
import dev.tollgate.worker.provider.Recourse;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** One provider: its adapter, its terms and its slots. Thread-safe. */
public final class Lane {
  private final ProviderAdapter adapter;
  private final Terms terms;
  private final Duration answerWithin;
  private final Semaphore slots;

  /**
   * Grows when prepared operations are stored; where the claimer last found nothing more. Unequal:
   * some may wait.
   */
  private final AtomicLong queued = new AtomicLong(1);

  private volatile long drained;

  /**
   * @param leaseGrace how much longer than the submit deadline a claim holds: time to store the
   *     outcome
   */
  public Lane(ProviderAdapter adapter, Duration leaseGrace) {
    this.adapter = adapter;
    this.slots = new Semaphore(adapter.profile().concurrency());
    ProviderTiming timing = adapter.profile().timing();
    this.answerWithin = timing.submitDeadline();
    this.terms =
        new Terms(
            adapter.profile().name(),
            timing.submitDeadline().dividedBy(2),
            timing.submitDeadline().plus(leaseGrace),
            timing.horizonAfter());
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
   * Takes a slot for an intent that is about to be stored straight as {@code sending}. Not for a
   * provider that cannot be asked afterwards: there, {@code sending} is marked right before the
   * send, so that a crash leaves as few as possible for a person. Not while older operations wait.
   */
  public boolean tryTakeForIntake() {
    return adapter.profile().recourse() != Recourse.NONE && !hasBacklog() && slots.tryAcquire();
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

  boolean hasFree() {
    return slots.availablePermits() > 0;
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
