package dev.tollgate.worker.send;

import java.time.Duration;

/** The latest outcomes at one provider, bounded by number and by age. Not thread-safe. */
final class OutcomeWindow {
  /** What an outcome says about the provider's health. */
  enum Health {
    /** It answered clearly, be it with a refusal. */
    GOOD,
    /** Nobody knows what it did. */
    UNKNOWN,
    /** It asked to be left alone. */
    THROTTLED,
    /**
     * It refused the account. That may be meant for this request alone, so it says less than the
     * others.
     */
    REFUSED
  }

  private final Health[] healths;
  private final long[] times;
  private final long withinNanos;
  private int oldest;
  private int size;
  private int unknown;
  private int throttled;

  OutcomeWindow(int most, Duration within) {
    this.healths = new Health[most];
    this.times = new long[most];
    this.withinNanos = within.toNanos();
  }

  void add(Health health, long now) {
    while (size > 0 && (size == healths.length || now - times[oldest] > withinNanos)) {
      forgetOldest();
    }
    int at = (oldest + size) % healths.length;
    healths[at] = health;
    times[at] = now;
    size++;
    count(health, 1);
  }

  private void count(Health health, int by) {
    unknown += health == Health.UNKNOWN ? by : 0;
    throttled += health == Health.THROTTLED || health == Health.REFUSED ? by : 0;
  }

  private void forgetOldest() {
    count(healths[oldest], -1);
    oldest = (oldest + 1) % healths.length;
    size--;
  }

  void clear() {
    while (size > 0) {
      forgetOldest();
    }
  }

  int size() {
    return size;
  }

  int unknown() {
    return unknown;
  }

  int throttled() {
    return throttled;
  }
}
