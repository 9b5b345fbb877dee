package dev.tollgate.schema.config;

import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the configuration. */
public final class ConfigFile {
  private static final int FILE_ORDINAL =
      100; // below system properties (400) and environment (300)
  private static final int GIVEN_ORDINAL = 500;

  /** What the library puts before the words: an exception's class, its own number. */
  private static final Pattern PREFIX =
      Pattern.compile("^(?:[\\w.$]+(?:Exception|Error): )?(?:SRCFG[0-9]+: )?");

  private ConfigFile() {}

  private static String plain(String problem) {
    return PREFIX.matcher(problem).replaceFirst("");
  }

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
    try {
      SmallRyeConfigBuilder builder =
          new SmallRyeConfigBuilder()
              .addSystemSources()
              .withSources(new PropertiesConfigSource(given, "command line", GIVEN_ORDINAL))
              .withMapping(TollgateConfig.class)
              .withMappingIgnore("tollgate.services") // how tests choose their servers
              .withConverter(java.time.Duration.class, 200, new DurationConverter())
              .withConverter(Rate.class, 200, Rate::of)
              .withConverter(Money.class, 200, Money::of);
      if (file.isPresent()) {
        builder.withSources(new PropertiesConfigSource(file.get().toUri().toURL(), FILE_ORDINAL));
      }
      SmallRyeConfig config = builder.build();
      TollgateConfig read = config.getConfigMapping(TollgateConfig.class);
      List<String> contradictions = Contradictions.of(read);
      if (!contradictions.isEmpty()) {
        throw Invalid.of(contradictions);
      }
      return read;
    } catch (ConfigValidationException e) {
      List<String> problems =
          IntStream.range(0, e.getProblemCount())
              .mapToObj(i -> plain(String.valueOf(e.getProblem(i).getMessage())))
              .toList();
      throw new Invalid(faults(problems), e);
    } catch (IOException e) {
      throw new Invalid(
          "the configuration file " + file.orElseThrow() + " cannot be read: " + e, e);
    }
  }
}
