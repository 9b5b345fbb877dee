package dev.tollgate.worker.provider;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes as a value: copied in, copied out, equal by content. Immutable. */
public final class Bytes {
  private static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /** No bytes. */
  public static Bytes empty() {
    return EMPTY;
  }

  /** A copy of {@code bytes}. */
  public static Bytes copyOf(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Bytes(bytes.clone());
  }

  /** The UTF-8 form of {@code text}. */
  public static Bytes utf8(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** How many bytes there are. */
  public int size() {
    return content.length;
  }

  /** A copy of the bytes. */
  public byte[] toByteArray() {
    return content.clone();
  }

  /** The bytes read as UTF-8; what is not UTF-8 becomes U+FFFD. */
  public String toUtf8() {
    return new String(content, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  /** The size only: bytes may hold a prompt. */
  @Override
  public String toString() {
    return content.length + " bytes";
  }
}
