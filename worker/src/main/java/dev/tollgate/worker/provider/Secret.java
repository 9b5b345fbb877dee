package dev.tollgate.worker.provider;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A credential. Its text is given out by {@link #reveal()} alone, never by {@link #toString()}, so
 * that a record which holds one can be logged. Immutable.
 */
public final class Secret {
  /** Shorter ones could not be taken out of a text without shredding it. */
  private static final int LENGTH_MIN = 8;

  private final String value;

  private Secret(String value) {
    this.value = value;
  }

  /**
   * Wraps a credential.
   *
   * @throws IllegalArgumentException if {@code value} is shorter than eight characters, or has one
   *     that may not stand in an HTTP header; the message does not hold the value
   */
  public static Secret of(String value) {
    if (value.length() < LENGTH_MIN || !value.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
      throw new IllegalArgumentException("a secret is eight or more printable ASCII characters");
    }
    return new Secret(value);
  }

  /** The credential itself. */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && MessageDigest.isEqual(utf8(), secret.utf8());
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "[secret]";
  }

  private byte[] utf8() {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
