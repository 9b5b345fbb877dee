package dev.tollgate.cli;

import dev.tollgate.cli.local.LocalConfig;
import dev.tollgate.loadtest.sandbox.Kind;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.worker.Providers;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings of one's own that {@code up} adds to those that it makes: providers, limits, budgets.
 * What {@code up} makes itself cannot be among them, so that nothing has to win. Immutable.
 *
 * @param file where they are from; none: there are none
 */
record Further(Optional<Path> file, Map<String, String> settings) {
  private static final String PREFIX = "tollgate.";
  private static final Pattern PROVIDER = Pattern.compile("tollgate\\.providers\\.([^.]+)\\.");

  Further {
    settings = Map.copyOf(settings);
  }

  static Further none() {
    return new Further(Optional.empty(), Map.of());
  }

  /**
   * Reads them.
   *
   * @throws Failure if the file cannot be read
   */
  static Further read(Path file) {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw Failure.usage("the file of --with, " + file + ", cannot be read: " + e, e);
    }
    Map<String, String> settings = new TreeMap<>();
    properties.stringPropertyNames().forEach(key -> settings.put(key, properties.getProperty(key)));
    return new Further(Optional.of(file), settings);
  }

  /**
   * Holds them against what they are added to; opens the providers, which connects to nothing.
   *
   * @param local what {@code up} makes; its sandbox's key is written already
   * @throws Failure naming everything that is wrong
   */
  void check(LocalConfig local, InstantSource clock, LongSupplier nanoTime) {
    if (file.isEmpty()) {
      return;
    }
    Map<String, String> made = local.settings("any", Optional.of(1));
    LocalConfig.receive(made, 1);
    refuse(own(made.keySet()), "is set by `up` itself, so cannot stand");
    try {
      TollgateConfig config = ConfigFile.read(file, made);
      refuse(others(), "is no setting of Tollgate, so is of no use");
      Providers.check(config, clock, nanoTime);
    } catch (ConfigFile.Invalid e) {
      throw Failure.usage("%s of --with: %s".formatted(file.get(), e.getMessage()), e);
    }
  }

  private void refuse(Set<String> keys, String why) {
    if (!keys.isEmpty()) {
      throw Failure.usage(
          "%s %s in %s of --with".formatted(String.join(", ", keys), why, file.orElseThrow()));
    }
  }

  /** Those that are made, whether their parts stand in quotes or not. */
  private Set<String> own(Set<String> made) {
    Set<String> own = new TreeSet<>();
    for (String key : settings.keySet()) {
      if (made.contains(key.replace("\"", ""))) {
        own.add(key);
      }
    }
    return own;
  }

  private Set<String> others() {
    Set<String> others = new TreeSet<>();
    for (String key : settings.keySet()) {
      if (!key.startsWith(PREFIX)) {
        others.add(key);
      }
    }
    return others;
  }

  /** The providers that are added to those of the sandbox, by name. */
  Set<String> providers() {
    Set<String> names = new TreeSet<>();
    for (String key : settings.keySet()) {
      Matcher provider = PROVIDER.matcher(key.replace("\"", ""));
      if (provider.lookingAt() && Kind.ofPath(provider.group(1)) == null) {
        names.add(provider.group(1));
      }
    }
    return names;
  }

  /** What is made, and these. */
  Map<String, String> with(Map<String, String> made) {
    Map<String, String> all = new LinkedHashMap<>(made);
    new TreeMap<>(settings).forEach(all::putIfAbsent);
    return all;
  }
}
