package dev.tollgate.schema.key;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import dev.tollgate.schema.json.UnicodeText;

/**
 * The canonical form of a dimension's text: NFC, then without spaces, tabs and line ends at both
 * ends. Inner spaces stay, every one of them. Refused are: nothing left, control characters, and
 * any other white space at an end, which languages trim differently and nobody can see.
 */
final class DimensionText {
  /** In code points. What is longer than a name belongs in the parameters or in a fingerprint. */
  static final int LENGTH_MAX = 1024;

  private DimensionText() {}

  static String canonical(String name, String value) {
    if (value.length() > LENGTH_MAX && value.codePointCount(0, value.length()) > LENGTH_MAX) {
      throw RefusedException.invalid(
          name + " is longer than " + LENGTH_MAX + " characters: " + Excerpt.of(value));
    }
    String text = trim(UnicodeText.nfc(value, name));
    if (text.isEmpty()) {
      throw RefusedException.invalid(
          name + " is empty; leave it out, or give null, where there is none");
    }
    if (isInvisible(text.codePointAt(0)) || isInvisible(text.codePointBefore(text.length()))) {
      throw RefusedException.invalid(
          name + " starts or ends with white space other than a plain one: " + Excerpt.of(text));
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw RefusedException.invalid(name + " holds a control character: " + Excerpt.of(text));
    }
    return text;
  }

  private static String trim(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isTrimmed(text.charAt(start))) {
      start++;
    }
    while (end > start && isTrimmed(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  /** White space as JSON knows it. */
  private static boolean isTrimmed(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  private static boolean isInvisible(int point) {
    return Character.isSpaceChar(point) || point == 0x200B || point == 0xFEFF;
  }
}
