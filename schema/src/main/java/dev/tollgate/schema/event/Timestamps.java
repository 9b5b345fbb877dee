package dev.tollgate.schema.event;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;

/** RFC 3339 timestamps: seconds and an offset are required, {@code T} and {@code Z} are capital. */
final class Timestamps {
  /** Years that every store and language holds. The JSON Schemas repeat this pattern. */
  private static final Pattern RFC_3339 =
      Pattern.compile(
          "[12][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?"
              + "(Z|[+-][0-9]{2}:[0-9]{2})");

  private Timestamps() {}

  static Instant parse(String name, String text) {
    if (RFC_3339.matcher(text).matches()) {
      try {
        return OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException _) {
        // refused below: the digits are no date
      }
    }
    throw RefusedException.invalid(
        name + " " + Excerpt.of(text) + " is not a timestamp like 2030-01-31T12:00:00Z");
  }
}
