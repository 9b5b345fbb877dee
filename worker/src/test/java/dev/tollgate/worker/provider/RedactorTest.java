package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {
  private static final String KEY = "sk-canary/0123+456789";
  private static final Redactor REDACTOR = Redactor.of(List.of(Secret.of(KEY)));

  @Test
  void plain_isTakenOut() {
    assertThat(REDACTOR.redact("Bearer " + KEY + ", and " + KEY + KEY))
        .isEqualTo("Bearer [redacted], and [redacted][redacted]");
  }

  @Test
  void urlEncodedAndJsonEscaped_areTakenOut() {
    assertThat(REDACTOR.redact("?k=" + URLEncoder.encode(KEY, StandardCharsets.UTF_8) + "&x"))
        .isEqualTo("?k=[redacted]&x");
    assertThat(REDACTOR.redact("{\"k\":\"sk-canary\\/0123+456789\"}"))
        .isEqualTo("{\"k\":\"[redacted]\"}");
  }

  /** What a provider, a proxy or a log writer makes of a secret when it says it again. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sk-canary\\u002f0123\\u002B456789",
        "\\u0073k-\\u0063an\\u0061ry/0123+45678\\u0039",
        "sk-canary%2f0123%2b456789",
        "%73k-c%61nary/0123%2B45678%39",
        "sk-canary%252F0123%252b456789",
        "sk-canary%25%32%46 0123+456789",
        "sk-canary%25252F0123+456789",
        "sk-canary\\/0123\\u002b456789",
        "sk-canary\\\\/0123\\\\u002b456789",
        "sk-canary%5Cu002f0123+456789",
        "sk-canary\\u00252f0123+456789",
        "736b2d63616e6172792f303132332b343536373839",
        "736B2D63616E6172792F303132332B343536373839",
        "736b2D63616e6172792f303132332B343536373839",
        "%37%336b2d63616e6172792f303132332b343536373839"
      })
  void escapedInWhateverWay_isTakenOut(String written) {
    String text = written.replace(" ", "");
    assertThat(REDACTOR.redact("{\"a\":\"" + text + "\"}")).isEqualTo("{\"a\":\"[redacted]\"}");
  }

  /** Each character in one of eight ways: whatever mixture, nothing of it stays. */
  @Test
  void anyMixture_isTakenOut() {
    Random random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      StringBuilder text = new StringBuilder();
      KEY.chars().forEach(c -> text.append(written(c, random.nextInt(8))));
      assertThat(REDACTOR.redact("<" + text + ">")).as("%s", text).isEqualTo("<[redacted]>");
    }
  }

  private static String written(int c, int way) {
    String percent = "%%%02x".formatted(c);
    return switch (way) {
      case 0 -> percent;
      case 1 -> percent.toUpperCase(Locale.ROOT);
      case 2 -> "%25" + percent.substring(1);
      case 3 -> "%2525" + percent.substring(1);
      case 4 -> "\\u%04x".formatted(c);
      case 5 -> "\\\\u%04X".formatted(c);
      case 6 -> "%5c" + "u%04x".formatted(c);
      default -> String.valueOf((char) c);
    };
  }

  /** Of such characters nobody knows whether they stand for themselves. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\\b%41c/d\\u0041",
        "a\\\\b%41c\\/d\\\\u0041",
        "a%5Cb%2541c%2fd%5cu0041",
        "a\\b%41c%2Fd\\u0041"
      })
  void secretThatLooksEscaped_isTakenOut(String written) {
    Redactor redactor = Redactor.of(List.of(Secret.of("a\\b%41c/d\\u0041")));
    assertThat(redactor.redact("(" + written + ")")).isEqualTo("([redacted])");
  }

  @Test
  void secretsThatOverlap_areBothTakenOut() {
    Redactor redactor = Redactor.of(List.of(Secret.of("first-half"), Secret.of("half-second")));
    assertThat(redactor.redact("a first-half-second b")).isEqualTo("a [redacted] b");
  }

  @Test
  void escapesOfOtherThings_stayAsTheyAre() {
    String text = "\\u002f %2f %25 \\ \\\\ \\n % %% %zz \\u12 sk-can\\u0064y 736b2d";
    assertThat(REDACTOR.redact(text)).isEqualTo(text);
    assertThat(REDACTOR.redact("sk-canary%")).isEqualTo("sk-canary%");
  }

  @Test
  void manyBackslashes_takeNoLongTime() {
    Redactor redactor = Redactor.of(List.of(Secret.of("\\".repeat(12) + "x")));
    String many = "\\".repeat(1_000);
    assertThat(redactor.redact(many)).isEqualTo(many);
  }

  /** Base64 looks different at each offset that the secret has in what was encoded. */
  @ParameterizedTest
  @ValueSource(strings = {"", "u", "us", "use", "user:", "Bearer "})
  void base64AtAnyOffset_isTakenOut(String before) {
    for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
      byte[] plain = (before + KEY + "!").getBytes(StandardCharsets.UTF_8);
      String redacted = REDACTOR.redact(encoder.encodeToString(plain));
      assertThat(redacted).contains("[redacted]");
      // what is left besides the mark is at most the text around it, and bits of its neighbours
      assertThat(redacted.replace("[redacted]", "").length())
          .isLessThanOrEqualTo(before.length() * 4 / 3 + 6);
    }
  }

  @Test
  void secretCutAtTheEnd_isTakenOutOfACutBodyOnly() {
    byte[] cut = "error: sk-canary/01".getBytes(StandardCharsets.UTF_8);
    assertThat(new String(REDACTOR.redact(cut, true), StandardCharsets.UTF_8))
        .isEqualTo("error: [redacted]");
    assertThat(REDACTOR.redact(cut, false)).isEqualTo(cut);
    for (String end : List.of("sk-canary%", "sk-canary%2", "sk-canary\\u00", "sk%2dcan%2")) {
      byte[] bytes = end.getBytes(StandardCharsets.UTF_8);
      assertThat(new String(REDACTOR.redact(bytes, true), StandardCharsets.UTF_8))
          .as(end)
          .isEqualTo("[redacted]");
    }
  }

  @Test
  void otherBytes_stayAsTheyAre() {
    byte[] bytes = {0, -1, 's', 'k', '-', 'c', 'a', 'n', 'd', 'y'};
    assertThat(REDACTOR.redact(bytes, true)).isEqualTo(bytes);
  }

  @Test
  void secret_showsItselfToNobody() {
    Secret secret = Secret.of(KEY);
    assertThat(secret.toString()).isEqualTo("[secret]");
    assertThat(secret).isEqualTo(Secret.of(KEY)).isNotEqualTo(Secret.of("another-key"));
    assertThatThrownBy(() -> Secret.of("with\r\nnewline"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("newline");
    assertThatThrownBy(() -> Secret.of("short")).isInstanceOf(IllegalArgumentException.class);
  }
}
