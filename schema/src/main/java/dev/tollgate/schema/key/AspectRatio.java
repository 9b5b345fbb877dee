package dev.tollgate.schema.key;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The canonical form of an aspect ratio: two whole numbers from 1 to 99999 without a common factor,
 * joined by a colon. A size such as {@code 1280x720} is not a ratio (make it a dimension of its
 * own), and neither is a decimal, which could stand for several ratios.
 */
final class AspectRatio {
  private static final Pattern RATIO = Pattern.compile("([1-9][0-9]{0,4}) *: *([1-9][0-9]{0,4})");

  private AspectRatio() {}

  static String canonical(String ratio) {
    Matcher parts = RATIO.matcher(ratio);
    if (!parts.matches()) {
      throw RefusedException.invalid(
          "aspect_ratio " + Excerpt.of(ratio) + " is not <width>:<height> in whole numbers");
    }
    int width = Integer.parseInt(parts.group(1));
    int height = Integer.parseInt(parts.group(2));
    int factor = BigInteger.valueOf(width).gcd(BigInteger.valueOf(height)).intValueExact();
    return width / factor + ":" + height / factor;
  }
}
