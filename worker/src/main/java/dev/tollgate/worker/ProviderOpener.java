package dev.tollgate.worker;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.worker.provider.Credentials;
import dev.tollgate.worker.provider.DocumentedLimits;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.ProviderTiming;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.described.DescribedAdapter;
import dev.tollgate.worker.provider.described.DescribedConfig;
import dev.tollgate.worker.provider.descriptor.Capability;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.DescriptorReader;
import dev.tollgate.worker.provider.descriptor.PathTemplate;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.HttpSettings;
import dev.tollgate.worker.provider.spi.ProviderAdapterFactory;
import dev.tollgate.worker.provider.spi.RequestSigner;
import dev.tollgate.worker.provider.spi.RequestSignerFactory;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Opens an adapter from a provider's configuration and its descriptor. */
final class ProviderOpener {
  /** As long as a kernel goes on delivering what a frozen process had written. */
  private static final Duration CONNECTION_LIFE = Duration.ofMinutes(16);

  /** Nobody documents these two. What is found is found at once; only "not there" waits so long. */
  private static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

  private static final Duration VISIBILITY_LAG = Duration.ofMinutes(10);

  /** How long a task is taken to be shown where no document says. */
  private static final Duration SHOWN_FOR = Duration.ofHours(24);

  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  private final Catalogue catalogue;
  private final Optional<URI> callbacks;
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
      Optional<URI> callbacks,
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
   * @throws IllegalArgumentException if it cannot be used as configured; the message says why
   */
  ProviderAdapter open(String name, ProviderConfig config) {
    return config.adapter().isPresent()
        ? coded(name, config, config.adapter().get())
        : described(name, config);
  }

  private ProviderAdapter described(String name, ProviderConfig config) {
    Descriptor descriptor = descriptor(name, config.descriptor().orElse(name));
    Map<String, String> settings = settings(name, config, descriptor);
    URI endpoint = endpoint(name, config, base(descriptor, settings));
    Credentials credentials = credentials(name, config, descriptor);
    ProviderProfile profile =
        new ProviderProfile(
            name,
            Offers.of(name, config, descriptor, callbacks.isPresent()),
            config.concurrency(),
            timing(config, Optional.of(descriptor)),
            new DocumentedLimits(descriptor.limits().creates()),
            descriptor.name() + " at " + endpoint);
    HttpSettings http =
        HttpSettings.of(profile.concurrency(), profile.timing().connectionLife())
            .with(descriptor.endpoint().http2() ? HttpProtocol.HTTP_2 : HttpProtocol.HTTP_1_1);
    return DescribedAdapter.open(
        descriptor,
        new DescribedConfig(
            profile,
            endpoint,
            settings,
            credentials,
            callbacks,
            config.outputHosts().orElse(List.of()),
            new DescribedConfig.KeptIn(keptAnswers, clock)),
        signer(name, descriptor, settings, credentials),
        http,
        DescribedAdapter.Patience.USUAL,
        nanoTime,
        deadlines);
  }

