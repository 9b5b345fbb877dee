package dev.tollgate.schema.config;

import io.smallrye.config.ConfigMappingInterface.Property;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The keys that a configuration can have. Stateless. */
public final class KnownKeys {
  static final String PREFIX = "tollgate";

  /** What stands in a key for a name that is the operator's to choose. */
  private static final String ANY = "*";

  private static final String ANY_SHOWN = "NAME";

  /** Two exchanged letters, or one too few and one too many. */
  private static final int PREFIX_DISTANCE = 2;

  private KnownKeys() {}

  /** Each key, with {@code NAME} for a name that is the operator's to choose, and its default. */
  public static Map<String, Optional<String>> all() {
    Map<String, Optional<String>> all = new TreeMap<>();
    properties()
        .forEach(
            (key, property) ->
                all.put(
                    key.replace(ANY, ANY_SHOWN),
                    property.hasDefaultValue()
                        ? Optional.of(property.getDefaultValue()).filter(text -> !text.isEmpty())
                        : Optional.empty()));
    return all;
  }

  private static Map<String, Property> properties() {
    Map<String, Property> properties =
        new HashMap<>(ConfigMappings.getProperties(ConfigClass.configClass(TollgateConfig.class)));
    properties.keySet().removeIf(key -> key.endsWith("[*]")); // the elements of a list
    return properties;
  }

  /** The key that somebody who wrote {@code given} probably meant. */
  static Optional<String> nearest(String given) {
    List<String> wanted = parts(given);
    Map<String, String> byRest = new HashMap<>();
    Optional<String> sameEnd = Optional.empty();
    for (String key : new TreeMap<>(properties()).keySet()) {
      List<String> parts = parts(key);
      for (int i = 0; i < parts.size(); i++) {
        if (parts.get(i).equals(ANY)) {
          parts.set(i, i < wanted.size() ? wanted.get(i) : ANY_SHOWN);
        }
      }
      String named = String.join(".", parts);
      byRest.put(named.substring(PREFIX.length()), named);
      if (wanted.size() > 1
          && wanted.size() < parts.size()
          && parts.subList(0, wanted.size() - 1).equals(wanted.subList(0, wanted.size() - 1))
          && parts.getLast().equals(wanted.getLast())) {
        sameEnd = Optional.of(named); // a level was left out
      }
    }
    if (sameEnd.isPresent()) {
      return sameEnd;
    }
    String rest = given.startsWith(PREFIX) ? given.substring(PREFIX.length()) : given;
    return byRest.keySet().stream()
        .filter(known -> Nearest.distance(rest, known) <= Math.max(2, rest.length() / 4))
        .min(
            Comparator.comparingInt((String known) -> Nearest.distance(rest, known))
                .thenComparing(Comparator.naturalOrder()))
        .map(byRest::get);
  }

  /**
   * What a key would be under the prefix that its own first part was probably meant to be; none if
   * it has the prefix, or is somebody else's key.
   */
  static Optional<String> underThePrefix(String key) {
    String first = parts(key).getFirst();
    String lower = first.toLowerCase(Locale.ROOT);
    boolean near =
        lower.startsWith(PREFIX.substring(0, PREFIX.length() - 1))
            || Nearest.distance(lower, PREFIX) <= PREFIX_DISTANCE;
    if (first.equals(PREFIX) || !near) {
      return Optional.empty();
    }
    String rest = key.substring(first.length());
    // tollgate-redis.url, or TOLLGATE_REDIS_URL as in an environment
    return Optional.of(
        lower.startsWith(PREFIX) && lower.length() > PREFIX.length()
            ? PREFIX
                + "."
                + lower.substring(PREFIX.length()).replaceFirst("^[_-]", "").replace('_', '.')
                + rest
            : PREFIX + rest);
  }

  /** A key's parts; dots in quotes part nothing. */
  static List<String> parts(String key) {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int from = 0;
    for (int i = 0; i < key.length(); i++) {
      if (key.charAt(i) == '"') {
        quoted = !quoted;
      } else if (key.charAt(i) == '.' && !quoted) {
        parts.add(key.substring(from, i));
        from = i + 1;
      }
    }
    parts.add(key.substring(from));
    return parts;
  }
}
