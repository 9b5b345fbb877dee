package dev.tollgate.worker.stream;

import java.time.Duration;

/**
 * How streams are read.
 *
 * @param lease for how long nobody else takes a stream up after its reader was last heard of
 * @param resumesMax how often in a row a reader resumes without anything new, before it leaves the
 *     stream to whoever follows it
 * @param pause before it is resumed for the first time, doubled each time
 * @param pauseMax the longest pause
 */
public record StreamPolicy(Duration lease, int resumesMax, Duration pause, Duration pauseMax) {
  public static final StreamPolicy USUAL =
      new StreamPolicy(Duration.ofSeconds(30), 5, Duration.ofMillis(200), Duration.ofSeconds(5));
}
