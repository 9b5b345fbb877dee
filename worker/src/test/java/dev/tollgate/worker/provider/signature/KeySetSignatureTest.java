package dev.tollgate.worker.provider.signature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.signature.SignatureCheck.Outcome;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Signatures under a published key set that rotates, or is away. */
final class KeySetSignatureTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000L);
  private static final byte[] BODY = "{\"status\":\"OK\"}".getBytes(StandardCharsets.UTF_8);

  private static final KeySetSignature.Form FORM =
      new KeySetSignature.Form(
          "X-Signature",
          "hex",
          List.of("X-Request", "X-User", "X-Time"),
          "X-Time",
          Duration.ofMinutes(5));

  private long nanos;
  private int fetches;
  private final List<KeyPair> published = new ArrayList<>();
  private boolean away;

  private final KeySetSignature check =
      new KeySetSignature(FORM, new KeySet(this::fetch, Duration.ofHours(24), () -> nanos));

  private Optional<byte[]> fetch() {
    fetches++;
    if (away) {
      return Optional.empty();
    }
    StringBuilder keys = new StringBuilder();
    for (KeyPair pair : published) {
      byte[] encoded = pair.getPublic().getEncoded();
      byte[] raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
      keys.append(keys.isEmpty() ? "" : ",")
          .append("{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"")
          .append(Base64.getUrlEncoder().withoutPadding().encodeToString(raw))
          .append("\"}");
    }
    String other = keys.isEmpty() ? "" : ",{\"kty\":\"RSA\"}";
    return Optional.of(("{\"keys\":[" + keys + other + "]}").getBytes(StandardCharsets.UTF_8));
  }

  private static KeyPair pair() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, String> signed(KeyPair by, Instant at) {
    try {
      String time = "" + at.getEpochSecond();
      String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(BODY));
      Signature sign = Signature.getInstance("Ed25519");
      sign.initSign(by.getPrivate());
      sign.update(("r-1\nu-1\n" + time + "\n" + hash).getBytes(StandardCharsets.UTF_8));
      Map<String, String> headers = new HashMap<>();
      headers.put("x-request", "r-1");
      headers.put("x-user", "u-1");
      headers.put("x-time", time);
      headers.put("x-signature", HexFormat.of().formatHex(sign.sign()));
      return headers;
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private void later(Duration by) {
    nanos += by.toNanos();
  }

  @Test
  void genuine_isFetchedForOnce() {
    published.add(pair());
    for (int i = 0; i < 100; i++) {
      assertThat(check.check(signed(published.getFirst(), NOW), BODY, NOW))
          .isInstanceOf(Outcome.Genuine.class);
    }
    assertThat(fetches).isEqualTo(1);
  }

  @Test
  void forgeries_doNotFetchMoreThanOnceAMinute() {
    published.add(pair());
    KeyPair stranger = pair();
    for (int i = 0; i < 100; i++) {
      assertThat(check.check(signed(stranger, NOW), BODY, NOW)).isInstanceOf(Outcome.Forged.class);
    }
    assertThat(fetches).isEqualTo(1);
    later(Duration.ofMinutes(2));
    check.check(signed(stranger, NOW), BODY, NOW);
    assertThat(fetches).isEqualTo(2);
  }

  @Test
  void keyThatIsNew_isFetched() {
    published.add(pair());
    check.check(signed(published.getFirst(), NOW), BODY, NOW);
    later(Duration.ofMinutes(2));
    published.set(0, pair());
    assertThat(check.check(signed(published.getFirst(), NOW), BODY, NOW))
        .isInstanceOf(Outcome.Genuine.class);
  }

  @Test
  void keySetThatIsAway_isNoForgery_andOldKeysServeForADay() {
    away = true;
    KeyPair key = pair();
    assertThat(check.check(signed(key, NOW), BODY, NOW)).isInstanceOf(Outcome.CannotTell.class);
    away = false;
    published.add(key);
    later(Duration.ofSeconds(6));
    assertThat(check.check(signed(key, NOW), BODY, NOW)).isInstanceOf(Outcome.Genuine.class);
    away = true;
    later(Duration.ofHours(23));
    assertThat(check.check(signed(key, NOW), BODY, NOW)).isInstanceOf(Outcome.Genuine.class);
    later(Duration.ofHours(2));
    assertThat(check.check(signed(key, NOW), BODY, NOW)).isInstanceOf(Outcome.CannotTell.class);
  }

  @Test
  void fc68_timeThatIsNotTheSignedOne_isForged() {
    published.add(pair());
    Map<String, String> old = signed(published.getFirst(), NOW.minusSeconds(3600));
    assertThat(check.check(old, BODY, NOW)).isInstanceOf(Outcome.Forged.class);
    old.put("x-time", "" + NOW.getEpochSecond());
    assertThat(check.check(old, BODY, NOW)).isInstanceOf(Outcome.Forged.class);
  }

  @Test
  void anyHeaderOrByteElse_isForged() {
    published.add(pair());
    for (String header : List.of("x-request", "x-user", "x-time", "x-signature")) {
      Map<String, String> headers = signed(published.getFirst(), NOW);
      headers.put(header, "x".repeat(3));
      assertThat(check.check(headers, BODY, NOW)).isInstanceOf(Outcome.Forged.class);
      headers.remove(header);
      assertThat(check.check(headers, BODY, NOW)).isInstanceOf(Outcome.Forged.class);
    }
    assertThat(check.check(signed(published.getFirst(), NOW), new byte[0], NOW))
        .isInstanceOf(Outcome.Forged.class);
  }
}
