package dev.tollgate.schema.config;

import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the configuration. */
public final class ConfigFile {
  private static final int FILE_ORDINAL =
      100; // below system properties (400) and environment (300)
  private static final int GIVEN_ORDINAL = 500;

  /** Addresses for whoever reads no server's. */
  private static final Map<String, String> NO_SERVERS =
      Map.of(
          "tollgate.kafka.bootstrap-servers", "none:1",
          "tollgate.database.url", "jdbc:postgresql://none/none");

  private ConfigFile() {}

  private static String faults(List<String> problems) {
    StringBuilder faults = new StringBuilder("the configuration has faults:");
    problems.forEach(problem -> faults.append(System.lineSeparator()).append("  ").append(problem));
    return faults.toString();
  }

  /** The configuration cannot be used; the message names every fault. */
  public static final class Invalid extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Invalid(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    /** Tells all of these faults. */
    public static Invalid of(List<String> faults) {
      return new Invalid(faults(faults), null);
    }
  }

  /**
   * Reads and checks all sources.
   *
   * @param file properties file, if there is one
   * @param given what a command line gives: stronger than anything else
   */
  public static TollgateConfig read(Optional<Path> file, Map<String, String> given) {
    return read(file, given, Map.of());
  }

  /**
   * Reads and checks all sources for what needs no server, such as a look at the providers: where
   * the servers are may be missing, and is then not to be used.
   */
  public static TollgateConfig readWithoutServers(Path file) {
    return read(Optional.of(file), Map.of(), NO_SERVERS);
  }

  private static TollgateConfig read(
      Optional<Path> file, Map<String, String> given, Map<String, String> otherwise) {
    List<String> faults = new ArrayList<>();
    try {
      SmallRyeConfigBuilder builder =
          new SmallRyeConfigBuilder()
              .addSystemSources()
              .withSources(new PropertiesConfigSource(given, "command line", GIVEN_ORDINAL))
              .withDefaultValues(otherwise)
              .withMapping(TollgateConfig.class)
              .withMappingIgnore("tollgate.services") // how tests choose their servers
              .withConverter(java.time.Duration.class, 200, new DurationConverter())
              .withConverter(java.net.URI.class, 200, new AddressConverter())
              .withConverter(Boolean.class, 200, new BooleanConverter())
              .withConverter(Rate.class, 200, Rate::of)
              .withConverter(Money.class, 200, Money::of);
      if (file.isPresent()) {
        PropertiesConfigSource source =
            new PropertiesConfigSource(file.get().toUri().toURL(), FILE_ORDINAL);
        builder.withSources(source);
        nearlyPrefixed(source, faults);
      }
      TollgateConfig read = builder.build().getConfigMapping(TollgateConfig.class);
      faults.addAll(Contradictions.of(read));
      if (!faults.isEmpty()) {
        throw Invalid.of(faults);
      }
      return read;
    } catch (ConfigValidationException e) {
      for (int i = 0; i < e.getProblemCount(); i++) {
        faults.add(PlainWords.of(String.valueOf(e.getProblem(i).getMessage())));
      }
      throw Invalid.of(faults); // the library's own words, as its cause, would repeat every value
    } catch (IOException e) {
      throw new Invalid(
          "the configuration file " + file.orElseThrow() + " cannot be read: " + e, e);
    }
  }

  /**
   * Keys of the file that nobody reads and that were meant for us; what else is in the environment
   * or among the system properties is somebody else's.
   */
  private static void nearlyPrefixed(PropertiesConfigSource file, List<String> faults) {
    for (String key : new TreeSet<>(file.getPropertyNames())) {
      KnownKeys.underThePrefix(key)
          .ifPresent(
              meant ->
                  faults.add(
                      PlainWords.nearlyPrefixed(
                          key, meant, file.getConfigValue(key).getLineNumber())));
    }
  }
}
