package dev.tollgate.worker.provider.signing;

import java.util.Map;

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
}
