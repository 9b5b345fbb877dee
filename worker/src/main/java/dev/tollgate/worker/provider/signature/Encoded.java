package dev.tollgate.worker.provider.signature;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** How bytes are written in a header. */
enum Encoded {
  HEX,
  BASE64;

  static Encoded of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  Optional<byte[]> read(String text) {
    try {
      return Optional.of(
          this == HEX ? HexFormat.of().parseHex(text) : Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
