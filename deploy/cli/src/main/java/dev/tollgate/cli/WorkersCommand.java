package dev.tollgate.cli;

import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.GroupStanding;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.Holding;
import dev.tollgate.schema.store.HoldingReader;
import dev.tollgate.worker.Worker;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "workers",
    description = {
      "Shows who holds what: the partitions that each worker reads, with the records that are not"
          + " taken in yet, and the sends that it has under way.",
      "A worker with sends and no partitions is draining, has died, or has nothing to read: its"
          + " leases tell, those that are over are OVERDUE until the reconciler takes them up."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  tollgate workers --json",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:shown, whether or not there are workers",
      "2:the command or the configuration is wrong",
      "3:a server cannot be reached"
    })
final class WorkersCommand implements Callable<Integer> {
  private static final String ROW = "%-24s %-16s %-20s %9s %8s %8s  %s%n";

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Option(
      names = "--json",
      description =
          "One JSON object a line: one for each worker, and one without a name for the partitions"
              + " that nobody reads, if there are any.")
  boolean json;

  @Override
  public Integer call() {
    TollgateConfig config = configuration.required();
    Reach.schema(config);
    GroupStanding group =
        Reach.group(
            config,
            config.kafka().workerGroup(),
            new Topics(config.kafka().topicPrefix()).requests());
    List<Holding> holdings;
    try (Database database = Database.forReading(Worker.settings(config), "tollgate-cli")) {
      holdings = new HoldingReader(database.dsl()).holdings();
    }
    List<WorkerLine> lines = WorkerLine.of(group, holdings);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      lines.forEach(line -> out.println(Shown.json(line.members())));
    } else {
      print(out, config.kafka().workerGroup(), group, lines);
    }
    out.flush();
    return 0;
  }

  private static void print(
      PrintWriter out, String name, GroupStanding group, List<WorkerLine> lines) {
    out.printf(
        Locale.ROOT, ROW, "WORKER", "HOST", "PARTITIONS", "LAG", "SENDING", "OVERDUE", "UNTIL");
    for (WorkerLine line : lines) {
      out.printf(
          Locale.ROOT,
          ROW,
          line.isNobody() ? "(nobody)" : Shown.line(line.worker()),
          Shown.line(line.host()),
          numbers(line.partitions()),
          line.lag(),
          line.sending(),
          line.overdue(),
          Shown.time(line.until()));
    }
    out.println(
        "group %s is %s: %d members, %d partitions, %d records not taken in"
            .formatted(
                name,
                group.state(),
                group.members().size(),
                group.lag().size(),
                group.lag().values().stream().mapToLong(Long::longValue).sum()));
  }

  private static String numbers(Set<Integer> partitions) {
    return partitions.isEmpty()
        ? "-"
        : partitions.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
