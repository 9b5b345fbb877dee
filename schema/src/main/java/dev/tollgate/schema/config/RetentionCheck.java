package dev.tollgate.schema.config;

import java.time.Duration;
import java.util.function.Consumer;

/** Whether anything can be forgotten as configured. */
final class RetentionCheck {
  private static final String PREFIX = "tollgate.retention.";

  /** More, and one statement could hold up others. */
  private static final int BATCH_MAX = 10_000;

  /** Beyond it, a time could not be computed with. */
  private static final Duration WINDOW_MAX = Duration.ofDays(36_500);

  private RetentionCheck() {}

  static void check(RetentionConfig retention, Consumer<String> found) {
    window("billing-window", retention.billingWindow(), found);
    window("audit-window", retention.auditWindow(), found);
    if (retention.batch() < 1 || retention.batch() > BATCH_MAX) {
      found.accept(
          "%sbatch is %d, not from 1 to %d".formatted(PREFIX, retention.batch(), BATCH_MAX));
    }
    if (!retention.pause().isPositive()) {
      found.accept(PREFIX + "pause must be positive");
    }
    if (!retention.every().isPositive()) {
      found.accept(PREFIX + "every must be positive");
    }
  }

  private static void window(String key, Duration window, Consumer<String> found) {
    if (window.isNegative() || window.compareTo(WINDOW_MAX) > 0) {
      found.accept("%s%s is not from 0 to %d days".formatted(PREFIX, key, WINDOW_MAX.toDays()));
    }
  }
}
