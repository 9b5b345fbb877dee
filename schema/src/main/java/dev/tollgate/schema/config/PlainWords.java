package dev.tollgate.schema.config;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong with a key in words of our own. The library reports problems as texts alone,
 * so its texts are taken apart here, and nowhere else. A text that is not recognized is not told: a
 * value may stand in it, and a value may be, or hold, a credential. Stateless.
 */
final class PlainWords {
  /** What the library puts before the words: an exception's class, its own number. */
  private static final Pattern PREFIX =
      Pattern.compile("^(?:[\\w.$]+(?:Exception|Error): )?(?:SRCFG[0-9]+: )?");

  private static final Pattern UNKNOWN =
      Pattern.compile("(?<key>.+) in (?<source>.+?)(?::(?<line>[0-9]+))? does not map to any root");

  private static final Pattern MISSING =
      Pattern.compile("The config property (?<key>.+) is required but it could not be found .*");

  private static final Pattern EMPTY =
      Pattern.compile("The config property (?<key>.+) is defined as the empty String .*");

  private static final Pattern UNREADABLE =
      Pattern.compile(
          "The config property (?<key>.+?) with the config value \"(?<value>.*)\" threw an"
              + " Exception whilst being converted (?<why>.*)",
          Pattern.DOTALL);

  private static final Pattern OTHER =
      Pattern.compile("The config property (?<key>tollgate[^\\s=]*) .*", Pattern.DOTALL);

  private static final Pattern NO_WORD =
      Pattern.compile("Cannot convert .* to enum class .*, allowed values: (?<words>.*)");

  private static final String LIST = " (`tollgate settings` lists all)";

  /** Below these keys every name is the operator's, and most values are somebody's credentials. */
  private static final Set<String> FOLDERS = Set.of("secrets", "api-key", "client");

  /** What the last part of a key ends in whose value is a credential, or an address with one. */
  private static final Pattern CREDENTIAL =
      Pattern.compile(
          ".*(?:url|uri|endpoint|callbacks|user|user-?info|password|secret|token|key)\"?",
          Pattern.CASE_INSENSITIVE);

  private static final int SHOWN_MAX = 60;
  private static final int WHY_MAX = 200;

  private PlainWords() {}

  static String of(String problem) {
    String text = PREFIX.matcher(problem).replaceFirst("");
    Matcher unreadable = UNREADABLE.matcher(text);
    if (unreadable.matches()) {
      return unreadable(
          unreadable.group("key"), unreadable.group("value"), unreadable.group("why"));
    }
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
    Matcher empty = EMPTY.matcher(text);
    if (empty.matches()) {
      return empty.group("key") + " is empty";
    }
    Matcher other = OTHER.matcher(text);
    return (other.matches() ? other.group("key") : "a key") + " cannot be read";
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

  /** A value as it may stand on a line: not all of a long one, and none of its line ends. */
  static String shown(String value) {
    return capped(value, SHOWN_MAX);
  }

  private static String unreadable(String key, String value, String why) {
    String plain = PREFIX.matcher(why).replaceFirst("");
    if (plain.startsWith(AddressConverter.REFUSAL)) {
      return key + " is " + plain;
    }
    if (mayHoldCredential(key)) {
      return key + " cannot be read (its value is not repeated)";
    }
    return "%s is '%s': %s".formatted(key, shown(value), why(plain, value));
  }

  private static boolean mayHoldCredential(String key) {
    List<String> parts = KnownKeys.parts(key);
    return parts.stream().anyMatch(FOLDERS::contains)
        || CREDENTIAL.matcher(parts.getLast()).matches();
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

  private static String why(String plain, String value) {
    Matcher word = NO_WORD.matcher(plain);
    if (word.matches()) {
      return "it must be one of " + String.join(", ", word.group("words").split(",", -1));
    }
    // most reasons repeat the value, some without the blanks around it
    String bare = value.strip();
    return capped(bare.isEmpty() ? plain : plain.replace(bare, shown(bare)), WHY_MAX);
  }

  private static String capped(String text, int max) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= max ? line : line.substring(0, max) + "…";
  }
}
