package dev.tollgate.worker.provider.signing;

import dev.tollgate.worker.provider.Secret;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads a signer's settings. Stateless. */
final class Settings {
  private Settings() {}

  /**
   * A setting that has to be there.
   *
   * @throws IllegalArgumentException naming it if it is not
   */
  static String required(String signer, Map<String, String> settings, String name) {
    String value = settings.get(name);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException("signer " + signer + " needs '" + name + "' in with");
    }
    return value;
  }

  /**
   * A credential that has to be there.
   *
   * @throws IllegalArgumentException naming it if it is not
   */
  static String revealed(String signer, Function<String, Optional<Secret>> secrets, String name) {
    return secrets
        .apply(name)
        .orElseThrow(
            () -> new IllegalArgumentException("signer " + signer + " needs the secret " + name))
        .reveal();
  }
}
