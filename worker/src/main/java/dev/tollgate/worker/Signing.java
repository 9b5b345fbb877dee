package dev.tollgate.worker;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tollgate.worker.provider.Credentials;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Auth;
import dev.tollgate.worker.provider.spi.RequestSigner;
import dev.tollgate.worker.provider.spi.RequestSignerFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/** The signer that a descriptor names, held against what that signer asks for. Immutable. */
final class Signing {
  private final Auth.Signer asked;
  private final RequestSignerFactory factory;

  private Signing(Auth.Signer asked, RequestSignerFactory factory) {
    this.asked = asked;
    this.factory = factory;
  }

  /**
   * Finds it.
   *
   * @param given the names of the credentials that the configuration has
   * @param faults gets what does not fit
   * @return none if the descriptor names no signer, or one that is not there
   */
  static Optional<Signing> of(Descriptor descriptor, Set<String> given, Faults faults) {
    if (!(descriptor.auth() instanceof Auth.Signer asked)) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>();
    for (RequestSignerFactory factory : ServiceLoader.load(RequestSignerFactory.class)) {
      if (factory.name().equals(asked.name())) {
        Signing signing = new Signing(asked, factory);
        signing.settings(faults);
        signing.secrets(descriptor, given, faults);
        return Optional.of(signing);
      }
      names.add(factory.name());
    }
    faults.add(
        "no request signer '%s' on the class path; %s"
            .formatted(asked.name(), ProviderReading.thereAre(names)));
    return Optional.empty();
  }

  private void settings(Faults faults) {
    Set<String> known = new TreeSet<>(factory.settings());
    for (String setting : new TreeSet<>(asked.settings().keySet())) {
      if (!known.contains(setting)) {
        refuse(faults, "has no setting", setting, "with", known);
      }
    }
    for (String setting : known) {
      if (!asked.settings().containsKey(setting)) {
        faults.add(
            "signer %s needs the setting '%s' in its descriptor's auth.with"
                .formatted(factory.name(), setting));
      }
    }
  }

  private void secrets(Descriptor descriptor, Set<String> given, Faults faults) {
    Set<String> known = new TreeSet<>(factory.secrets());
    known.addAll(factory.optionalSecrets());
    for (String secret : new TreeSet<>(asked.secrets().keySet())) {
      if (!known.contains(secret)) {
        refuse(faults, "has no secret", secret, "secrets", known);
      }
    }
    for (String secret : new TreeSet<>(factory.secrets())) {
      String name = named(secret);
      boolean required = descriptor.secrets().contains(name); // its absence is told already
      if (!required && !descriptor.optionalSecrets().contains(name)) {
        faults.add(
            "signer %s needs the secret '%s' in its descriptor's auth.secrets"
                .formatted(factory.name(), secret));
      } else if (!required && !given.contains(name)) {
        faults.add(
            "secret '%s' is missing: signer %s needs it (secrets.%s=env:NAME or file:PATH)"
                .formatted(name, factory.name(), name));
      }
    }
  }

  private void refuse(Faults faults, String what, String name, String part, Set<String> known) {
    faults.add(
        "signer %s %s '%s', which its descriptor's auth.%s names; %s"
            .formatted(
                factory.name(), what, name, part, ProviderReading.thereAre(List.copyOf(known))));
  }

  private String named(String secret) {
    return asked.secrets().getOrDefault(secret, secret);
  }

  /**
   * Opens it.
   *
   * @throws IllegalArgumentException if a setting cannot be used
   */
  RequestSigner open(ObjectNode settings, Credentials credentials, InstantSource clock) {
    Map<String, String> with = new HashMap<>();
    asked
        .settings()
        .forEach(
            (setting, template) ->
                template
                    .fill(NullNode.getInstance(), Map.of("settings", settings))
                    .ifPresent(value -> with.put(setting, value)));
    return factory.open(with, secret -> credentials.find(named(secret)), clock);
  }
}
