package dev.tollgate.worker.provider;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * What tells the very bytes of one answer from those of any other: a strong validator as of RFC
 * 9110, section 8.8. Stateless.
 */
final class Validator {
  /** A resource may change twice within the second that a date names. */
  private static final Duration OLD_ENOUGH = Duration.ofSeconds(1);

  private Validator() {}

  /**
   * The value for {@code If-Range}; empty where the server has none, or does not serve ranges.
   *
   * @param headers of the answer, by lower-case name
   */
  static Optional<String> of(Map<String, String> headers) {
    boolean ranges =
        Arrays.stream(headers.getOrDefault("accept-ranges", "").split(","))
            .anyMatch(unit -> unit.strip().equalsIgnoreCase("bytes"));
    if (!ranges) {
      return Optional.empty();
    }
    String etag = headers.getOrDefault("etag", "");
    if (etag.length() >= 2 && etag.startsWith("\"") && etag.indexOf('"', 1) == etag.length() - 1) {
      return Optional.of(etag);
    }
    return Optional.ofNullable(headers.get("last-modified"))
        .filter(modified -> isOlder(modified, headers.getOrDefault("date", "")));
  }

  private static boolean isOlder(String modified, String date) {
    try {
      return !when(modified).plus(OLD_ENOUGH).isAfter(when(date));
    } catch (DateTimeException _) {
      return false; // without dates that can be read, nobody knows
    }
  }

  private static ZonedDateTime when(String text) {
    return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
  }
}
