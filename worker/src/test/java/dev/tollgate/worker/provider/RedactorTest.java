package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
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
