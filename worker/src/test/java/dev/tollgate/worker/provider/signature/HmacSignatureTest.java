package dev.tollgate.worker.provider.signature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.Secret;
import dev.tollgate.worker.provider.signature.SignatureCheck.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** HMAC in a header, of the body or of a time and the body. */
final class HmacSignatureTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000L);
  private static final Secret SECRET = Secret.of("It's-a-Secret-to-Everybody");
  private static final String BODY = "Hello, World!";
  private static final byte[] BYTES = BODY.getBytes(StandardCharsets.UTF_8);

  private static HmacSignature check(String encoding, Optional<String> timeHeader) {
    return new HmacSignature(
        new HmacSignature.Form(
            "X-Hub-Signature-256", "sha256=", encoding, timeHeader, Duration.ofMinutes(5)),
        () -> List.of(Secret.of("another-secret"), SECRET));
  }

  private static byte[] mac(String text) {
    return Macs.of(
        SECRET.reveal().getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void bodyAlone_hexAndBase64() {
    String hex = "sha256=" + HexFormat.of().formatHex(mac(BODY));
    String base64 = "sha256=" + Base64.getEncoder().encodeToString(mac(BODY));
    assertThat(check("hex", Optional.empty()).check(Map.of("x-hub-signature-256", hex), BYTES, NOW))
        .isInstanceOf(Outcome.Genuine.class);
    assertThat(
            check("base64", Optional.empty())
                .check(Map.of("x-hub-signature-256", base64), BYTES, NOW))
        .isInstanceOf(Outcome.Genuine.class);
    for (String wrong : List.of("", "sha256=", hex.substring(7), base64, hex + "00", "sha256=zz")) {
      assertThat(
              check("hex", Optional.empty())
                  .check(Map.of("x-hub-signature-256", wrong), BYTES, NOW))
          .as(wrong)
          .isInstanceOf(Outcome.Forged.class);
    }
    assertThat(check("hex", Optional.empty()).check(Map.of(), BYTES, NOW))
        .isInstanceOf(Outcome.Forged.class);
  }

  @Test
  void fc68_timeCountsOnlyAsSigned() {
    String time = "" + NOW.getEpochSecond();
    String hex = "sha256=" + HexFormat.of().formatHex(mac(time + "." + BODY));
    HmacSignature check = check("hex", Optional.of("X-Time"));
    Map<String, String> genuine = Map.of("x-hub-signature-256", hex, "x-time", time);
    assertThat(check.check(genuine, BYTES, NOW)).isInstanceOf(Outcome.Genuine.class);
    assertThat(check.check(genuine, BYTES, NOW.plusSeconds(301)))
        .isInstanceOf(Outcome.Forged.class);
    String fresh = "" + NOW.plusSeconds(301).getEpochSecond();
    assertThat(
            check.check(
                Map.of("x-hub-signature-256", hex, "x-time", fresh), BYTES, NOW.plusSeconds(301)))
        .as("a fresh time around what was signed long ago")
        .isInstanceOf(Outcome.Forged.class);
    assertThat(check.check(Map.of("x-hub-signature-256", hex), BYTES, NOW))
        .isInstanceOf(Outcome.Forged.class);
  }
}
