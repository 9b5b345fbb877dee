package dev.tollgate.worker.provider.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import com.auth0.jwt.interfaces.DecodedJWT;
import dev.tollgate.worker.provider.Secret;
import dev.tollgate.worker.provider.spi.RequestSigner;
import dev.tollgate.worker.provider.spi.RequestSignerFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SignersTest {
  private static final Instant NOW = Instant.parse("2015-08-30T12:36:00Z");

  /** The credentials of AWS's own published examples. */
  private static final Map<String, String> AWS =
      Map.of(
          "access-key-id", "AKIDEXAMPLE",
          "secret-access-key", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");

  private static final RequestSigner.Request GET_VANILLA =
      new RequestSigner.Request(
          "GET", "example.amazonaws.com", "/", "", Map.of("Accept", "*/*"), Optional.empty());

  @Test
  void bothAreFoundByName() {
    assertThat(ServiceLoader.load(RequestSignerFactory.class))
        .extracting(RequestSignerFactory::name)
        .contains("aws-sigv4", "jwt-hs256");
  }

  @Test
  void sigV4_namesItsScopeAndWhatItStandsOn() {
    Map<String, String> headers = sigV4().sign(GET_VANILLA);
    assertThat(headers).containsEntry("X-Amz-Date", "20150830T123600Z").doesNotContainKey("Host");
    assertThat(headers.getOrDefault("Authorization", ""))
        .startsWith(
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,")
        .contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date,");
  }

  @Test
  void sigV4_dependsOnEachPartOfTheRequest() {
    String plain = signature(GET_VANILLA);
    assertThat(signature(request("POST", "/", "", Optional.empty()))).isNotEqualTo(plain);
    assertThat(signature(request("GET", "/a", "", Optional.empty()))).isNotEqualTo(plain);
    assertThat(signature(request("GET", "/", "a=b", Optional.empty()))).isNotEqualTo(plain);
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    assertThat(signature(request("GET", "/", "", Optional.of(body)))).isNotEqualTo(plain);
  }

  @Test
  void sigV4_temporaryCredentials_carryTheirToken() {
    Map<String, String> temporary = new HashMap<>(AWS);
    temporary.put("session-token", "token-0123456789");
    Map<String, String> headers =
        new AwsSigV4()
            .open(Map.of("service", "s", "region", "us-east-1"), secrets(temporary), () -> NOW)
            .sign(GET_VANILLA);
    assertThat(headers).containsEntry("X-Amz-Security-Token", "token-0123456789");
  }

  @Test
  void sigV4_needsItsSettings() {
    assertThatThrownBy(
            () -> new AwsSigV4().open(Map.of("service", "bedrock"), secrets(AWS), () -> NOW))
        .hasMessageContaining("region");
  }

  @Test
  void jwt_saysWhoAndForHowLong_underTheSharedSecret() {
    Map<String, String> keys = Map.of("access-key", "access-1", "secret-key", "secret-key-1234");
    RequestSigner signer = new JwtHs256().open(Map.of(), secrets(keys), () -> NOW);
    String header = signer.sign(GET_VANILLA).getOrDefault("Authorization", "");
    assertThat(header).startsWith("Bearer ");
    DecodedJWT token = JWT.decode(header.substring("Bearer ".length()));
    Algorithm.HMAC256("secret-key-1234").verify(token);
    assertThat(token.getAlgorithm()).isEqualTo("HS256");
    assertThat(token.getIssuer()).isEqualTo("access-1");
    assertThat(token.getNotBeforeAsInstant()).isEqualTo(NOW.minusSeconds(5));
    assertThat(Duration.between(NOW, token.getExpiresAtAsInstant()))
        .isLessThanOrEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void jwt_isUsedForAWhile_andMadeAnewWhenItsKeysRotate() {
    Map<String, String> keys = new HashMap<>();
    keys.put("access-key", "access-1");
    keys.put("secret-key", "secret-key-1234");
    AtomicReference<Instant> now = new AtomicReference<>(NOW);
    RequestSigner signer =
        new JwtHs256()
            .open(Map.of(), name -> Optional.ofNullable(keys.get(name)).map(Secret::of), now::get);
    Map<String, String> first = signer.sign(GET_VANILLA);
    assertThat(signer.sign(GET_VANILLA)).isEqualTo(first);
    now.set(NOW.plus(Duration.ofMinutes(6)));
    Map<String, String> later = signer.sign(GET_VANILLA);
    assertThat(later).isNotEqualTo(first);
    keys.put("secret-key", "secret-key-5678");
    assertThat(signer.sign(GET_VANILLA)).isNotEqualTo(later);
  }

  private static RequestSigner sigV4() {
    return new AwsSigV4()
        .open(Map.of("service", "service", "region", "us-east-1"), secrets(AWS), () -> NOW);
  }

  private static String signature(RequestSigner.Request request) {
    return sigV4().sign(request).getOrDefault("Authorization", "");
  }

  private static RequestSigner.Request request(
      String method, String path, String query, Optional<byte[]> body) {
    return new RequestSigner.Request(method, "example.amazonaws.com", path, query, Map.of(), body);
  }

  private static Function<String, Optional<Secret>> secrets(Map<String, String> values) {
    return name -> Optional.ofNullable(values.get(name)).map(Secret::of);
  }
}
