package dev.tollgate.schema.config;

import java.util.Locale;
import java.util.Set;
import org.eclipse.microprofile.config.spi.Converter;
import org.jspecify.annotations.Nullable;

/** Reads yes or no. The library takes every other word for no, and tells the log that word. */
final class BooleanConverter implements Converter<Boolean> {
  private static final long serialVersionUID = 1L;
  private static final Set<String> YES = Set.of("true", "yes", "y", "on", "1");
  private static final Set<String> NO = Set.of("false", "no", "n", "off", "0");

  @Override
  public @Nullable Boolean convert(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    if (word.isEmpty()) {
      return null;
    }
    if (!YES.contains(word) && !NO.contains(word)) {
      throw new IllegalArgumentException("it must be true or false");
    }
    return YES.contains(word);
  }
}
