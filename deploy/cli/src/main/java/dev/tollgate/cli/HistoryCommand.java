package dev.tollgate.cli;

import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.Histories;
import dev.tollgate.schema.store.History;
import dev.tollgate.worker.Worker;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "history",
    description = {
      "Shows the histories that the database's data went through, the oldest first.",
      "A promoted standby or a restored backup begins another one; workers find that out."
    },
    subcommands = HistoryLostCommand.class,
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  tollgate history",
      "  tollgate history lost --why \"disk snapshot of 03:00 restored\""
    })
final class HistoryCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Option(names = "--json", description = "One JSON object a line, one for each history.")
  boolean json;

  @Override
  public Integer call() {
    var config = configuration.required();
    Reach.schema(config);
    PrintWriter out = spec.commandLine().getOut();
    try (Database database = Database.forReading(Worker.settings(config), "tollgate-cli")) {
      List<History> histories = new Histories(database.dsl()).all();
      if (histories.isEmpty() && !json) {
        out.println("no worker has begun yet");
      }
      histories.forEach(history -> out.println(json ? members(history) : line(history)));
    }
    out.flush();
    return 0;
  }

  private static String line(History history) {
    return "%s  since %s  at %s  found by %s%s"
        .formatted(
            history.id(),
            Shown.time(history.since()),
            history.place(),
            Shown.line(history.by()),
            history.earlier()
                ? "; %d operations counted as possibly sent%s"
                    .formatted(history.suspected(), history.ready() ? "" : " so far")
                : "");
  }

  private static String members(History history) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", history.id().toString());
    json.put("place", history.place());
    json.put("since", history.since().toString());
    json.put("found_by", history.by());
    json.put("after_a_loss", history.earlier());
    json.put("possibly_sent", history.suspected());
    json.put("ready", history.ready());
    return Shown.json(json);
  }
}
