package dev.tollgate.embedded;

import java.time.Duration;

/** A moment to be done by, on the monotonic clock. Immutable. */
record Deadline(long atNanos) {
  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  boolean passed() {
    return System.nanoTime() - atNanos >= 0;
  }
}
