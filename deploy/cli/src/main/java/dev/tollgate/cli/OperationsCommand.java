package dev.tollgate.cli;

import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.OperationReader;
import dev.tollgate.worker.Worker;
import dev.tollgate.worker.reading.StreamAddresses;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "operations",
    aliases = "ops",
    description =
        "Shows operations, one for each intended output; asks for another try of one that has ended.",
    subcommands = {
      OperationsListCommand.class,
      OperationsShowCommand.class,
      OperationsRegenerateCommand.class
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate operations list --state unknown", "  tollgate operations show ec79b5d6"},
    synopsisSubcommandLabel = "COMMAND")
final class OperationsCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "list, show or regenerate?");
  }

  /** Runs something on the configured database, read-only. */
  static int reading(ConfigOption configuration, ToIntFunction<OperationReader> work) {
    return reading(configuration, (reader, _) -> work.applyAsInt(reader));
  }

  /** The same, for what also needs to know where a stream is read. */
  static int reading(
      ConfigOption configuration, ToIntBiFunction<OperationReader, StreamAddresses> work) {
    TollgateConfig config = configuration.required();
    Reach.schema(config);
    try (Database database = Database.forReading(Worker.settings(config), "tollgate-cli")) {
      StreamAddresses streams =
          new StreamAddresses(config.streams().url(), database.submissionSecret());
      return work.applyAsInt(new OperationReader(database.dsl()), streams);
    }
  }
}
