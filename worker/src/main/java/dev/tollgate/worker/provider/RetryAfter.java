package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.http.HttpAnswer;
import java.time.Duration;

/** Reads for how long a provider wants to be left alone. */
public final class RetryAfter {
  private static final Duration OTHERWISE = Duration.ofSeconds(1);
  private static final Duration MAX = Duration.ofHours(1);

  private RetryAfter() {}

  /**
   * What an answer's {@code Retry-After} says. Whole seconds only: a date would need the provider's
   * clock.
   *
   * @return positive, at most an hour; a second where it says nothing
   */
  public static Duration of(HttpAnswer answer) {
    String text = answer.headers().getOrDefault("retry-after", "").strip();
    if (!text.matches("[0-9]{1,9}")) {
      return OTHERWISE;
    }
    Duration asked = Duration.ofSeconds(Long.parseLong(text));
    if (asked.isZero()) {
      return OTHERWISE;
    }
    return asked.compareTo(MAX) > 0 ? MAX : asked;
  }
}
