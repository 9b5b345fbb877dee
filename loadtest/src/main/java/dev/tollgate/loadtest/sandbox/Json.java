package dev.tollgate.loadtest.sandbox;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.json.JsonMapper;

/** The one mapper, and how texts and times are written. Thread-safe. */
final class Json {
  static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static final DateTimeFormatter MILLIS_Z =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private record Formatted(long epochMs, String text) {}

  /**
   * The last time written: most of a busy millisecond's lines share it. Volatile, and replaced
   * whole.
   */
  private static volatile Formatted last = new Formatted(0, "1970-01-01T00:00:00.000Z");

  private Json() {}

  static String quoted(String text) {
    StringBuilder json = new StringBuilder(text.length() + 8);
    quote(json, text);
    return json.toString();
  }

  static void quote(StringBuilder json, String text) {
    json.append('"');
    JsonStringEncoder.getInstance().quoteAsString(text, json);
    json.append('"');
  }

  static void quoteOrNull(StringBuilder json, @Nullable String text) {
    if (text == null) {
      json.append("null");
    } else {
      quote(json, text);
    }
  }

  /** RFC 3339 in UTC with exactly three digits of a second. */
  static String time(long epochMs) {
    Formatted known = last;
    if (known.epochMs != epochMs) {
      known = new Formatted(epochMs, MILLIS_Z.format(Instant.ofEpochMilli(epochMs)));
      last = known;
    }
    return known.text;
  }
}
