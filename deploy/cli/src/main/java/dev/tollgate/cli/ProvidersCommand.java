package dev.tollgate.cli;

import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.worker.ConfiguredProvider;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "providers",
    description = "Checks and shows provider descriptors: what each promises, and what follows.",
    subcommands = {
      ProvidersCheckCommand.class,
      ProvidersListCommand.class,
      ProvidersShowCommand.class,
      ProvidersSchemaCommand.class
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate providers list", "  tollgate providers check my-provider.json"},
    synopsisSubcommandLabel = "COMMAND")
final class ProvidersCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "check, list, show or schema?");
  }

  /** Where descriptors of one's own are, and who uses them. */
  static final class WhereOption {
    @Option(
        names = "--folder",
        paramLabel = "FOLDER",
        description = "Descriptors of your own, before the shipped ones.")
    @Nullable Path folder;

    @Option(
        names = {"-c", "--config"},
        paramLabel = "FILE",
        description =
            "A configuration (default: $TOLLGATE_CONFIG, if set): its providers, and its folder of descriptors.")
    @Nullable Path config;

    Where find() {
      if (folder != null && config != null) {
        throw Failure.usage("--folder goes without --config: the configuration names its own");
      }
      if (folder != null && !Files.isDirectory(folder)) {
        throw Failure.usage("the folder " + folder + " cannot be read");
      }
      Optional<TollgateConfig> used =
          folder == null ? ConfigOption.ifNamed(config) : Optional.empty();
      return new Where(
          new Catalogue(
              Optional.ofNullable(folder).or(() -> used.flatMap(TollgateConfig::providersFolder))),
          used);
    }
  }

  /** Descriptors, and the configuration that uses them, if there is one. */
  record Where(Catalogue catalogue, Optional<TollgateConfig> config) {
    /** The configured providers by name, sorted. */
    Map<String, ProviderConfig> providers() {
      return config
          .<Map<String, ProviderConfig>>map(used -> new TreeMap<>(used.providers()))
          .orElse(Map.of());
    }

    /**
     * A configured provider, if there is nothing wrong with it. Its credentials are not read.
     *
     * @param faults gets what is wrong
     */
    Optional<ConfiguredProvider> read(String name, ProviderConfig provider, List<String> faults) {
      boolean callbacksReachUs = config.flatMap(TollgateConfig::callbacks).isPresent();
      return ConfiguredProvider.read(name, provider, catalogue, callbacksReachUs, faults);
    }
  }
}
