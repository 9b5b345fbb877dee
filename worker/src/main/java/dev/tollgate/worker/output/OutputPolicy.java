package dev.tollgate.worker.output;

import dev.tollgate.schema.store.OutputTrouble;
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
 * @param awayAfter for how long, at least, it cannot be fetched before a person decides
 */
public record OutputPolicy(
    long bytesMax,
    Duration soon,
    Duration again,
    int triesMax,
    Duration goneAfter,
    Duration awayAfter) {
  /** However often: somebody may look at it every day. */
  private static final Duration PAUSE_MAX = Duration.ofHours(6);

  /** What is only away may be back soon, and its address does not live for ever. */
  private static final Duration AWAY_PAUSE_MAX = Duration.ofMinutes(15);

  /** The pause after trouble that came {@code times} times before. */
  Duration pause(int times, Trouble trouble) {
    if (trouble != Trouble.WRONG && times == 0) {
      return soon;
    }
    Duration most =
        switch (trouble) {
          case WRONG, GONE -> PAUSE_MAX;
          case AWAY, UNFAMILIAR -> AWAY_PAUSE_MAX;
        };
    int doublings = Math.clamp(times - (trouble == Trouble.WRONG ? 0 : 1), 0, 16);
    Duration pause = again.multipliedBy(1L << doublings);
    return pause.compareTo(most) < 0 ? pause : most;
  }

  /** For how long trouble has to last before a person decides. */
  Duration atLeast(Trouble trouble) {
    return switch (trouble) {
      case WRONG -> Duration.ZERO;
      case GONE -> goneAfter;
      case AWAY, UNFAMILIAR -> awayAfter;
    };
  }

  /** Whether a person decides now, once it has come again. */
  boolean isEnough(Trouble trouble, OutputTrouble before, Duration atLeast) {
    return trouble != Trouble.UNFAMILIAR
        && before.times() + 1 >= triesMax
        && before.age().compareTo(atLeast) >= 0;
  }
}
