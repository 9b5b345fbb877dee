package dev.tollgate.worker.provider.signing;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.worker.provider.Secret;
import dev.tollgate.worker.provider.spi.RequestSigner;
import dev.tollgate.worker.provider.spi.RequestSignerFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * A bearer token that is a JWT (RFC 7519) signed with HMAC-SHA256 under a shared secret, used for a
 * few minutes: {@code iss} the access key, {@code nbf} a little before now for clocks that differ,
 * {@code exp} half an hour after it at most. Secrets: {@code access-key}, {@code secret-key}.
 */
public final class JwtHs256 implements RequestSignerFactory {
  private static final Duration LIFE = Duration.ofMinutes(25);
  private static final Duration USED = Duration.ofMinutes(5);
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
    AtomicReference<Token> last = new AtomicReference<>(Token.NONE);
    return _ -> {
      String access = Settings.revealed(name(), secrets, "access-key");
      String secret = Settings.revealed(name(), secrets, "secret-key");
      Instant now = clock.instant();
      Token token = last.get();
      if (!token.holds(access, secret, now)) {
        token = Token.of(access, secret, now);
        last.set(token);
      }
      return Map.of("Authorization", "Bearer " + token.text);
    };
  }

  /** A token that is used for a while, so that there are few of them. Immutable. */
  private static final class Token {
    static final Token NONE = new Token("", Sha256.of(new byte[0]), Instant.MIN);

    private final String text;
    private final Sha256 madeFrom;
    private final Instant made;

    private Token(String text, Sha256 madeFrom, Instant made) {
      this.text = text;
      this.madeFrom = madeFrom;
      this.made = made;
    }

    static Token of(String access, String secret, Instant now) {
      String text =
          JWT.create()
              .withIssuer(access)
              .withNotBefore(now.minus(CLOCKS_DIFFER))
              .withExpiresAt(now.plus(LIFE))
              .sign(Algorithm.HMAC256(secret));
      return new Token(text, digest(access, secret), now);
    }

    boolean holds(String access, String secret, Instant now) {
      return !now.isBefore(made)
          && now.isBefore(made.plus(USED))
          && madeFrom.equals(digest(access, secret));
    }

    private static Sha256 digest(String access, String secret) {
      return Sha256.of((access + "\n" + secret).getBytes(StandardCharsets.UTF_8));
    }
  }
}
