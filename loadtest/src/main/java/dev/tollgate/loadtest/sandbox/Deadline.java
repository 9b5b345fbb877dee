package dev.tollgate.loadtest.sandbox;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Until when one connection may keep its reader waiting. The reader arms and disarms it; a sweeper
 * that finds it passed expires it and closes the socket. Exactly one of the two wins, so that no
 * request is served on a connection that counts as closed. Thread-safe.
 */
final class Deadline {
  private static final long NONE = Long.MAX_VALUE;
  private static final long EXPIRED = Long.MIN_VALUE;

  private final AtomicLong atNanos = new AtomicLong(NONE);

  /** Sets it, or moves it; returns false when it has expired. */
  boolean arm(long nanos) {
    long now = atNanos.get();
    return now != EXPIRED && atNanos.compareAndSet(now, nanos);
  }

  /**
   * Takes it away; returns false when it has passed, whether a sweeper saw that or not: after a
   * stall of the whole process, readers must not win against it with requests that came too late.
   */
  boolean disarm(long nowNanos) {
    long at = atNanos.get();
    return at != EXPIRED && nowNanos - at < 0 && atNanos.compareAndSet(at, NONE);
  }

  /** Returns true, once, when it is armed and has passed. */
  boolean expire(long nowNanos) {
    long at = atNanos.get();
    return at != NONE && at != EXPIRED && nowNanos - at >= 0 && atNanos.compareAndSet(at, EXPIRED);
  }
}
