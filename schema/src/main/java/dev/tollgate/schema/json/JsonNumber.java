package dev.tollgate.schema.json;

import dev.tollgate.schema.RefusedException;
import java.io.IOException;
import java.math.BigDecimal;
import org.erdtman.jcs.NumberToJSON;

/**
 * The RFC 8785 form of a number's text. The form is that of the nearest IEEE double, so a text is
 * refused when the form names another number than the text did: otherwise two requests that ask for
 * different things would share one hash. Every number of up to 15 significant digits passes, and so
 * does the shortest text of any double.
 */
final class JsonNumber {
  /** Whole numbers of up to 15 digits are exact and already in canonical form. */
  private static final int EXACT_DIGITS = 15;

  private JsonNumber() {}

  static String canonical(String text) {
    if (isShortWhole(text)) {
      return text;
    }
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw refused(text, "is beyond the range of a double");
    }
    if (value == 0) {
      if (hasNonZeroDigit(text)) {
        throw refused(text, "is too small for a double");
      }
      return "0";
    }
    String form = shortest(value);
    if (new BigDecimal(form).compareTo(new BigDecimal(text)) != 0) {
      throw refused(text, "has more digits than a double holds, and would be read as " + form);
    }
    return form;
  }

  private static boolean isShortWhole(String text) {
    if (text.length() > EXACT_DIGITS) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static boolean hasNonZeroDigit(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 'e' || c == 'E') {
        return false;
      }
      if (c >= '1' && c <= '9') {
        return true;
      }
    }
    return false;
  }

  private static String shortest(double value) {
    try {
      return NumberToJSON.serializeNumber(value);
    } catch (IOException e) {
      throw new IllegalStateException("a finite double has a JSON form: " + value, e);
    }
  }

  private static RefusedException refused(String text, String why) {
    return RefusedException.invalid("number " + Excerpt.of(text) + " " + why);
  }
}
