package dev.tollgate.schema.config;

import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

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

  /** The configuration cannot be used; the message names every fault. */
  public static final class Invalid extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Invalid(String message, Throwable cause) {
      super(message, cause);
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
              .withConverter(java.time.Duration.class, 200, new DurationConverter());
      if (file.isPresent()) {
        builder.withSources(new PropertiesConfigSource(file.get().toUri().toURL(), FILE_ORDINAL));
      }
      SmallRyeConfig config = builder.build();
      return config.getConfigMapping(TollgateConfig.class);
    } catch (ConfigValidationException e) {
      StringBuilder faults = new StringBuilder("the configuration has faults:");
      for (int i = 0; i < e.getProblemCount(); i++) {
        faults
            .append(System.lineSeparator())
            .append("  ")
            .append(plain(String.valueOf(e.getProblem(i).getMessage())));
      }
      throw new Invalid(faults.toString(), e);
    } catch (IOException e) {
      throw new Invalid(
          "the configuration file " + file.orElseThrow() + " cannot be read: " + e, e);
    }
  }
}
