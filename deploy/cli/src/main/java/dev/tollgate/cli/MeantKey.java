package dev.tollgate.cli;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.OperationReader;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The operation that a person means by its key, or by the first digits of one. Stateless. */
final class MeantKey {
  static final String DESCRIPTION =
      "Operation key, or the first 8 or more hexadecimal digits of one.";

  private static final Pattern ABBREVIATED = Pattern.compile("([^:]*:)?([0-9a-f]{8,64})");
  private static final int CANDIDATES = 5;

  private MeantKey() {}

  /**
   * What was typed, in lower case.
   *
   * @throws Failure if it can be no key
   */
  static String checked(String typed) {
    String wanted = typed.strip().toLowerCase(Locale.ROOT);
    if (!ABBREVIATED.matcher(wanted).matches()) {
      throw Failure.usage(
          "%s is neither an operation key nor 8 or more hexadecimal digits of one"
              .formatted(Shown.line(typed)));
    }
    return wanted;
  }

  /**
   * The key that is meant; a whole one need not be stored.
   *
   * @param wanted as {@link #checked} gives it
   * @throws Failure if none is meant, or several may be
   */
  static OperationKey in(OperationReader reader, String wanted) {
    int colon = wanted.indexOf(':');
    String digits = wanted.substring(colon + 1);
    if (colon > 0 && digits.length() == 64) {
      try {
        return OperationKey.parse(wanted);
      } catch (RefusedException e) {
        throw Failure.usage(e.reason(), e);
      }
    }
    List<OperationKey> keys =
        reader.startingWith(digits, CANDIDATES).stream()
            .filter(candidate -> colon < 0 || candidate.toString().startsWith(wanted))
            .toList();
    return switch (keys.size()) {
      case 0 -> throw unknown(wanted);
      case 1 -> keys.getFirst();
      default ->
          throw Failure.refused(
              "%s begins more than one key: %s"
                  .formatted(
                      wanted,
                      keys.stream().map(OperationKey::toString).collect(Collectors.joining(", "))));
    };
  }

  static Failure unknown(String wanted) {
    return Failure.refused("no operation has the key " + wanted);
  }
}
