package dev.tollgate.schema.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.RefusedException;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonNumberTest {
  private static final long SEED = 20_250_301;

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "-0.0, 0",
    "0e99999999999, 0",
    "12345.0, 12345",
    "1.2345e4, 12345",
    "-12345, -12345",
    "1e21, 1e+21",
    "1e20, 100000000000000000000",
    "0.000001, 0.000001",
    "0.0000001, 1e-7",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "5e-324, 5e-324",
    "9007199254740992, 9007199254740992",
    "0.30000000000000004, 0.30000000000000004",
  })
  void canonical_isTheRfc8785Form(String text, String form) {
    assertThat(JsonNumber.canonical(text)).isEqualTo(form);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e400",
        "-1e400",
        "1e99999999999",
        "1e-400",
        "1e-99999999999",
        "9007199254740993",
        "-9007199254740993",
        "0.1000000000000000055",
        "12345678901234567890",
        "333333333.33333329",
      })
  void canonical_thatWouldNameAnotherNumber_isRefused(String text) {
    assertThatThrownBy(() -> JsonNumber.canonical(text))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(text);
  }

  @Test
  void canonical_ofTheShortestTextOfAnyDouble_readsBackAsThatDouble() {
    Random random = new Random(SEED);
    for (int i = 0; i < 50_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (!Double.isFinite(value)) {
        continue;
      }
      String text = Double.toString(value);
      String form = JsonNumber.canonical(text);
      assertThat(Double.parseDouble(form)).as("seed %d, %s", SEED, text).isEqualTo(value);
      assertThat(new BigDecimal(form)).isEqualByComparingTo(text);
      assertThat(JsonNumber.canonical(form)).isEqualTo(form);
    }
  }
}
