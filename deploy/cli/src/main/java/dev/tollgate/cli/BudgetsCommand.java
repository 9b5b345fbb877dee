package dev.tollgate.cli;

import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.store.Budget;
import dev.tollgate.schema.store.BudgetReader;
import dev.tollgate.schema.store.BudgetStanding;
import dev.tollgate.schema.store.Database;
import dev.tollgate.worker.Worker;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "budgets",
    description = "Shows how the configured budgets stand in the periods under way (UTC).",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate budgets --json"})
final class BudgetsCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Option(names = "--json", description = "One JSON object a line, one for each budget.")
  boolean json;

  @Override
  public Integer call() {
    TollgateConfig config = configuration.required();
    Reach.schema(config);
    Map<String, Budget> budgets = new TreeMap<>();
    config.budgets().forEach((name, budget) -> budgets.put(name, Budget.of(budget)));
    PrintWriter out = spec.commandLine().getOut();
    if (budgets.isEmpty() && !json) {
      out.println("no budget is configured");
    }
    try (Database database = Database.forReading(Worker.settings(config), "tollgate-cli")) {
      List<BudgetStanding> standings =
          new BudgetReader(database.dsl()).standing(List.copyOf(budgets.values()));
      List<String> names = List.copyOf(budgets.keySet());
      for (int i = 0; i < standings.size(); i++) {
        out.println(
            json
                ? Shown.json(members(names.get(i), standings.get(i), config.currency()))
                : line(names.get(i), standings.get(i), config.currency()));
      }
    }
    out.flush();
    return 0;
  }

  private static String line(String name, BudgetStanding standing, String currency) {
    Budget budget = standing.budget();
    return String.format(
        Locale.ROOT,
        "%-16s %-8s %s  %s from %s  booked %s of %s %s, left %s; then it %s",
        name,
        word(budget.scope()),
        Shown.line(budget.who()),
        word(budget.per()),
        standing.period(),
        new Money(standing.booked()),
        new Money(budget.micros()),
        currency,
        new Money(standing.left()),
        budget.refuse() ? "refuses" : "waits");
  }

  private static Map<String, Object> members(
      String name, BudgetStanding standing, String currency) {
    Budget budget = standing.budget();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("scope", word(budget.scope()));
    json.put("who", budget.who());
    json.put("per", word(budget.per()));
    json.put("period", standing.period().toString());
    json.put("currency", currency);
    json.put("amount", new Money(budget.micros()).toString());
    json.put("booked", new Money(standing.booked()).toString());
    json.put("left", new Money(standing.left()).toString());
    json.put("when_exhausted", budget.refuse() ? "refuse" : "wait");
    return json;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
