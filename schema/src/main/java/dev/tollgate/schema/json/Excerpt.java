package dev.tollgate.schema.json;

import java.util.HexFormat;

/**
 * A short, quoted, single-line excerpt of text from outside, fit for a message that ends up in logs
 * and headers: printable ASCII only, everything else escaped.
 */
public final class Excerpt {
  /** Enough to recognise an operation key by; too little to leak a prompt. */
  private static final int LENGTH_MAX = 96;

  private Excerpt() {}

  /** The excerpt of a text, in quotes. */
  public static String of(String text) {
    return '"' + bare(text) + '"';
  }

  /** The excerpt of a text, for a name that needs no quotes. */
  public static String bare(String text) {
    StringBuilder out = new StringBuilder();
    int end = Math.min(text.length(), LENGTH_MAX);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c >= ' ' && c <= '~') {
        out.append(c);
      } else {
        out.append("\\u").append(HexFormat.of().toHexDigits(c));
      }
    }
    return text.length() > end ? out.append("...").toString() : out.toString();
  }
}
