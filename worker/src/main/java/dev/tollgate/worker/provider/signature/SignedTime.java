package dev.tollgate.worker.provider.signature;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The time of a signature: whole seconds since 1970, not far from now. Stateless. */
final class SignedTime {
  /** As Standard Webhooks and fal have it. */
  static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final Predicate<String> WHOLE_SECONDS =
      Pattern.compile("[0-9]{1,12}").asMatchPredicate();

  private SignedTime() {}

  /** What is wrong with it; empty if nothing is. */
  static Optional<String> fault(@Nullable String seconds, Instant now, Duration tolerance) {
    if (seconds == null) {
      return Optional.of("no time");
    }
    if (!WHOLE_SECONDS.test(seconds)) {
      return Optional.of("its time is no whole number of seconds");
    }
    long away = Math.abs(now.getEpochSecond() - Long.parseLong(seconds));
    return away > tolerance.toSeconds()
        ? Optional.of("signed " + away + " s away from now")
        : Optional.empty();
  }
}
