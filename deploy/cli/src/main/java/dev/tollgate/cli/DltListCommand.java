package dev.tollgate.cli;

import dev.tollgate.cli.dlt.DeadLetter;
import dev.tollgate.cli.dlt.Place;
import dev.tollgate.cli.dlt.Selection;
import dev.tollgate.schema.store.DeadLetterFate;
import dev.tollgate.schema.store.DeadLetterFate.Fate;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    description = {
      "Counts dead letters by code and lists the newest.",
      "What was replayed, settled or discarded is left out."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  tollgate dlt list --code UNKNOWN_PROVIDER --since 2h")
final class DltListCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();
  @Mixin DltCommand.TopicOption topic = new DltCommand.TopicOption();
  @Mixin DltFilter filter = new DltFilter();

  @Option(names = "--all", description = "Also what was replayed, settled or discarded.")
  boolean all;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      description = "Most letters that are listed, 0 for all (default: ${DEFAULT-VALUE}).")
  int limit;

  @Option(names = "--json", description = "One JSON object a line, one for each letter.")
  boolean json;

  /** What is kept of a letter while the topic is read. */
  private record Entry(
      Place place,
      Instant at,
      String code,
      @Nullable String key,
      int replays,
      String message,
      boolean shortened,
      @Nullable DeadLetterFate fate) {
    static Entry of(DeadLetter letter, @Nullable DeadLetterFate fate) {
      return new Entry(
          letter.place(),
          letter.writtenAt(),
          letter.code(),
          letter.key(),
          letter.replays(),
          letter.message(),
          letter.shortened(),
          fate);
    }
  }

  @Override
  public Integer call() {
    if (limit < 0) {
      throw Failure.usage("--limit must be 0 or more");
    }
    Selection selection = filter.selection(topic.source, Set.of());
    Map<String, Long> counts = new TreeMap<>();
    Comparator<Entry> order = Comparator.comparing(Entry::at).thenComparing(Entry::place);
    PriorityQueue<Entry> newest = new PriorityQueue<>(order);
    String name;
    try (DltDesk desk = DltDesk.open(configuration.required(), topic.source)) {
      name = desk.letters().topic();
      Map<Place, DeadLetterFate> fates = new HashMap<>();
      desk.runs()
          .ofTopic(desk.letters().id())
          .forEach(fate -> fates.put(new Place(fate.partition(), fate.offset()), fate));
      desk.letters()
          .forEach(
              letter -> {
                DeadLetterFate fate = fates.get(letter.place());
                if ((all || fate == null || fate.fate() == Fate.CLAIMED)
                    && selection.takes(letter)) {
                  counts.merge(letter.code(), 1L, Long::sum);
                  newest.add(Entry.of(letter, fate));
                  if (limit > 0 && newest.size() > limit) {
                    newest.remove();
                  }
                }
              });
    }
    List<Entry> listed = new ArrayList<>(newest);
    listed.sort(order);
    print(name, counts, listed);
    return 0;
  }

  private void print(String name, Map<String, Long> counts, List<Entry> listed) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      listed.forEach(entry -> out.println(Shown.json(json(entry))));
      out.flush();
      return;
    }
    long found = counts.values().stream().mapToLong(Long::longValue).sum();
    out.printf(Locale.ROOT, "%s: %d dead letters%n", name, found);
    counts.forEach((code, count) -> out.printf(Locale.ROOT, "%8d  %s%n", count, code));
    if (found > listed.size()) {
      out.printf(Locale.ROOT, "the newest %d:%n", listed.size());
    }
    for (Entry entry : listed) {
      out.printf(
          Locale.ROOT,
          "%-10s %-24s %s  %s  replays %d  %s%s%n",
          entry.place(),
          entry.code(),
          Shown.line(entry.key()),
          Shown.time(entry.at()),
          entry.replays(),
          met(entry.fate()),
          Shown.line(entry.message()));
    }
    out.flush();
  }

  private static String met(@Nullable DeadLetterFate fate) {
    return fate == null ? "" : "%s by run %d  ".formatted(fate.fate().word(), fate.run());
  }

  private static Map<String, @Nullable Object> json(Entry entry) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("partition", entry.place().partition());
    json.put("offset", entry.place().offset());
    json.put("at", entry.at().toString());
    json.put("code", entry.code());
    json.put("key", entry.key());
    json.put("replays", entry.replays());
    json.put("message", entry.message());
    json.put("shortened", entry.shortened());
    DeadLetterFate fate = entry.fate();
    json.put("fate", fate == null ? null : fate.fate().word());
    json.put("run", fate == null ? null : fate.run());
    return json;
  }
}
