package dev.tollgate.worker.stream;

import java.time.Duration;

/**
 * How streams are read.
 *
 * @param lease for how long nobody else takes a stream up after its reader was last heard of
 * @param quietMax how long a stream that cannot be resumed brings nothing, with no reader heard of,
 *     before it is held to be cut: a reader may be alive behind a database that was away
 * @param resumesMax how often in a row a reader resumes without anything new, before it leaves the
 *     stream to whoever follows it
 * @param pause before it is resumed for the first time, doubled each time
 * @param pauseMax the longest pause
 */
public record StreamPolicy(
    Duration lease, Duration quietMax, int resumesMax, Duration pause, Duration pauseMax) {
  public static final StreamPolicy USUAL =
      new StreamPolicy(
          Duration.ofSeconds(30),
          Duration.ofMinutes(3),
          5,
          Duration.ofMillis(200),
          Duration.ofSeconds(5));
}
