package dev.tollgate.worker.send;

import java.time.Duration;

/**
 * Limits and pauses of transport attempts.
 *
 * @param attemptsMax transport attempts of one operation; past it a person decides
 * @param pause after the first attempt that provably created nothing; doubled with each further one
 * @param pauseMax bound of that pause
 * @param followAfter when an accepted task is first asked about
 * @param lookAfter when an unknown operation is looked at if nobody hears of it sooner
 */
public record SendPolicy(
    int attemptsMax, Duration pause, Duration pauseMax, Duration followAfter, Duration lookAfter) {
  public SendPolicy {
    if (attemptsMax < 1) {
      throw new IllegalArgumentException("attemptsMax must be at least 1, is " + attemptsMax);
    }
  }
}
