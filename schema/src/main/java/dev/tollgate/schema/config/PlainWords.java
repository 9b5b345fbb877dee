package dev.tollgate.schema.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong with a key in words of our own. The library reports problems as texts alone,
 * so its texts are taken apart here, and nowhere else; one that is not recognized stays as it is.
 * Stateless.
 */
final class PlainWords {
  /** What the library puts before the words: an exception's class, its own number. */
  private static final Pattern PREFIX =
      Pattern.compile("^(?:[\\w.$]+(?:Exception|Error): )?(?:SRCFG[0-9]+: )?");

  private static final Pattern UNKNOWN =
      Pattern.compile("(?<key>.+) in (?<source>.+?)(?::(?<line>[0-9]+))? does not map to any root");

  private static final Pattern MISSING =
      Pattern.compile("The config property (?<key>.+) is required but it could not be found .*");

  private static final Pattern UNREADABLE =
      Pattern.compile(
          "The config property (?<key>.+?) with the config value \"(?<value>.*)\" threw an"
              + " Exception whilst being converted (?<why>.*)",
          Pattern.DOTALL);

  private static final Pattern NO_WORD =
      Pattern.compile("Cannot convert .* to enum class .*, allowed values: (?<words>.*)");

  private static final String LIST = " (`tollgate settings` lists all)";

  private PlainWords() {}

  static String of(String problem) {
    String text = PREFIX.matcher(problem).replaceFirst("");
    Matcher unknown = UNKNOWN.matcher(text);
    if (unknown.matches()) {
      String key = unknown.group("key");
      return "%s (%s) is no key of the configuration%s"
          .formatted(key, place(unknown.group("source"), unknown.group("line")), suggestion(key));
    }
    Matcher missing = MISSING.matcher(text);
    if (missing.matches()) {
      return missing.group("key") + " is missing";
    }
    Matcher unreadable = UNREADABLE.matcher(text);
    if (unreadable.matches()) {
      return "%s is '%s': %s"
          .formatted(
              unreadable.group("key"), unreadable.group("value"), why(unreadable.group("why")));
    }
    return text;
  }

  /** A key whose first part is nearly the prefix, which nobody would read. */
  static String nearlyPrefixed(String key, String meant, int line) {
    return "%s (line %s) does not begin with %s., so it would not count; did you mean %s?%s"
        .formatted(
            key,
            String.valueOf(line),
            KnownKeys.PREFIX,
            KnownKeys.nearest(meant).orElse(meant),
            LIST);
  }

  private static String suggestion(String key) {
    return KnownKeys.nearest(key).map(near -> "; did you mean " + near + "?").orElse("") + LIST;
  }

  private static String place(String source, @Nullable String line) {
    if (line != null) {
      return "line " + line;
    }
    return source.replaceFirst("^\\w+\\[source=(.*)]$", "$1");
  }

  private static String why(String text) {
    String plain = PREFIX.matcher(text).replaceFirst("");
    Matcher word = NO_WORD.matcher(plain);
    return word.matches()
        ? "it must be one of " + String.join(", ", word.group("words").split(",", -1))
        : plain;
  }
}
