package dev.tollgate.worker.provider.signature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.Secret;
import dev.tollgate.worker.provider.signature.SignatureCheck.Outcome;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The specification's own example, and what is near it. */
final class StandardWebhooksTest {
  private static final Secret SECRET = Secret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  private static final Secret OTHER = Secret.of("whsec_" + base64("another-secret-of-24-bytes"));
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final long TIME = 1_614_265_330L;
  private static final String BODY = "{\"test\": 2432232314}";
  private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, String> headers(String id, String time, String signature) {
    return Map.of("webhook-id", id, "webhook-timestamp", time, "webhook-signature", signature);
  }

  private static Outcome check(
      Map<String, String> headers, String body, Instant now, Secret... keys) {
    return new StandardWebhooks(() -> List.of(keys))
        .check(headers, body.getBytes(StandardCharsets.UTF_8), now);
  }

  private static Outcome check(Map<String, String> headers) {
    return check(headers, BODY, Instant.ofEpochSecond(TIME), SECRET);
  }

  @Test
  void theSpecificationsExample_isGenuine() {
    assertThat(check(headers(ID, "" + TIME, SIGNATURE))).isInstanceOf(Outcome.Genuine.class);
  }

  @ParameterizedTest
  @CsvSource({"0,true", "-300,true", "300,true", "-301,false", "301,false", "31536000,false"})
  void fc67_age_isBoundedBothWays(long later, boolean genuine) {
    Instant now = Instant.ofEpochSecond(TIME + later);
    Outcome outcome = check(headers(ID, "" + TIME, SIGNATURE), BODY, now, SECRET);
    assertThat(outcome instanceof Outcome.Genuine).isEqualTo(genuine);
  }

  static Stream<Arguments> forgeries() {
    String time = "" + TIME;
    String zero = "v1," + base64("0".repeat(32));
    return Stream.of(
        Arguments.of("none at all", Map.of()),
        Arguments.of("no id", Map.of("webhook-timestamp", time, "webhook-signature", SIGNATURE)),
        Arguments.of("no time", Map.of("webhook-id", ID, "webhook-signature", SIGNATURE)),
        Arguments.of("no signature", Map.of("webhook-id", ID, "webhook-timestamp", time)),
        Arguments.of("an empty one", headers(ID, time, "v1,")),
        Arguments.of("a short one", headers(ID, time, "v1,AAAA")),
        Arguments.of("zeros", headers(ID, time, zero)),
        Arguments.of("no version", headers(ID, time, SIGNATURE.substring(3))),
        Arguments.of("another version", headers(ID, time, "v0" + SIGNATURE.substring(2))),
        Arguments.of("a public key's", headers(ID, time, "v1a" + SIGNATURE.substring(2))),
        Arguments.of("of another id", headers(ID + "x", time, SIGNATURE)),
        Arguments.of("of another time", headers(ID, "" + (TIME + 1), SIGNATURE)),
        Arguments.of("a full stop in the id", headers("msg." + ID, time, SIGNATURE)),
        Arguments.of(
            "10,000 signatures", headers(ID, time, (zero + " ").repeat(10_000) + SIGNATURE)),
        Arguments.of("17 signatures", headers(ID, time, (zero + " ").repeat(16) + SIGNATURE)),
        Arguments.of("beyond ASCII", headers(ID, time, "v1,g0hM9SsE+OTPJTGt/tmI\u00e9\uffff=")),
        Arguments.of("a fraction", headers(ID, time + ".0", SIGNATURE)),
        Arguments.of("an exponent", headers(ID, "1e9", SIGNATURE)),
        Arguments.of("a space", headers(ID, " " + time, SIGNATURE)),
        Arguments.of("a sign", headers(ID, "+" + time, SIGNATURE)),
        Arguments.of("no number", headers(ID, "NaN", SIGNATURE)),
        Arguments.of("too many digits", headers(ID, "1".repeat(40), SIGNATURE)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void forgeries(String what, Map<String, String> headers) {
    assertThat(check(headers)).as(what).isInstanceOf(Outcome.Forged.class);
  }

  @Test
  void anotherBodyOrKey_isForged() {
    Map<String, String> headers = headers(ID, "" + TIME, SIGNATURE);
    Instant now = Instant.ofEpochSecond(TIME);
    for (String body : List.of("", BODY + "\n", "\ufeff" + BODY, "{\"test\":2432232314}")) {
      assertThat(check(headers, body, now, SECRET)).isInstanceOf(Outcome.Forged.class);
    }
    assertThat(check(headers, BODY, now, OTHER)).isInstanceOf(Outcome.Forged.class);
    assertThat(check(headers, BODY, now)).isInstanceOf(Outcome.Forged.class);
  }

  @Test
  void severalSignaturesAndKeys_oneThatFitsIsEnough() {
    String list = "v1," + base64("0".repeat(32)) + " v2,abc " + SIGNATURE;
    assertThat(
            check(headers(ID, "" + TIME, list), BODY, Instant.ofEpochSecond(TIME), OTHER, SECRET))
        .isInstanceOf(Outcome.Genuine.class);
  }

  @Test
  void secretThatIsNone_isNoForgery() {
    for (String secret : List.of("whsec_%%%%%%%%", "whsec_" + base64("short"))) {
      Outcome outcome =
          check(
              headers(ID, "" + TIME, SIGNATURE),
              BODY,
              Instant.ofEpochSecond(TIME),
              Secret.of(secret));
      assertThat(outcome).isInstanceOf(Outcome.CannotTell.class);
      assertThat(outcome.toString()).doesNotContain(secret.substring(6));
    }
  }

  @Test
  void publicKey_v1aAlone() throws GeneralSecurityException {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] encoded = pair.getPublic().getEncoded();
    byte[] raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    Secret key = Secret.of("whpk_" + Base64.getEncoder().encodeToString(raw));
    Signature sign = Signature.getInstance("Ed25519");
    sign.initSign(pair.getPrivate());
    sign.update((ID + "." + TIME + "." + BODY).getBytes(StandardCharsets.UTF_8));
    String signature = Base64.getEncoder().encodeToString(sign.sign());
    Map<String, String> headers = new HashMap<>(headers(ID, "" + TIME, "v1a," + signature));
    Instant now = Instant.ofEpochSecond(TIME);
    assertThat(check(headers, BODY, now, key)).isInstanceOf(Outcome.Genuine.class);
    assertThat(check(headers, BODY + " ", now, key)).isInstanceOf(Outcome.Forged.class);
    headers.put("webhook-signature", "v1," + signature);
    assertThat(check(headers, BODY, now, key)).isInstanceOf(Outcome.Forged.class);
  }
}
