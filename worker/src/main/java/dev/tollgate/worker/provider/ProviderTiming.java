package dev.tollgate.worker.provider;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How long things last at a provider.
 *
 * @param submitDeadline how long one submit may take, from the claim to the end of its answer;
 *     positive
 * @param connectionLife how long the provider keeps a connection on which nothing happens: the
 *     longest that a frozen sender's request can still get in. It has to cover as well how long the
 *     sender's kernel goes on delivering what a frozen process had written. Positive
 * @param longestHold how long the provider may sit on a request before it creates its task
 * @param visibilityLag how long a created task may stay invisible to status calls and look-ups
 * @param promiseRetention how long the provider remembers an idempotency key, if it promises to
 * @param listedFor how long a task stays in the provider's list; absent: for ever
 * @param callbackWait how long after the horizon a callback is still waited for
 */
public record ProviderTiming(
    Duration submitDeadline,
    Duration connectionLife,
    Duration longestHold,
    Duration visibilityLag,
    Optional<Duration> promiseRetention,
    Optional<Duration> listedFor,
    Duration callbackWait) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming every duration that is out of range, each on a line of
   *     its own
   */
  public ProviderTiming {
    List<String> wrong = new ArrayList<>();
    note(wrong, !submitDeadline.isPositive(), "submit-deadline must be positive");
    note(wrong, !connectionLife.isPositive(), "connection-life must be positive");
    note(wrong, longestHold.isNegative(), "longest-hold must not be negative");
    note(wrong, visibilityLag.isNegative(), "visibility-lag must not be negative");
    note(
        wrong,
        promiseRetention.isPresent() && !promiseRetention.get().isPositive(),
        "promise-retention must be positive");
    note(wrong, callbackWait.isNegative(), "callback-wait must not be negative");
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(String.join(System.lineSeparator(), wrong));
    }
  }

  /**
   * How long after an attempt's send deadline a task could still appear: connection life, longest
   * hold and visibility lag together. Before that, "not found" proves nothing.
   */
  public Duration horizonAfter() {
    return connectionLife.plus(longestHold).plus(visibilityLag);
  }

  private static void note(List<String> to, boolean when, String text) {
    if (when) {
      to.add(text);
    }
  }
}
