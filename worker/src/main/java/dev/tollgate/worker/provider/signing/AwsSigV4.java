package dev.tollgate.worker.provider.signing;

import dev.tollgate.worker.provider.Secret;
import dev.tollgate.worker.provider.spi.RequestSigner;
import dev.tollgate.worker.provider.spi.RequestSignerFactory;
import java.io.ByteArrayInputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * AWS Signature Version 4, as {@code
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html} describes it. Settings:
 * {@code service}, {@code region}. Secrets: {@code access-key-id}, {@code secret-access-key} and,
 * for temporary credentials, {@code session-token}.
 */
public final class AwsSigV4 implements RequestSignerFactory {
  private static final String ACCESS_KEY = "access-key-id";
  private static final String SECRET_KEY = "secret-access-key";
  private static final String SESSION_TOKEN = "session-token";

  @Override
  public String name() {
    return "aws-sigv4";
  }

  @Override
  public Set<String> settings() {
    return Set.of("service", "region");
  }

  @Override
  public Set<String> secrets() {
    return Set.of(ACCESS_KEY, SECRET_KEY);
  }

  @Override
  public Set<String> optionalSecrets() {
    return Set.of(SESSION_TOKEN);
  }

  @Override
  public RequestSigner open(
      Map<String, String> settings,
      Function<String, Optional<Secret>> secrets,
      InstantSource clock) {
    String service = Settings.required(name(), settings, "service");
    String region = Settings.required(name(), settings, "region");
    AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    Clock utc = clock.withZone(ZoneOffset.UTC);
    return request -> {
      SignRequest<AwsCredentialsIdentity> unsigned =
          SignRequest.builder(identity(secrets))
              .request(unsigned(request))
              .payload(payload(request))
              .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, service)
              .putProperty(AwsV4HttpSigner.REGION_NAME, region)
              .putProperty(HttpSigner.SIGNING_CLOCK, utc)
              .build();
      return added(request, signer.sign(unsigned).request().headers());
    };
  }

  /** Temporary credentials come with a session token. */
  private AwsCredentialsIdentity identity(Function<String, Optional<Secret>> secrets) {
    String access = Settings.revealed(name(), secrets, ACCESS_KEY);
    String secret = Settings.revealed(name(), secrets, SECRET_KEY);
    return secrets
        .apply(SESSION_TOKEN)
        .<AwsCredentialsIdentity>map(
            token -> AwsSessionCredentialsIdentity.create(access, secret, token.reveal()))
        .orElseGet(() -> AwsCredentialsIdentity.create(access, secret));
  }

  /** Only what the signature stands on: host, content type and the provider's own headers. */
  private static SdkHttpFullRequest unsigned(RequestSigner.Request request) {
    SdkHttpFullRequest.Builder builder =
        SdkHttpFullRequest.builder()
            .method(SdkHttpMethod.fromValue(request.method()))
            .protocol("https")
            .host(host(request.host()))
            .encodedPath(request.path());
    int colon = request.host().lastIndexOf(':');
    if (colon > request.host().lastIndexOf(']')) {
      builder.port(Integer.parseInt(request.host().substring(colon + 1)));
    }
    for (String parameter :
        request.query().isEmpty() ? new String[0] : request.query().split("&")) {
      String[] pair = parameter.split("=", 2);
      builder.appendRawQueryParameter(decoded(pair[0]), pair.length > 1 ? decoded(pair[1]) : "");
    }
    request
        .headers()
        .forEach(
            (name, value) -> {
              String lower = name.toLowerCase(Locale.ROOT);
              if (lower.equals("content-type") || lower.startsWith("x-amz-")) {
                builder.putHeader(name, value);
              }
            });
    return builder.build();
  }

  private static String host(String authority) {
    int colon = authority.lastIndexOf(':');
    return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static ContentStreamProvider payload(RequestSigner.Request request) {
    byte[] body = request.body().orElse(new byte[0]);
    return () -> new ByteArrayInputStream(body);
  }

  /** What the request does not carry yet; the host is sent by the engine. */
  private static Map<String, String> added(
      RequestSigner.Request request, Map<String, List<String>> signed) {
    Map<String, String> added = new HashMap<>();
    signed.forEach(
        (name, values) -> {
          if (!request.headers().containsKey(name) && !name.equalsIgnoreCase("host")) {
            added.put(name, String.join(",", values));
          }
        });
    return added;
  }
}
