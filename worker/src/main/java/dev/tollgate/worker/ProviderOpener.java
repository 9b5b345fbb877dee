package dev.tollgate.worker;

import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.worker.provider.Credentials;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.described.DescribedAdapter;
import dev.tollgate.worker.provider.described.DescribedConfig;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.HttpSettings;
import dev.tollgate.worker.provider.spi.ProviderAdapterFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Opens an adapter from a provider's configuration and its descriptor. */
final class ProviderOpener {
  private final Catalogue catalogue;
  private final Optional<DescribedConfig.Callbacks> callbacks;
  private final Function<String, @Nullable String> environment;
  private final LongSupplier nanoTime;
  private final InstantSource clock;
  private final Deadlines deadlines;
  private final Path keptAnswers;

  /**
   * @param keptAnswers folder for answers that are results themselves
   */
  ProviderOpener(
      Catalogue catalogue,
      Optional<DescribedConfig.Callbacks> callbacks,
      Function<String, @Nullable String> environment,
      LongSupplier nanoTime,
      InstantSource clock,
      Deadlines deadlines,
      Path keptAnswers) {
    this.keptAnswers = keptAnswers;
    this.catalogue = catalogue;
    this.callbacks = callbacks;
    this.environment = environment;
    this.nanoTime = nanoTime;
    this.clock = clock;
    this.deadlines = deadlines;
  }

  /**
   * Opens.
   *
   * @param faults gets everything that is wrong with it
   * @return none if anything is
   */
  Optional<ProviderAdapter> open(String name, ProviderConfig config, Faults faults) {
    ProviderReading.Result read =
        ProviderReading.of(name, config, catalogue, callbacks.isPresent(), faults);
    Map<String, String> references = references(config);
    Optional<Descriptor> descriptor = read.descriptor();
    descriptor.ifPresent(found -> checkSecrets(found, references.keySet(), faults));
    Optional<Signing> signing =
        descriptor.flatMap(found -> Signing.of(found, references.keySet(), faults));
    Optional<Credentials> credentials =
        faults.attempt(() -> Credentials.open(name, references, environment, nanoTime));
    Optional<ProviderAdapterFactory> factory = config.adapter().flatMap(at -> adapter(at, faults));
    if (!faults.none()) {
      return Optional.empty();
    }
    ConfiguredProvider provider = read.provider().orElseThrow();
    return faults.attempt(
        () ->
            provider.described().isPresent()
                ? described(
                    provider,
                    provider.described().get(),
                    config,
                    signing,
                    credentials.orElseThrow())
                : coded(provider, factory.orElseThrow(), config, credentials.orElseThrow()));
  }

  private ProviderAdapter described(
      ConfiguredProvider provider,
      ConfiguredProvider.Described described,
      ProviderConfig config,
      Optional<Signing> signing,
      Credentials credentials) {
    Descriptor descriptor = described.descriptor();
    ProviderProfile profile = provider.profile();
    HttpSettings http =
        HttpSettings.of(profile.concurrency(), profile.timing().connectionLife())
            .with(descriptor.endpoint().http2() ? HttpProtocol.HTTP_2 : HttpProtocol.HTTP_1_1);
    return DescribedAdapter.open(
        descriptor,
        new DescribedConfig(
            profile,
            provider.endpoint(),
            described.settings(),
            credentials,
            callbacks,
            config.outputHosts().orElse(List.of()),
            new DescribedConfig.KeptIn(keptAnswers, clock),
            config.statusBatch()),
        signing.map(found -> found.open(described.settings(), credentials, clock)),
        http,
        DescribedAdapter.Patience.USUAL,
        nanoTime,
        deadlines);
  }

  private static Map<String, String> references(ProviderConfig config) {
    Map<String, String> references = new TreeMap<>(config.secrets());
    config.apiKey().ifPresent(reference -> references.put("api-key", reference));
    return references;
  }

  private static void checkSecrets(Descriptor descriptor, Set<String> given, Faults faults) {
    for (String secret : new TreeSet<>(descriptor.secrets())) {
      if (!given.contains(secret)) {
        faults.add(
            "secret '" + secret + "' is missing (secrets." + secret + "=env:NAME or file:PATH)");
      }
    }
    Set<String> known = new TreeSet<>(descriptor.secrets());
    known.addAll(descriptor.optionalSecrets());
    for (String secret : given) {
      if (!known.contains(secret)) {
        faults.add(
            "there is no secret '%s'; %s"
                .formatted(secret, ProviderReading.thereAre(List.copyOf(known))));
      }
    }
  }

  private static Optional<ProviderAdapterFactory> adapter(String name, Faults faults) {
    List<String> names = new ArrayList<>();
    for (ProviderAdapterFactory factory : ServiceLoader.load(ProviderAdapterFactory.class)) {
      if (factory.name().equals(name)) {
        return Optional.of(factory);
      }
      names.add(factory.name());
    }
    faults.add(
        "no adapter '%s' on the class path; %s".formatted(name, ProviderReading.thereAre(names)));
    return Optional.empty();
  }

  private ProviderAdapter coded(
      ConfiguredProvider provider,
      ProviderAdapterFactory factory,
      ProviderConfig config,
      Credentials credentials) {
    return factory.open(
        new ProviderAdapterFactory.Context(
            provider.profile(),
            provider.endpoint(),
            config.settings(),
            credentials::get,
            nanoTime,
            clock,
            deadlines));
  }
}
