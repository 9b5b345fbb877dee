package dev.tollgate.cli;

import dev.tollgate.cli.dlt.DeadLetter;
import dev.tollgate.cli.dlt.Place;
import dev.tollgate.cli.dlt.Selection;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
    description = "Counts dead letters by code and lists the newest.",
    mixinStandardHelpOptions = true)
final class DltListCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin DltCommand.TopicOption topic = new DltCommand.TopicOption();

  @Option(
      names = "--code",
      paramLabel = "CODE",
      description = "Only this code; may be given again.")
  List<String> codes = new ArrayList<>();

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
      boolean shortened) {
    static Entry of(DeadLetter letter) {
      return new Entry(
          letter.place(),
          Instant.ofEpochMilli(letter.record().timestamp()),
          letter.code(),
          letter.key(),
          letter.replays(),
          letter.message(),
          letter.shortened());
    }
  }

  @Override
  public Integer call() {
    if (limit < 0) {
      throw Failure.usage("--limit must be 0 or more");
    }
    Selection selection = new Selection(DltCommand.codes(codes), Set.of());
    Map<String, Long> counts = new TreeMap<>();
    Comparator<Entry> order = Comparator.comparing(Entry::at).thenComparing(Entry::place);
    PriorityQueue<Entry> newest = new PriorityQueue<>(order);
    String name;
    try (DltCommand.Opened opened = topic.open()) {
      name = opened.letters().topic();
      opened
          .letters()
          .forEach(
              letter -> {
                if (selection.takes(letter)) {
                  counts.merge(letter.code(), 1L, Long::sum);
                  newest.add(Entry.of(letter));
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
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    out.printf(Locale.ROOT, "%s: %d dead letters%n", name, all);
    counts.forEach((code, count) -> out.printf(Locale.ROOT, "%8d  %s%n", count, code));
    if (all > listed.size()) {
      out.printf(Locale.ROOT, "the newest %d:%n", listed.size());
    }
    for (Entry entry : listed) {
      out.printf(
          Locale.ROOT,
          "%-10s %-24s %s  %s  replays %d  %s%n",
          entry.place(),
          entry.code(),
          Shown.line(entry.key()),
          Shown.time(entry.at()),
          entry.replays(),
          Shown.line(entry.message()));
    }
    out.flush();
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
    return json;
  }
}
