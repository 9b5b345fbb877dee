package dev.tollgate.worker.provider.described;

import dev.tollgate.worker.provider.Bytes;

/**
 * JSON strings of any text: half a surrogate pair, which UTF-8 cannot hold, is escaped. Stateless.
 */
final class JsonText {
  private JsonText() {}

  /** The JSON string of {@code text}, in UTF-8. */
  static Bytes literal(String text) {
    StringBuilder json = new StringBuilder(text.length() + 16).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || c == 0x2028 || c == 0x2029) {
        escape(json, c);
      } else if (!Character.isSurrogate(c)) {
        json.append(c);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        json.append(c).append(text.charAt(i + 1));
        i++;
      } else {
        escape(json, c);
      }
    }
    return Bytes.utf8(json.append('"').toString());
  }

  private static void escape(StringBuilder json, char c) {
    json.append("\\u").append(String.format("%04x", (int) c));
  }
}
