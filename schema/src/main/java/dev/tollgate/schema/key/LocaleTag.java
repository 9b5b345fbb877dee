package dev.tollgate.schema.key;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The canonical form of a BCP 47 language tag: well-formed by RFC 5646 (a two or three letter
 * language first), hyphens for underscores, and letter case by its section 2.1.1. No registry is
 * asked, so that every language can compute the same; {@code en} and {@code en-US} stay two
 * locales, and {@code iw} stays {@code iw}.
 */
final class LocaleTag {
  private static final int LENGTH_MAX = 64;

  private static final Pattern WELL_FORMED =
      Pattern.compile(
          "[a-z]{2,3}(-[a-z]{3}){0,3}" // language, extended language
              + "(-[a-z]{4})?" // script
              + "(-([a-z]{2}|[0-9]{3}))?" // region
              + "(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*" // variants
              + "(-[0-9a-wyz](-[a-z0-9]{2,8})+)*" // extensions
              + "(-x(-[a-z0-9]{1,8})+)?"); // private use

  private LocaleTag() {}

  static String canonical(String tag) {
    String lower = tag.replace('_', '-').toLowerCase(Locale.ROOT);
    // the length first: it bounds what the pattern can cost
    if (tag.length() > LENGTH_MAX || !WELL_FORMED.matcher(lower).matches()) {
      throw RefusedException.invalid("locale " + Excerpt.of(tag) + " is not a BCP 47 tag");
    }
    StringBuilder out = new StringBuilder(lower);
    int start = lower.indexOf('-') + 1;
    while (start > 0) {
      int hyphen = lower.indexOf('-', start);
      int end = hyphen < 0 ? lower.length() : hyphen;
      if (end - start == 1) {
        break; // a singleton: all that follows it is lower case
      }
      setCase(out, start, end);
      start = hyphen + 1;
    }
    return out.toString();
  }

  private static void setCase(StringBuilder out, int start, int end) {
    int upperUntil =
        switch (end - start) {
          case 2 -> end; // region
          case 4 -> start + 1; // script; a variant of four starts with a digit
          default -> start;
        };
    for (int i = start; i < upperUntil; i++) {
      out.setCharAt(i, Character.toUpperCase(out.charAt(i)));
    }
  }
}
