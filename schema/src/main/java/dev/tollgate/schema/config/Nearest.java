package dev.tollgate.schema.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds what somebody who mistyped a name probably meant. Stateless. */
public final class Nearest {
  private static final int NAMES_MAX = 3;

  /** Shorter pieces are part of too many names to say anything. */
  private static final int PIECE_MIN = 4;

  private Nearest() {}

  /** The names that a given one resembles, the nearest first, at most three; often none. */
  public static List<String> of(String given, Collection<String> names) {
    String wanted = given.toLowerCase(Locale.ROOT);
    return names.stream()
        .filter(name -> resembles(wanted, name.toLowerCase(Locale.ROOT)))
        .sorted(
            Comparator.comparingInt(
                    (String name) -> distance(wanted, name.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()))
        .limit(NAMES_MAX)
        .toList();
  }

  private static boolean resembles(String wanted, String name) {
    return distance(wanted, name) <= Math.max(2, wanted.length() / 4)
        || (wanted.length() >= PIECE_MIN && name.contains(wanted))
        || (name.length() >= PIECE_MIN && wanted.contains(name));
  }

  /** How many letters have to be put in, left out or exchanged (Levenshtein). */
  static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int exchanged = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(exchanged, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
