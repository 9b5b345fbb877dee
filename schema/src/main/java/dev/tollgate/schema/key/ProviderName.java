package dev.tollgate.schema.key;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import java.util.regex.Pattern;

/** The rule for a provider's name: it stands in file names, metrics tags and addresses. */
public final class ProviderName {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

  private ProviderName() {}

  /** Whether this is a possible name of a provider. */
  public static boolean isValid(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * The name itself.
   *
   * @throws RefusedException if it is not a possible name
   */
  public static String check(String name) {
    if (!isValid(name)) {
      throw RefusedException.invalid("provider " + Excerpt.of(name) + " does not match " + NAME);
    }
    return name;
  }
}
