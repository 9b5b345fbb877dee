package dev.tollgate.worker.metrics;

import java.util.Locale;

/** How a meter counts. */
public enum Kind {
  /** Only grows, and begins at zero with its process. */
  COUNTER,
  /** What is so now. */
  GAUGE,
  /** How often something took how long, with buckets from 5 ms to an hour. */
  TIMER,
  /** How often something had what size. */
  SUMMARY;

  /** The word of pages and messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
