package dev.tollgate.schema.key;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A SHA-256 digest, held as four words so that it compares as a value. {@code toString()} is 64
 * lower-case hexadecimal digits; the order is that of the bytes.
 */
public record Sha256(long word0, long word1, long word2, long word3) implements Comparable<Sha256> {
  /** Length of a digest in bytes. */
  public static final int LENGTH = 32;

  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

  /** The digest of these bytes. */
  public static Sha256 of(byte[] content) {
    try {
      return fromBytes(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * A digest from its 32 bytes.
   *
   * @throws IllegalArgumentException if there are not 32
   */
  public static Sha256 fromBytes(byte[] digest) {
    if (digest.length != LENGTH) {
      throw new IllegalArgumentException(
          "a SHA-256 digest has 32 bytes, these are " + digest.length);
    }
    ByteBuffer words = ByteBuffer.wrap(digest);
    return new Sha256(words.getLong(), words.getLong(), words.getLong(), words.getLong());
  }

  /**
   * A digest from its 64 lower-case hexadecimal digits.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static Sha256 parse(String hex) {
    if (!HEX.matcher(hex).matches()) {
      throw new IllegalArgumentException("a SHA-256 digest is 64 lower-case hexadecimal digits");
    }
    return fromBytes(HexFormat.of().parseHex(hex));
  }

  /** The 32 bytes, in a new array. */
  public byte[] bytes() {
    return ByteBuffer.allocate(LENGTH)
        .putLong(word0)
        .putLong(word1)
        .putLong(word2)
        .putLong(word3)
        .array();
  }

  @Override
  public int compareTo(Sha256 other) {
    int order = Long.compareUnsigned(word0, other.word0);
    if (order == 0) {
      order = Long.compareUnsigned(word1, other.word1);
    }
    if (order == 0) {
      order = Long.compareUnsigned(word2, other.word2);
    }
    return order == 0 ? Long.compareUnsigned(word3, other.word3) : order;
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes());
  }
}
