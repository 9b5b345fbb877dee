package dev.tollgate.schema.config;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/** An amount of the configured currency in whole millionths: {@code 0.35}. Immutable. */
public record Money(long micros) {
  private static final Pattern TEXT = Pattern.compile("[0-9]{1,12}(\\.[0-9]{1,6})?");
  private static final int DECIMALS = 6;

  public static Money of(String text) {
    if (!TEXT.matcher(text.strip()).matches()) {
      throw new IllegalArgumentException(
          "not an amount: " + text + " (like 0.35, with at most six decimals)");
    }
    return new Money(new BigDecimal(text.strip()).movePointRight(DECIMALS).longValueExact());
  }

  /** As a decimal number, with two decimals at least. */
  @Override
  public String toString() {
    BigDecimal plain = BigDecimal.valueOf(micros, DECIMALS).stripTrailingZeros();
    return (plain.scale() < 2 ? plain.setScale(2) : plain).toPlainString();
  }
}
