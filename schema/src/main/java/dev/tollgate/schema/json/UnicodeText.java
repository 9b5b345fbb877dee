package dev.tollgate.schema.json;

import dev.tollgate.schema.RefusedException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;

/** Checks and normalises Unicode text. Stateless. */
public final class UnicodeText {
  /** Below this, every code point is its own NFC form and combines with nothing before it. */
  private static final char FIRST_COMBINING = '\u0300';

  private UnicodeText() {}

  /**
   * Text of UTF-8 bytes.
   *
   * @throws RefusedException if they are not well-formed UTF-8
   */
  public static String utf8(byte[] bytes, String what) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    // a malformed sequence always leaves a replacement character, which may also be real text
    if (text.indexOf('\uFFFD') < 0) {
      return text;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      throw RefusedException.invalid(what + " is not UTF-8");
    }
  }

  /**
   * The text unchanged.
   *
   * @throws RefusedException if it holds a lone surrogate or a noncharacter (RFC 7493)
   */
  static String checked(String text, String what) {
    if (!isSimple(text)) {
      check(text, what);
    }
    return text;
  }

  /**
   * The NFC form. NFKC is not applied: a Roman numeral stays different from the letter it looks
   * like.
   *
   * @throws RefusedException if the text holds a lone surrogate or a noncharacter
   */
  public static String nfc(String text, String what) {
    if (isSimple(text)) {
      return text;
    }
    check(text, what);
    return Normalizer.normalize(text, Normalizer.Form.NFC);
  }

  private static boolean isSimple(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= FIRST_COMBINING) {
        return false;
      }
    }
    return true;
  }

  private static void check(String text, String what) {
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        throw RefusedException.invalid(Excerpt.bare(what) + " holds half of a surrogate pair");
      }
      if ((point & 0xFFFE) == 0xFFFE || (point >= 0xFDD0 && point <= 0xFDEF)) {
        throw RefusedException.invalid(Excerpt.bare(what) + " holds a Unicode noncharacter");
      }
      i += Character.charCount(point);
    }
  }
}
