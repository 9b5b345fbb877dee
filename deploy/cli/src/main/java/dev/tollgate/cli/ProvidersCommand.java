package dev.tollgate.cli;

import dev.tollgate.worker.provider.descriptor.Catalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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
    synopsisSubcommandLabel = "COMMAND")
final class ProvidersCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "check, list, show or schema?");
  }

  /** Where descriptors of one's own are. */
  static final class FolderOption {
    @Option(
        names = "--folder",
        paramLabel = "FOLDER",
        description = "Descriptors of your own, before the shipped ones.")
    @Nullable Path folder;

    Catalogue catalogue() {
      if (folder != null && !Files.isDirectory(folder)) {
        throw Failure.usage("the folder " + folder + " cannot be read");
      }
      return new Catalogue(Optional.ofNullable(folder));
    }
  }
}
