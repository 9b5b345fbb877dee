package dev.tollgate.loadtest;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Bytes as text, for messages and comparisons. */
final class Texts {
  private Texts() {}

  static String utf8(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }
}
