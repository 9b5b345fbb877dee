package dev.tollgate.cli;

import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.Histories;
import dev.tollgate.worker.Worker;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "lost",
    description = {
      "Says that the database lacks commits although it does not show that:",
      "a copy of its disk was put back, or a dump was loaded into its tables.",
      "To be typed before workers are started on it. What may have been sent since counts as possibly"
          + " sent, and intake reads its topic again."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  tollgate history lost --why \"disk snapshot of 03:00 restored\"")
final class HistoryLostCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "What happened; it is kept.")
  String why = "";

  @Option(
      names = "--who",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "Who says so (default: ${DEFAULT-VALUE}).")
  String who = "";

  @Override
  public Integer call() {
    if (why.isBlank() || who.isBlank()) {
      throw Failure.usage("--why and --who must say something");
    }
    var config = configuration.required();
    Reach.schema(config);
    PrintWriter out = spec.commandLine().getOut();
    try (Database database = new Database(Worker.settings(config), "tollgate-cli", 1, null)) {
      new Histories(database.dsl()).lost(who, why);
    }
    out.println(
        "recorded; workers that run end and have to be started anew, the next one to start finds what"
            + " may have been sent (tollgate history)");
    out.flush();
    return 0;
  }
}