  private Descriptor descriptor(String provider, String name) {
    Catalogue.Text text =
        catalogue
            .find(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "provider %s: there is no descriptor %s; there are %s"
                            .formatted(provider, name, catalogue.names())));
    DescriptorReader.Result result = DescriptorReader.read(text.text());
    return result
        .descriptor()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "provider %s: descriptor %s (%s) has faults:%n  %s"
                        .formatted(
                            provider,
                            name,
                            text.place(),
                            String.join(
                                System.lineSeparator() + "  ",
                                result.problems().stream().map(Object::toString).toList()))));
  }

  private static Map<String, String> settings(
      String name, ProviderConfig config, Descriptor descriptor) {
    Map<String, String> settings = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    for (String given : config.settings().keySet()) {
      if (!descriptor.settings().containsKey(given)) {
        wrong.add("there is no setting '" + given + "'");
      }
    }
    descriptor
        .settings()
        .forEach(
            (setting, rule) -> {
              Optional<String> value =
                  Optional.ofNullable(config.settings().get(setting)).or(rule::otherwise);
              if (value.isEmpty()) {
                wrong.add("setting '" + setting + "' is missing: " + rule.about());
              } else if (!value.get().matches(rule.pattern())) {
                wrong.add("setting '" + setting + "' does not fit " + rule.pattern());
              } else {
                settings.put(setting, value.get());
              }
            });
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("provider " + name + ": " + String.join("; ", wrong));
    }
    return settings;
  }

  private static Optional<URI> base(Descriptor descriptor, Map<String, String> settings) {
    return descriptor
        .endpoint()
        .base()
        .flatMap(
            (PathTemplate base) ->
                base.fill(
                    NullNode.getInstance(), Map.of("settings", DescribedConfig.settings(settings))))
        .map(URI::create);
  }

  private static URI endpoint(String name, ProviderConfig config, Optional<URI> described) {
    URI endpoint =
        config
            .endpoint()
            .or(() -> described)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "provider " + name + ": endpoint is missing, its descriptor has none"));
    boolean http = "http".equals(endpoint.getScheme());
    if (!(http || "https".equals(endpoint.getScheme()))
        || endpoint.getHost() == null
        || endpoint.getRawUserInfo() != null
        || endpoint.getRawQuery() != null
        || endpoint.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "provider "
              + name
              + ": endpoint must be an http(s) address without user, query or fragment");
    }
    if (http && !config.plainHttp() && !onThisMachine(endpoint.getHost())) {
      throw new IllegalArgumentException(
          "provider "
              + name
              + ": endpoint is plain http, so anyone on the way can read the credential; use https,"
              + " or set plain-http=true for a network that is yours alone");
    }
    String path = endpoint.getRawPath().replaceAll("/+$", "");
    return URI.create(endpoint.getScheme() + "://" + endpoint.getRawAuthority() + path);
  }

  private static boolean onThisMachine(String host) {
    String bare = host.replace("[", "").replace("]", "");
    return bare.equals("localhost")
        || (bare.matches("[0-9.]+|.*:.*") && InetAddress.ofLiteral(bare).isLoopbackAddress());
  }

  private Credentials credentials(String name, ProviderConfig config, Descriptor descriptor) {
    Map<String, String> references = new HashMap<>(config.secrets());
    config.apiKey().ifPresent(reference -> references.put("api-key", reference));
    List<String> wrong = new ArrayList<>();
    for (String secret : descriptor.secrets()) {
      if (!references.containsKey(secret)) {
        wrong.add(
            "secret '" + secret + "' is missing (secrets." + secret + "=env:NAME or file:PATH)");
      }
    }
    for (String secret : references.keySet()) {
      if (!descriptor.secrets().contains(secret)
          && !descriptor.optionalSecrets().contains(secret)) {
        wrong.add("there is no secret '" + secret + "'");
      }
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("provider " + name + ": " + String.join("; ", wrong));
    }
    return Credentials.open(name, references, environment, nanoTime);
  }

  private Optional<RequestSigner> signer(
      String name, Descriptor descriptor, Map<String, String> settings, Credentials credentials) {
    if (!(descriptor.auth() instanceof Descriptor.Auth.Signer signer)) {
      return Optional.empty();
    }
    for (RequestSignerFactory factory : ServiceLoader.load(RequestSignerFactory.class)) {
      if (factory.name().equals(signer.name())) {
        Map<String, String> with = new HashMap<>();
        signer
            .settings()
            .forEach(
                (setting, template) ->
                    template
                        .fill(
                            NullNode.getInstance(),
                            Map.of("settings", DescribedConfig.settings(settings)))
                        .ifPresent(value -> with.put(setting, value)));
        return Optional.of(
            factory.open(
                with, own -> credentials.find(signer.secrets().getOrDefault(own, own)), clock));
      }
    }
    throw new IllegalArgumentException(
        "provider " + name + ": no request signer '" + signer.name() + "' on the class path");
  }

  private ProviderAdapter coded(String name, ProviderConfig config, String adapter) {
    for (ProviderAdapterFactory factory : ServiceLoader.load(ProviderAdapterFactory.class)) {
      if (factory.name().equals(adapter)) {
        Map<String, String> references = new HashMap<>(config.secrets());
        config.apiKey().ifPresent(reference -> references.put("api-key", reference));
        Credentials credentials = Credentials.open(name, references, environment, nanoTime);
        List<Recourse> recourses =
            config.offers().orElse(List.of()).stream().map(word -> recourse(name, word)).toList();
        URI endpoint = endpoint(name, config, Optional.empty());
        return factory.open(
            new ProviderAdapterFactory.Context(
                new ProviderProfile(
                    name,
                    recourses,
                    config.concurrency(),
                    timing(config, Optional.empty()),
                    DocumentedLimits.NONE,
                    adapter + " at " + endpoint),
                endpoint,
                config.settings(),
                credentials::get,
                nanoTime,
                clock,
                deadlines));
      }
    }
    throw new IllegalArgumentException(
        "provider " + name + ": no adapter '" + adapter + "' on the class path");
  }

  private static Recourse recourse(String name, String word) {
    return Capability.Kind.of(word)
        .flatMap(Capability.Kind::recourse)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "provider " + name + ": '" + word + "' is no capability to fall back on"));
  }

  /** How long all of its ways to look for a task show it. */
  private static Duration shownFor(Descriptor descriptor) {
    Duration found = descriptor.find().map(find -> find.keeps().orElse(SHOWN_FOR)).orElse(FOR_EVER);
    Duration listed =
        descriptor.list().map(list -> list.keeps().orElse(SHOWN_FOR)).orElse(FOR_EVER);
    return found.compareTo(listed) < 0 ? found : listed;
  }

  private static ProviderTiming timing(ProviderConfig config, Optional<Descriptor> descriptor) {
    Optional<Descriptor.Timing> documented = descriptor.map(Descriptor::timing);
    return new ProviderTiming(
        config.submitDeadline(),
        config
            .connectionLife()
            .or(() -> documented.flatMap(Descriptor.Timing::connectionLife))
            .orElse(CONNECTION_LIFE),
        config
            .longestHold()
            .or(() -> documented.flatMap(Descriptor.Timing::longestHold))
            .orElse(LONGEST_HOLD),
        config
            .visibilityLag()
            .or(() -> documented.flatMap(Descriptor.Timing::visibilityLag))
            .orElse(VISIBILITY_LAG),
        config.promiseRetention().or(() -> descriptor.flatMap(Offers::publishedRetention)),
        Optional.of(descriptor.map(ProviderOpener::shownFor).orElse(SHOWN_FOR)),
        config.callbackWait());
  }
}
