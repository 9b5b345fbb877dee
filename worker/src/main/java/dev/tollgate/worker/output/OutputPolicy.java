package dev.tollgate.worker.output;

import java.time.Duration;

/**
 * How outputs are stored, and how long one that is not to be had is tried for.
 *
 * @param bytesMax longest output that is stored
 * @param soon when a task whose output is gone is first asked about again: its provider may have
 *     another address for it
 * @param again the next pause, doubled with each further one
 * @param triesMax how often it may be gone or invalid before a person decides
 * @param goneAfter for how long, at least, it is gone before a person decides
 */
public record OutputPolicy(
    long bytesMax, Duration soon, Duration again, int triesMax, Duration goneAfter) {
  /** However often: somebody may look at it every day. */
  private static final Duration PAUSE_MAX = Duration.ofHours(6);

  /** The pause after trouble that came {@code times} times before. */
  Duration pause(int times, boolean gone) {
    if (gone && times == 0) {
      return soon;
    }
    int doublings = Math.clamp(times - (gone ? 1 : 0), 0, 16);
    Duration pause = again.multipliedBy(1L << doublings);
    return pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
  }
}
