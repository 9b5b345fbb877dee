package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.sandbox.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two workers keep one limit and one budget, as the provider saw it. */
final class FleetLimitIT {
  private static final Duration RENDERING = Duration.ofMillis(400);

  /** Longer than a claimer's pause: while one worker's only slot is in use, the other comes. */
  private static final Duration ANSWERING = Duration.ofMillis(400);

  private static final int TASKS_MAX = 3;

  private Stage stage;

  @BeforeEach
  void open() {
    stage =
        Stage.open(
            FleetLimitIT.class,
            options -> options.withRenderTime(RENDERING).withAnswerDelay(ANSWERING));
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private List<String> publish(String provider, int count) {
    List<String> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(request(provider, "limited-%s-%02d".formatted(provider, i)));
    }
    return stage.publishAll(requests);
  }

  @Test
  void tasksMax_ofTwoWorkers_isOne_andHoldsUpNoOtherProvider() {
    stage.set("providers.keyed.concurrency", "1");
    stage.set("providers.keyed.limits.tasks-max", String.valueOf(TASKS_MAX));
    stage.set("worker.name", "one").worker();
    stage.set("worker.name", "two").worker();
    stage.reconciler();
    List<String> limited = publish("keyed", 18);
    List<String> free = publish("lookup", 18);
    stage.awaitStates(free, "complete");
    stage.awaitStates(limited, "complete");

    List<Instant> created =
        stage.ledger().tasks().stream()
            .filter(task -> task.kind().equals("keyed"))
            .map(Ledger.Task::createdAt)
            .sorted()
            .toList();
    assertThat(created).hasSize(18);
    for (int i = TASKS_MAX; i < created.size(); i++) {
      Instant ended = created.get(i - TASKS_MAX).plus(RENDERING);
      assertThat(created.get(i))
          .as("task %d runs beside %d others", i, TASKS_MAX)
          .isAfterOrEqualTo(ended);
    }
    assertThat(
            stage.sql(
                "SELECT DISTINCT a.owner FROM attempts a JOIN intent i USING (op_key) WHERE i.provider = 'keyed'"))
        .as("both took their part")
        .hasSize(2);
    Audit.check(stage);
  }

  @Test
  void budget_ofTwoWorkers_isNotOverspent_andWhatItRefusesIsNeverSent() {
    stage.set("providers.keyed.price", "0.35");
    stage.set("budgets.keyed.scope", "provider").set("budgets.keyed.who", "keyed");
    stage.set("budgets.keyed.per", "month").set("budgets.keyed.amount", "1.40");
    stage.set("budgets.keyed.when-exhausted", "refuse");
    stage.set("worker.name", "one").worker();
    stage.set("worker.name", "two").worker();
    stage.reconciler();
    assertThat(publish("keyed", 12)).doesNotHaveDuplicates();
    Stage.eventually()
        .until(
            () ->
                stage.states().values().stream()
                        .filter(state -> state.equals("complete") || state.equals("failed"))
                        .count()
                    == 12);
    assertThat(stage.states().values()).filteredOn("complete"::equals).hasSize(4);
    assertThat(stage.sql("SELECT DISTINCT reason FROM operations WHERE state = 'failed'"))
        .containsExactly("BUDGET_EXHAUSTED");
    assertThat(stage.ledger().requests()).hasSize(4);
    Audit.check(stage);
  }
}
