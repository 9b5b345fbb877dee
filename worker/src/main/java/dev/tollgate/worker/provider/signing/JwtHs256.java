package dev.tollgate.worker.provider.signing;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import dev.tollgate.worker.provider.Secret;
import dev.tollgate.worker.provider.spi.RequestSigner;
import dev.tollgate.worker.provider.spi.RequestSignerFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A bearer token that is a JWT (RFC 7519) signed with HMAC-SHA256 under a shared secret, made for
 * each request: {@code iss} the access key, {@code nbf} a little before now for clocks that differ,
 * {@code exp} half an hour after it at most. Secrets: {@code access-key}, {@code secret-key}.
 */
public final class JwtHs256 implements RequestSignerFactory {
  private static final Duration LIFE = Duration.ofMinutes(25);
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(5);

  @Override
  public String name() {
    return "jwt-hs256";
  }

  @Override
  public Set<String> settings() {
    return Set.of();
  }

  @Override
  public Set<String> secrets() {
    return Set.of("access-key", "secret-key");
  }

  @Override
  public RequestSigner open(
      Map<String, String> settings,
      Function<String, Optional<Secret>> secrets,
      InstantSource clock) {
    return _ -> {
      Instant now = clock.instant();
      String token =
          JWT.create()
              .withIssuer(Settings.revealed(name(), secrets, "access-key"))
              .withNotBefore(now.minus(CLOCKS_DIFFER))
              .withExpiresAt(now.plus(LIFE))
              .sign(Algorithm.HMAC256(Settings.revealed(name(), secrets, "secret-key")));
      return Map.of("Authorization", "Bearer " + token);
    };
  }
}
