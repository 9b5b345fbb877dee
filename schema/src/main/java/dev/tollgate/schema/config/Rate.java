package dev.tollgate.schema.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often something may happen: {@code 20/s}, {@code 600/min}. Immutable. */
public record Rate(long perMinute) {
  private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,6})\\s*/\\s*(s|m|min)");

  public static Rate of(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a rate: " + text + " (like 20/s, 600/min)");
    }
    long count = Long.parseLong(matcher.group(1));
    return new Rate("s".equals(matcher.group(2)) ? count * 60 : count);
  }

  /** As many as come in a second, and one at least. */
  public int perSecond() {
    return Math.toIntExact(Math.max(1, perMinute / 60));
  }
}
