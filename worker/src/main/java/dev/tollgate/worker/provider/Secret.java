package dev.tollgate.worker.provider;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;

/**
 * A credential. Its text is given out by {@link #reveal()} alone, never by {@link #toString()}, so
 * that a record which holds one can be logged. It lies masked in memory: whoever searches a heap
 * dump for it finds what a request under way holds, and no more. Immutable.
 */
public final class Secret {
  /** Shorter ones could not be taken out of a text without shredding it. */
  private static final int LENGTH_MIN = 8;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] masked;
  private final byte[] mask;

  private Secret(byte[] clear) {
    mask = new byte[clear.length];
    RANDOM.nextBytes(mask);
    masked = xor(clear, mask);
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
    return new Secret(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** The credential itself: to be used and forgotten. */
  public String reveal() {
    return new String(xor(masked, mask), StandardCharsets.US_ASCII);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret
        && MessageDigest.isEqual(xor(masked, mask), xor(secret.masked, secret.mask));
  }

  @Override
  public int hashCode() {
    return reveal().hashCode();
  }

  @Override
  public String toString() {
    return "[secret]";
  }

  private static byte[] xor(byte[] bytes, byte[] with) {
    byte[] result = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[i] = (byte) (bytes[i] ^ with[i]);
    }
    return result;
  }
}
