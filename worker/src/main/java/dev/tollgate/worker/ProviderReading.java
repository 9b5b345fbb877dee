package dev.tollgate.worker;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tollgate.schema.config.LimitsConfig;
import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.schema.config.Rate;
import dev.tollgate.worker.ConfiguredProvider.Described;
import dev.tollgate.worker.provider.DocumentedLimits;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.ProviderTiming;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.SendsTo;
import dev.tollgate.worker.provider.described.DescribedConfig;
import dev.tollgate.worker.provider.descriptor.Capability;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.DescriptorReader;
import dev.tollgate.worker.provider.descriptor.Problem;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads one provider's configuration, and says everything that is wrong with it: what cannot be
 * read leaves a gap, and what does not depend on it is read all the same. Confined.
 */
final class ProviderReading {
  /** As long as a kernel goes on delivering what a frozen process had written. */
  private static final Duration CONNECTION_LIFE = Duration.ofMinutes(16);

  /** Nobody documents these two. What is found is found at once; only "not there" waits so long. */
  private static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

  private static final Duration VISIBILITY_LAG = Duration.ofMinutes(10);

  /** How long a task is taken to be shown where no document says. */
  private static final Duration SHOWN_FOR = Duration.ofHours(24);

  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  /** In place of one that has faults, so that the profile's own are found beside them. */
  private static final ProviderTiming STAND_IN =
      new ProviderTiming(
          SHOWN_FOR,
          CONNECTION_LIFE,
          LONGEST_HOLD,
          VISIBILITY_LAG,
          Optional.of(SHOWN_FOR),
          Optional.empty(),
          SHOWN_FOR);

  private final String name;
  private final ProviderConfig config;
  private final Faults faults;

  private ProviderReading(String name, ProviderConfig config, Faults faults) {
    this.name = name;
    this.config = config;
    this.faults = faults;
  }

  /**
   * What was read.
   *
   * @param descriptor none if it is not there, has faults, or an adapter is code
   * @param provider none if anything is wrong
   */
  record Result(Optional<Descriptor> descriptor, Optional<ConfiguredProvider> provider) {}

  private record Found(Descriptor descriptor, String place) {}

  static Result of(
      String name,
      ProviderConfig config,
      Catalogue catalogue,
      boolean callbacksReachUs,
      Faults faults) {
    ProviderReading reading = new ProviderReading(name, config, faults);
    if (config.apiKey().isPresent() && config.secrets().containsKey("api-key")) {
      faults.add("api-key and secrets.api-key are the same credential: give one of them");
    }
    return config.adapter().isPresent()
        ? reading.coded(config.adapter().get())
        : reading.described(catalogue, callbacksReachUs);
  }

  private Result coded(String adapter) {
    List<Recourse> recourses =
        config.offers().orElse(List.of()).stream()
            .flatMap(word -> recourse(word).stream())
            .toList();
    Optional<URI> endpoint = endpoint(Optional.empty());
    Optional<ProviderTiming> timing = faults.attempt(() -> timing(Optional.empty()));
    return new Result(
        Optional.empty(),
        provider(recourses, endpoint, timing, DocumentedLimits.NONE, adapter, Optional.empty()));
  }

  private Result described(Catalogue catalogue, boolean callbacksReachUs) {
    Optional<Found> found = faults.attempt(() -> descriptor(catalogue)).flatMap(at -> at);
    if (found.isEmpty()) {
      Optional<URI> endpoint =
          config.endpoint().isPresent() ? endpoint(Optional.empty()) : Optional.empty();
      Optional<ProviderTiming> timing = faults.attempt(() -> timing(Optional.empty()));
      provider(List.of(), endpoint, timing, DocumentedLimits.NONE, name, Optional.empty());
      return new Result(Optional.empty(), Optional.empty());
    }
    Descriptor descriptor = found.get().descriptor();
    Optional<ObjectNode> settings = settings(descriptor);
    // without its settings, where the provider is cannot be said, and need not be complained about
    Optional<URI> endpoint =
        settings.isPresent() || config.endpoint().isPresent()
            ? endpoint(settings.flatMap(given -> base(descriptor, given)))
            : Optional.empty();
    List<Recourse> recourses = Offers.of(config, descriptor, callbacksReachUs, faults);
    Optional<ProviderTiming> timing = faults.attempt(() -> timing(Optional.of(descriptor)));
    return new Result(
        Optional.of(descriptor),
        provider(
            recourses,
            endpoint,
            timing,
            limits(descriptor),
            descriptor.name() + " " + descriptor.wire(),
            settings.map(given -> new Described(descriptor, found.get().place(), given))));
  }

  private DocumentedLimits limits(Descriptor descriptor) {
    LimitsConfig limits = config.limits();
    return new DocumentedLimits(
        descriptor.limits().creates(),
        limits
            .reads()
            .or(() -> descriptor.limits().reads().filter(_ -> limits.documented()).map(Rate::of)));
  }

  private Optional<ConfiguredProvider> provider(
      List<Recourse> recourses,
      Optional<URI> endpoint,
      Optional<ProviderTiming> timing,
      DocumentedLimits limits,
      String spokenBy,
      Optional<Described> described) {
    return faults
        .attempt(
            () ->
                new ProviderProfile(
                    name,
                    recourses,
                    config.concurrency(),
                    timing.orElse(STAND_IN),
                    limits,
                    new SendsTo(place(endpoint, described), spokenBy)))
        .filter(_ -> faults.none())
        .map(profile -> new ConfiguredProvider(profile, endpoint.orElseThrow(), described));
  }

