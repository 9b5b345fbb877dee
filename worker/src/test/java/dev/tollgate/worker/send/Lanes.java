package dev.tollgate.worker.send;

import java.time.Duration;

/** What a claimer does to a lane, for tests without one. */
public final class Lanes {
  private Lanes() {}

  /** As when a claim found nothing that waits. */
  public static Lane drained(Lane lane) {
    lane.drained(lane.queueMark());
    return lane;
  }

  /** As after sends that took seconds. */
  public static Lane slow(Lane lane) {
    for (int i = 0; i < 100; i++) {
      lane.held(Duration.ofSeconds(2).toNanos());
    }
    return lane;
  }
}
