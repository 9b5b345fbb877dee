package dev.tollgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "review",
    description =
        "Shows what waits for a person, why, and what may have been paid twice; takes that person's decision.",
    subcommands = {
      ReviewListCommand.class,
      ReviewShowCommand.class,
      ReviewWhyCommand.class,
      ReviewSettleCommand.class,
      ReviewDuplicatesCommand.class,
      ReviewClearCommand.class
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  tollgate review list",
      "  tollgate review settle ec79b5d6 --found task-17 --why \"seen in the console\""
    },
    synopsisSubcommandLabel = "COMMAND")
final class ReviewCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "list, show, why, settle, duplicates or clear?");
  }
}
