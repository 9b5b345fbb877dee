package dev.tollgate.cli;

import dev.tollgate.schema.store.OperationReader;
import dev.tollgate.schema.store.OperationSummary;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    description = "Lists the operations that wait for a person, the newest change first.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  tollgate review list --code NO_WAY_TO_KNOW --older-than 1d")
final class ReviewListCommand implements Callable<Integer> {
  private static final String ROW = "%-24s %-72s %-9s %-12s %-20s %s%n";

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();
  @Mixin ReviewFilter filter = new ReviewFilter();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      description = "Most operations that are listed, 0 for all (default: ${DEFAULT-VALUE}).")
  int limit;

  @Option(names = "--json", description = "One JSON object a line.")
  boolean json;

  @Override
  public Integer call() {
    if (limit < 0) {
      throw Failure.usage("--limit must be 0 or more");
    }
    return OperationsCommand.reading(configuration, this::list);
  }

  private int list(OperationReader reader) {
    PrintWriter out = spec.commandLine().getOut();
    if (!json) {
      out.printf(Locale.ROOT, ROW, "WHY", "KEY", "STATE", "PROVIDER", "REMOTE ID", "CHANGED");
    }
    long shown =
        filter.each(
            reader, limit == 0 ? Long.MAX_VALUE : limit, operation -> print(out, operation));
    if (!json) {
      out.println(
          "%d shown of %d that wait for a person".formatted(shown, reader.counts().inReview()));
    }
    out.flush();
    return 0;
  }

  private void print(PrintWriter out, OperationSummary operation) {
    if (json) {
      out.println(Shown.json(OperationJson.summary(operation)));
      return;
    }
    out.printf(
        Locale.ROOT,
        ROW,
        operation.review(),
        operation.key(),
        operation.state().word(),
        operation.provider(),
        Shown.line(operation.remoteId()),
        Shown.time(operation.changedAt()));
  }
}
