package dev.tollgate.schema.config;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.spi.Converter;

/** Reads {@code 500ms}, {@code 2s}, {@code 5m}, {@code 24h}, {@code 7d} and ISO 8601. */
final class DurationConverter implements Converter<Duration> {
  private static final long serialVersionUID = 1L;
  private static final Pattern SHORT = Pattern.compile("([0-9]{1,12})\\s*(ms|s|m|h|d)");
  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "ms", ChronoUnit.MILLIS,
          "s", ChronoUnit.SECONDS,
          "m", ChronoUnit.MINUTES,
          "h", ChronoUnit.HOURS,
          "d", ChronoUnit.DAYS);

  @Override
  public Duration convert(String text) {
    String trimmed = text.strip().toLowerCase(Locale.ROOT);
    Matcher matcher = SHORT.matcher(trimmed);
    if (matcher.matches()) {
      ChronoUnit unit = UNITS.get(matcher.group(2));
      if (unit != null) {
        return Duration.of(Long.parseLong(matcher.group(1)), unit);
      }
    }
    try {
      return Duration.parse(trimmed.toUpperCase(Locale.ROOT));
    } catch (java.time.format.DateTimeParseException e) {
      throw new IllegalArgumentException(
          "not a duration: " + text + " (like 500ms, 2s, 5m, 24h, PT2S)", e);
    }
  }
}
