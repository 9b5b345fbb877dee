package dev.tollgate.cli;

import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.PostgresSuspicions;
import dev.tollgate.schema.store.Suspicions.Fate;
import dev.tollgate.schema.store.Suspicions.Suspected;
import dev.tollgate.worker.Worker;
import java.io.PrintWriter;
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
import picocli.CommandLine.Spec;

@Command(
    name = "duplicates",
    description = {
      "Lists what may have been paid twice, the newest first, and what it costs: tasks that an operation has besides its"
          + " own, late successes of what failed, outputs with the same bytes.",
      "Those that were settled are left out: the provider ended the task, or somebody looked into it (review clear)."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  tollgate review duplicates --provider fal",
      "  tollgate review duplicates --all --limit 0 --json | jq -r 'select(.total).total.cost'"
    })
final class ReviewDuplicatesCommand implements Callable<Integer> {
  private static final String ROW = "%-24s %-20s %-72s %-12s %-24s %-10s %s%n";

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Option(
      names = {"-p", "--provider"},
      paramLabel = "NAME",
      description = "Only of this provider.")
  @Nullable String provider;

  @Option(names = "--all", description = "Also those that were settled.")
  boolean all;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "100",
      description = "Most that are listed and summed up, 0 for all (default: ${DEFAULT-VALUE}).")
  int limit;

  @Option(
      names = "--json",
      description = "One JSON object a line; the last one has a member total.")
  boolean json;

  @Override
  public Integer call() {
    if (limit < 0) {
      throw Failure.usage("--limit must be 0 or more");
    }
    TollgateConfig config = configuration.required();
    Reach.schema(config);
    try (Database database = Database.forReading(Worker.settings(config), "tollgate-cli")) {
      print(
          new PostgresSuspicions(database.dsl())
              .list(provider, all, limit == 0 ? Integer.MAX_VALUE : limit),
          config.currency());
    }
    return 0;
  }

  private void print(List<Suspected> suspected, String currency) {
    PrintWriter out = spec.commandLine().getOut();
    if (!json) {
      out.printf(
          Locale.ROOT, ROW, "NOTICED", "WHY", "KEY", "PROVIDER", "TASK", "PRICE", "WHAT BECAME");
    }
    for (Suspected one : suspected) {
      if (json) {
        out.println(Shown.json(members(one)));
      } else {
        out.printf(
            Locale.ROOT,
            ROW,
            Shown.time(one.at()),
            one.code(),
            one.key(),
            one.provider(),
            Shown.line(one.remoteId()),
            price(one) == null ? "-" : price(one),
            one.fate() == Fate.OPEN ? "open" : word(one.fate()) + ": " + Shown.line(one.said()));
      }
    }
    List<Suspected> costly = suspected.stream().filter(one -> one.fate() != Fate.SETTLED).toList();
    long open = costly.stream().filter(one -> one.fate() == Fate.OPEN).count();
    String cost =
        new Money(costly.stream().mapToLong(one -> one.price() == null ? 0 : one.price()).sum())
            .toString();
    long unpriced = costly.stream().filter(one -> one.price() == null).count();
    if (json) {
      Map<String, Object> total = new LinkedHashMap<>();
      total.put("listed", suspected.size());
      total.put("open", open);
      total.put("paid", costly.size() - open);
      total.put("cost", cost);
      total.put("currency", currency);
      total.put("unpriced", unpriced);
      out.println(Shown.json(Map.of("total", total)));
    } else {
      out.println(
          "%d listed, %d open, %d paid; they may have cost %s %s%s"
              .formatted(
                  suspected.size(),
                  open,
                  costly.size() - open,
                  cost,
                  currency,
                  unpriced == 0 ? "" : ", and %d have no price".formatted(unpriced)));
    }
    out.flush();
  }

  private static Map<String, @Nullable Object> members(Suspected one) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("at", Shown.time(one.at()));
    members.put("code", one.code());
    members.put("key", one.key().toString());
    members.put("provider", one.provider());
    members.put("state", one.state());
    members.put("remote_id", one.remoteId());
    members.put("kept", one.kept());
    members.put("price", price(one));
    members.put("fate", word(one.fate()));
    members.put("note", one.note());
    members.put("said", one.said());
    return members;
  }

  private static @Nullable String price(Suspected one) {
    Long price = one.price();
    return price == null ? null : new Money(price).toString();
  }

  private static String word(Fate fate) {
    return fate.name().toLowerCase(Locale.ROOT);
  }
}
