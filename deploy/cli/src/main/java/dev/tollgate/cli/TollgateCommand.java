package dev.tollgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The commands. */
@Command(
    name = "tollgate",
    description = "Runs paid generation jobs from Kafka and pays for each intended output once.",
    subcommands = {
      UpCommand.class,
      DemoCommand.class,
      BenchCommand.class,
      PublishCommand.class,
      KeyCommand.class,
      OperationsCommand.class,
      ReviewCommand.class,
      BudgetsCommand.class,
      DltCommand.class,
      ProvidersCommand.class,
      HistoryCommand.class,
      SettingsCommand.class,
      WorkersCommand.class,
      WorkerCommand.class,
      ReconcilerCommand.class,
      MigrateCommand.class,
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate up", "  tollgate publish --wait deploy/examples/requests.jsonl"},
    version = "tollgate 0.1.0-SNAPSHOT",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:an item was refused or failed",
      "2:the command or the configuration is wrong",
      "3:a server cannot be reached",
      "75:a worker has to be started anew (it says why)"
    })
final class TollgateCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show stack traces of failures.")
  boolean debug;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is needed");
  }
}