  /** Two spellings of one address are one place. */
  private String place(Optional<URI> endpoint, Optional<Described> described) {
    StringBuilder place = new StringBuilder();
    endpoint.ifPresent(
        at -> {
          int usual = at.getScheme().equals("https") ? 443 : 80;
          place.append(at.getScheme()).append("://").append(at.getHost().toLowerCase(Locale.ROOT));
          place.append(at.getPort() < 0 || at.getPort() == usual ? "" : ":" + at.getPort());
          place.append(at.getRawPath());
        });
    Map<String, String> settings = new TreeMap<>(config.settings());
    described.ifPresent(
        known ->
            known
                .settings()
                .properties()
                .forEach(field -> settings.put(field.getKey(), field.getValue().asText())));
    described.ifPresent(
        known ->
            known
                .descriptor()
                .settings()
                .forEach(
                    (name, setting) ->
                        settings.computeIfPresent(
                            name, (_, value) -> setting.ofPlace() ? value : null)));
    settings.forEach((name, value) -> place.append(' ').append(name).append('=').append(value));
    config.account().ifPresent(account -> place.append(" account=").append(account));
    return place.toString();
  }

  private Optional<Found> descriptor(Catalogue catalogue) {
    String wanted = config.descriptor().orElse(name);
    Optional<Catalogue.Text> text = catalogue.find(wanted);
    if (text.isEmpty()) {
      faults.add(
          "there is no descriptor %s; there are %s"
              .formatted(wanted, String.join(", ", catalogue.names())));
      return Optional.empty();
    }
    DescriptorReader.Result result = DescriptorReader.read(text.get().text());
    for (Problem problem : result.problems()) {
      faults.add("descriptor %s: %s:%s".formatted(wanted, text.get().place(), problem));
    }
    return result.descriptor().map(descriptor -> new Found(descriptor, text.get().place()));
  }

  private Optional<ObjectNode> settings(Descriptor descriptor) {
    Map<String, String> settings = new HashMap<>();
    for (String given : new TreeSet<>(config.settings().keySet())) {
      if (!descriptor.settings().containsKey(given)) {
        faults.add(
            "there is no setting '%s'; %s"
                .formatted(given, thereAre(descriptor.settings().keySet().stream().toList())));
      }
    }
    descriptor
        .settings()
        .forEach(
            (setting, rule) -> {
              Optional<String> value =
                  Optional.ofNullable(config.settings().get(setting)).or(rule::otherwise);
              if (value.isEmpty()) {
                faults.add("setting '" + setting + "' is missing: " + rule.about());
              } else if (!value.get().matches(rule.pattern())) {
                faults.add("setting '" + setting + "' does not fit " + rule.pattern());
              } else {
                settings.put(setting, value.get());
              }
            });
    return settings.keySet().equals(descriptor.settings().keySet())
        ? Optional.of(DescribedConfig.settings(settings))
        : Optional.empty();
  }

  static String thereAre(List<String> names) {
    return names.isEmpty()
        ? "there are none"
        : "there are " + String.join(", ", names.stream().sorted().toList());
  }

  private static Optional<URI> base(Descriptor descriptor, ObjectNode settings) {
    return descriptor
        .endpoint()
        .base()
        .flatMap(base -> base.fill(NullNode.getInstance(), Map.of("settings", settings)))
        .map(URI::create);
  }

  private Optional<URI> endpoint(Optional<URI> described) {
    Optional<URI> given = config.endpoint().or(() -> described);
    if (given.isEmpty()) {
      faults.add(
          config.adapter().isPresent()
              ? "endpoint is missing"
              : "endpoint is missing, its descriptor has none");
      return given;
    }
    URI endpoint = given.get();
    boolean http = "http".equals(endpoint.getScheme());
    if (!(http || "https".equals(endpoint.getScheme()))
        || endpoint.getHost() == null
        || endpoint.getRawUserInfo() != null
        || endpoint.getRawQuery() != null
        || endpoint.getRawFragment() != null) {
      faults.add("endpoint must be an http(s) address without user, query or fragment");
      return Optional.empty();
    }
    if (http && !config.plainHttp() && !onThisMachine(endpoint.getHost())) {
      faults.add(
          "endpoint is plain http, so anyone on the way can read the credential; use https,"
              + " or set plain-http=true for a network that is yours alone");
      return Optional.empty();
    }
    String path = endpoint.getRawPath().replaceAll("/+$", "");
    return Optional.of(
        URI.create(endpoint.getScheme() + "://" + endpoint.getRawAuthority() + path));
  }

  private static boolean onThisMachine(String host) {
    String bare = host.replace("[", "").replace("]", "");
    if (bare.equals("localhost")) {
      return true;
    }
    try {
      return bare.matches("[0-9.]+|.*:.*") && InetAddress.ofLiteral(bare).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return false; // looks like an address and is none
    }
  }

  private Optional<Recourse> recourse(String word) {
    Optional<Recourse> recourse = Capability.Kind.of(word).flatMap(Capability.Kind::recourse);
    if (recourse.isEmpty()) {
      faults.add("'" + word + "' is no capability to fall back on");
    }
    return recourse;
  }

  /** How long all of its ways to look for a task show it. */
  private static Duration shownFor(Descriptor descriptor) {
    Duration found = descriptor.find().map(find -> find.keeps().orElse(SHOWN_FOR)).orElse(FOR_EVER);
    Duration listed =
        descriptor.list().map(list -> list.keeps().orElse(SHOWN_FOR)).orElse(FOR_EVER);
    return found.compareTo(listed) < 0 ? found : listed;
  }

  private ProviderTiming timing(Optional<Descriptor> descriptor) {
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
        Optional.of(descriptor.map(ProviderReading::shownFor).orElse(SHOWN_FOR)),
        config.callbackWait());
  }
}
