package dev.tollgate.worker.provider.spi;

import dev.tollgate.worker.provider.Secret;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Makes signers for descriptors that name them ({@code auth: {signer: aws-sigv4}}). Found by {@link
 * java.util.ServiceLoader}: list the class in {@code
 * META-INF/services/dev.tollgate.worker.provider.spi.RequestSignerFactory}.
 */
public interface RequestSignerFactory {
  /** The name by which descriptors ask for it. */
  String name();

  /** The settings that it needs in {@code auth.with}; others are refused. */
  Set<String> settings();

  /**
   * The credentials that it needs, by its own names for them in {@code auth.secrets}; a provider
   * without one of them is refused.
   */
  Set<String> secrets();

  /** Those that it uses where they are given; any others are refused. */
  default Set<String> optionalSecrets() {
    return Set.of();
  }

  /**
   * Opens a signer.
   *
   * @param settings by name
   * @param secrets gives a credential by the signer's own name for it; to be asked for each
   *     request, since credentials rotate
   * @param clock for times that signatures carry
   * @throws IllegalArgumentException if a setting cannot be used; the message names it
   */
  RequestSigner open(
      Map<String, String> settings,
      Function<String, Optional<Secret>> secrets,
      InstantSource clock);
}
