package dev.tollgate.cli;

import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.TollgateConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Where a command finds its configuration: {@code --config}, else {@code TOLLGATE_CONFIG}, else
 * what {@code up} wrote; a service takes the environment instead of that.
 */
final class ConfigOption {
  private static final String VARIABLE = "TOLLGATE_CONFIG";

  /** Where this is set, as in a container, the environment is the configuration. */
  private static final String ENOUGH = "TOLLGATE_DATABASE_URL";

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description =
          "Configuration (default: $TOLLGATE_CONFIG, else what `tollgate up` wrote; worker and reconciler: else the environment).")
  @Nullable Path file;

  /**
   * The configuration of a command that talks to a running Tollgate.
   *
   * @throws Failure if there is none
   */
  TollgateConfig required() {
    Optional<Path> found =
        named()
            .or(() -> Optional.of(Project.configIn(Project.data())).filter(Files::isRegularFile));
    if (found.isEmpty() && System.getenv(ENOUGH) == null) {
      throw Failure.usage(
          "no configuration: start `tollgate up`, or name a file with --config or " + VARIABLE);
    }
    return ConfigFile.read(found, Map.of());
  }

  /** The configuration of a service: a file if one is named, system properties and environment. */
  TollgateConfig ofService() {
    return ofService(Map.of());
  }

  /**
   * The same.
   *
   * @param given goes before all of it
   */
  TollgateConfig ofService(Map<String, String> given) {
    return ConfigFile.read(named(), given);
  }

  /**
   * The providers' configuration of a file that is named, here or by the variable. The servers may
   * be missing in it.
   */
  static Optional<TollgateConfig> ifNamed(@Nullable Path file) {
    ConfigOption option = new ConfigOption();
    option.file = file;
    return option.named().map(ConfigFile::readWithoutServers);
  }

  private Optional<Path> named() {
    String variable = System.getenv(VARIABLE);
    Optional<Path> named =
        file != null
            ? Optional.of(file)
            : Optional.ofNullable(variable).filter(v -> !v.isBlank()).map(Path::of);
    named
        .filter(path -> !Files.isReadable(path) || Files.isDirectory(path))
        .ifPresent(
            path -> {
              throw Failure.usage("the configuration file " + path + " cannot be read");
            });
    return named;
  }
}
