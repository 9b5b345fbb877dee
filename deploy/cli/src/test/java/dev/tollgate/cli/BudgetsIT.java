package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.config.BudgetConfig.Per;
import dev.tollgate.schema.config.BudgetConfig.Scope;
import dev.tollgate.schema.store.Budget;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Limits;
import dev.tollgate.schema.store.PostgresOperationStore;
import dev.tollgate.schema.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people see of budgets, and of an operation that waits for one. */
final class BudgetsIT {
  @TempDir static Path folder = Path.of("");
  private static Path config = Path.of("");

  /** One of two operations for the provider is being sent, the other waits for the budget. */
  @BeforeAll
  static void spend() throws IOException {
    DatabaseSettings settings = TestDatabase.migrated(BudgetsIT.class);
    config =
        Files.writeString(
            folder.resolve("tollgate.properties"),
            """
            tollgate.kafka.bootstrap-servers=127.0.0.1:1
            tollgate.database.url=%s
            tollgate.database.user=%s
            tollgate.database.password=%s
            tollgate.currency=EUR
            tollgate.budgets.shop.scope=producer
            tollgate.budgets.shop.who=/shop
            tollgate.budgets.shop.per=month
            tollgate.budgets.shop.amount=0.5
            tollgate.budgets.lab.scope=producer
            tollgate.budgets.lab.who=/lab
            tollgate.budgets.lab.per=day
            tollgate.budgets.lab.amount=7
            tollgate.budgets.lab.when-exhausted=refuse
            """
                .formatted(settings.url(), settings.user(), settings.password()));
    try (Database database = new Database(settings, "test", 1, null)) {
      PostgresOperationStore store = new PostgresOperationStore(database.dsl());
      store.insert(
          List.of(Fixture.intent(1), Fixture.intent(2)),
          Fixture.claimId(),
          "test",
          Fixture.ALL_TERMS);
      Budget shop = new Budget(Scope.PRODUCER, Fixture.PRODUCER, Per.MONTH, 500_000, false);
      Limits limits = new Limits(OptionalLong.empty(), 1, OptionalInt.empty(), List.of(shop));
      store.claimLimited(10, Fixture.claimId(), "test", Fixture.TERMS, limits);
    }
  }

  private static String typed(String... words) {
    Typed typed = Typed.type(words);
    assertThat(typed.code()).as(typed.err()).isZero();
    return typed.out();
  }

  @Test
  void budgets_tellWhatIsBookedAndLeft() {
    assertThat(typed("budgets", "--config", config.toString()).lines())
        .anyMatch(
            line ->
                line.startsWith("shop ")
                    && line.contains("booked 0.35 of 0.50 EUR, left 0.15; then it waits"))
        .anyMatch(
            line ->
                line.startsWith("lab ")
                    && line.contains("booked 0.00 of 7.00 EUR, left 7.00; then it refuses"))
        .hasSize(2);
    assertThat(typed("budgets", "--json", "--config", config.toString()))
        .contains(
            "\"who\":\"/shop\"",
            "\"booked\":\"0.35\"",
            "\"left\":\"0.15\"",
            "\"currency\":\"EUR\"");
  }

  @Test
  void operationThatWaitsForABudget_saysSo() {
    String page =
        typed("operations", "show", Fixture.key(2).toString(), "--config", config.toString());
    assertThat(page)
        .contains(
            "prepared (BUDGET_EXHAUSTED)", "to send it would break a budget", "/shop", "0.35");
    assertThat(
            typed(
                "operations",
                "show",
                Fixture.key(2).toString(),
                "--json",
                "--config",
                config.toString()))
        .contains("\"producer\":\"/shop\"", "\"price\":\"0.35\"");
  }
}
