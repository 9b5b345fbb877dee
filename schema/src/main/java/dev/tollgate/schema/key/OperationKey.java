package dev.tollgate.schema.key;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * The name of one intended output, for ever. Its text form is {@code <kind>:<64 hex digits>}; its
 * byte form, which is stored, is the 32 bytes of the hash followed by the kind in ASCII. Keys are
 * ordered by their byte form.
 *
 * @param kind what is generated, such as {@code video}: {@code [a-z][a-z0-9_-]{0,23}}
 * @param hash SHA-256 of the canonical dimensions
 */
public record OperationKey(String kind, Sha256 hash) implements Comparable<OperationKey> {
  /** Longest text form: kind, colon, hexadecimal hash. */
  public static final int TEXT_LENGTH_MAX = 24 + 1 + 2 * Sha256.LENGTH;

  private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9_-]{0,23}");

  public OperationKey {
    if (!isKind(kind)) {
      throw RefusedException.invalid("kind " + Excerpt.of(kind) + " does not match " + KIND);
    }
  }

  static boolean isKind(String kind) {
    return KIND.matcher(kind).matches();
  }

  /**
   * The key that a text form names.
   *
   * @throws RefusedException if the text is not a key's text form
   */
  public static OperationKey parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw notAKey(text);
    }
    try {
      return new OperationKey(text.substring(0, colon), Sha256.parse(text.substring(colon + 1)));
    } catch (IllegalArgumentException _) {
      throw notAKey(text);
    }
  }

  /**
   * The key that a byte form names.
   *
   * @throws RefusedException if the bytes are not a key's byte form
   */
  public static OperationKey fromBytes(byte[] bytes) {
    if (bytes.length <= Sha256.LENGTH) {
      throw RefusedException.invalid("an operation key has more bytes than " + bytes.length);
    }
    Sha256 hash = Sha256.fromBytes(Arrays.copyOf(bytes, Sha256.LENGTH));
    String kind =
        new String(bytes, Sha256.LENGTH, bytes.length - Sha256.LENGTH, StandardCharsets.ISO_8859_1);
    return new OperationKey(kind, hash);
  }

  /** The byte form, in a new array. */
  public byte[] bytes() {
    byte[] bytes = Arrays.copyOf(hash.bytes(), Sha256.LENGTH + kind.length());
    byte[] ascii = kind.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(ascii, 0, bytes, Sha256.LENGTH, ascii.length);
    return bytes;
  }

  @Override
  public int compareTo(OperationKey other) {
    int order = hash.compareTo(other.hash);
    return order == 0 ? kind.compareTo(other.kind) : order;
  }

  /** The text form. */
  @Override
  public String toString() {
    return kind + ':' + hash;
  }

  private static RefusedException notAKey(String text) {
    return RefusedException.invalid(
        "operation key " + Excerpt.of(text) + " is not <kind>:<64 hexadecimal digits>");
  }
}
