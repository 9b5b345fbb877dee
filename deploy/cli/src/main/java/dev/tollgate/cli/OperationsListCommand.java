package dev.tollgate.cli;

import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.OperationCounts;
import dev.tollgate.schema.store.OperationFilter;
import dev.tollgate.schema.store.OperationReader;
import dev.tollgate.schema.store.OperationSummary;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    description = "Lists operations, the newest change first.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate operations list --state unknown --provider sandbox --json"})
final class OperationsListCommand implements Callable<Integer> {
  private static final String ROW = "%-8s %-72s %-10s %-24s %8s  %s%n";

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Option(
      names = {"-s", "--state"},
      paramLabel = "STATE",
      description = "Only this state; may be given again. One of: ${COMPLETION-CANDIDATES}.")
  List<OperationState> states = new ArrayList<>();

  @Option(
      names = {"-p", "--provider"},
      paramLabel = "NAME",
      description = "Only this provider.")
  @Nullable String provider;

  @Option(names = "--review", description = "Only what waits for a person's decision.")
  boolean review;

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

  /** A provider's name may be mistyped: then nothing is listed, which looks like nothing is due. */
  private void warnOfNobody(String name, OperationReader reader) {
    OperationFilter any =
        new OperationFilter(EnumSet.noneOf(OperationState.class), name, false, 1, null);
    if (!reader.list(any).isEmpty()) {
      return;
    }
    Set<String> configured = new TreeSet<>(configuration.required().providers().keySet());
    String known =
        configured.contains(name) || configured.isEmpty()
            ? ""
            : "; configured are " + String.join(", ", configured);
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "tollgate: no operation of a provider %s is stored%s".formatted(Shown.line(name), known));
    err.flush();
  }

  private int list(OperationReader reader) {
    PrintWriter out = spec.commandLine().getOut();
    if (!json) {
      out.printf(Locale.ROOT, ROW, "STATE", "KEY", "PROVIDER", "REASON", "ATTEMPTS", "CHANGED");
    }
    long most = limit == 0 ? Long.MAX_VALUE : limit;
    long shown = 0;
    OperationFilter filter = filter(page(most));
    while (true) {
      List<OperationSummary> page = reader.list(filter);
      page.forEach(operation -> print(out, operation));
      shown += page.size();
      if (page.size() < filter.limit() || shown >= most) {
        break;
      }
      filter = filter(page(most - shown)).after(page.getLast().cursor());
    }
    if (!json) {
      out.println(footer(shown, reader.counts()));
    }
    out.flush();
    if (shown == 0 && provider != null) {
      warnOfNobody(provider, reader);
    }
    return 0;
  }

  private OperationFilter filter(int size) {
    EnumSet<OperationState> wanted = EnumSet.noneOf(OperationState.class);
    wanted.addAll(states);
    return new OperationFilter(wanted, provider, review, size, null);
  }

  private static int page(long most) {
    return Math.toIntExact(Math.min(most, OperationFilter.LIMIT_MAX));
  }

  private void print(PrintWriter out, OperationSummary operation) {
    if (json) {
      out.println(Shown.json(OperationJson.summary(operation)));
      return;
    }
    String reason = operation.reason() == null ? "-" : operation.reason().name();
    out.printf(
        Locale.ROOT,
        ROW,
        operation.state().word(),
        operation.key(),
        operation.provider(),
        operation.review() == null ? reason : "review: " + operation.review(),
        operation.attempts(),
        Shown.time(operation.changedAt()));
  }

  private static String footer(long shown, OperationCounts counts) {
    List<String> parts = new ArrayList<>();
    for (OperationState state : OperationState.values()) {
      if (counts.in(state) > 0) {
        parts.add(counts.in(state) + " " + state.word());
      }
    }
    String all = parts.isEmpty() ? "no operations" : String.join(", ", parts);
    String people = counts.inReview() == 0 ? "" : "; " + counts.inReview() + " wait for a person";
    return shown + " shown; in all: " + all + people;
  }
}
