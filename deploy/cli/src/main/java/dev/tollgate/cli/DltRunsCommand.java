package dev.tollgate.cli;

import dev.tollgate.cli.dlt.Place;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DeadLetterFate;
import dev.tollgate.schema.store.DeadLetterRun;
import dev.tollgate.schema.store.DeadLetterRuns;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "runs",
    aliases = "run",
    description =
        "Lists what was replayed and discarded, newest first; with a number, shows one run.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate dlt runs", "  tollgate dlt run 7"})
final class DltRunsCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      description = "Show this one, and what it did with each letter that Kafka still has.")
  @Nullable Long id;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "20",
      description = "Most runs that are listed (default: ${DEFAULT-VALUE}).")
  int limit;

  @Option(names = "--json", description = "One JSON object a line.")
  boolean json;

  @Override
  public Integer call() {
    if (limit < 1) {
      throw Failure.usage("--limit must be 1 or more");
    }
    TollgateConfig config = configuration.required();
    PrintWriter out = spec.commandLine().getOut();
    try (Database database = DltDesk.database(config)) {
      DeadLetterRuns runs = new DeadLetterRuns(database.dsl());
      Long wanted = id;
      if (wanted == null) {
        runs.runs(limit).forEach(run -> list(out, run, config.currency()));
      } else {
        DeadLetterRun run =
            runs.run(wanted)
                .orElseThrow(() -> Failure.refused("there is no run %d".formatted(wanted)));
        show(out, run, runs.ofRun(wanted), config.currency());
      }
    }
    out.flush();
    return 0;
  }

  private void list(PrintWriter out, DeadLetterRun run, String currency) {
    out.println(
        json
            ? Shown.json(members(run, currency))
            : "%-5d %-7s %s  %s  by %s  %s: %s"
                .formatted(
                    run.id(),
                    run.kind().word(),
                    Shown.time(run.startedAt()),
                    state(run),
                    Shown.line(run.who()),
                    Shown.line(run.why()),
                    DltReport.words(run.counts(), currency)));
  }

  private void show(
      PrintWriter out, DeadLetterRun run, List<DeadLetterFate> letters, String currency) {
    if (json) {
      Map<String, @Nullable Object> members = members(run, currency);
      members.put("letters", letters.stream().map(DltRunsCommand::letter).toList());
      out.println(Shown.json(members));
      return;
    }
    field(out, "run", "%d, a %s of %s".formatted(run.id(), run.kind().word(), run.topic()));
    field(out, "who", Shown.line(run.who()));
    field(out, "why", Shown.line(run.why()));
    field(out, "told", Shown.line(run.terms()));
    field(out, "started", Shown.time(run.startedAt()));
    field(out, "state", state(run));
    field(out, "result", DltReport.words(run.counts(), currency));
    for (DeadLetterFate letter : letters) {
      out.printf(
          Locale.ROOT,
          "  %-10s %-9s %s  %s%n",
          new Place(letter.partition(), letter.offset()),
          letter.fate().word(),
          Shown.time(letter.at()),
          Shown.line(letter.note()));
    }
  }

  private static String state(DeadLetterRun run) {
    Instant ended = run.endedAt();
    if (ended != null) {
      return "ended " + Shown.time(ended);
    }
    String claimed =
        run.claimed() == 0 ? "" : ", %d claimed and not known to be done".formatted(run.claimed());
    return "not over%s; `tollgate dlt %s --resume %d` goes on with it after %s"
        .formatted(claimed, run.kind().word(), run.id(), Shown.time(run.until()));
  }

  private static void field(PrintWriter out, String name, String value) {
    out.printf(Locale.ROOT, "%-8s %s%n", name, value);
  }

  private static Map<String, @Nullable Object> members(DeadLetterRun run, String currency) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("run", run.id());
    members.put("kind", run.kind().word());
    members.put("topic", run.topic());
    members.put("who", run.who());
    members.put("why", run.why());
    members.put("started_at", run.startedAt().toString());
    Instant ended = run.endedAt();
    members.put("ended_at", ended == null ? null : ended.toString());
    members.put("claimed", run.claimed());
    members.putAll(DltReport.members(run.counts(), currency));
    return members;
  }

  private static Map<String, @Nullable Object> letter(DeadLetterFate letter) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("partition", letter.partition());
    members.put("offset", letter.offset());
    members.put("fate", letter.fate().word());
    members.put("at", letter.at().toString());
    members.put("note", letter.note());
    return members;
  }
}
