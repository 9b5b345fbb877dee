package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.eventually;
import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.store.Histories;
import dev.tollgate.schema.store.History;
import dev.tollgate.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A standby is promoted without the last commits of its primary: intents that were acknowledged are
 * gone, and operations that were sent are prepared again.
 */
final class LostHistoryIT {
  private static TwoClusters clusters;
  private static Stage stage;

  @BeforeAll
  static void open() {
    clusters = TwoClusters.start();
    stage =
        Stage.open(
            LostHistoryIT.class, Servers.shared().with(clusters.primary()), clusters.settings());
    stage.set("worker.retry-pause", "3s").set("worker.retry-pause-max", "3s");
  }

  @AfterAll
  static void close() {
    stage.close();
    clusters.close();
  }

  @Test
  void fc20_fault37_aStandbyIsPromotedWithoutTheLastCommits_nothingIsLostAndNothingIsPaidTwice() {
    Worker worker = stage.worker();
    stage.reconciler();
    List<String> keys = new ArrayList<>(stage.publishAll(requests("kept", "accept")));
    stage.awaitStates(keys, "complete");
    // provably not created, so prepared again: the standby has it so
    List<String> again = stage.publishAll(requests("again", "429", "accept"));
    keys.addAll(again);
    eventually().until(() -> prepared(stage.sql(THROTTLED)));
    eventually().until(() -> clusters.onStandby(THROTTLED).equals("6"));

    clusters.loseCommits();
    List<String> lost = stage.publishAll(requests("lost", "accept"));
    keys.addAll(lost);
    stage.awaitStates(lost, "complete");
    // claimed for the second time, sent and done, all of it in commits that will be gone
    stage.awaitStates(again, "complete");
    assertThat(clusters.onStandby(THROTTLED)).isEqualTo("6");
    clusters.failOver();

    eventually().until(() -> worker.broken().isPresent());
    assertThat(worker.broken().orElseThrow()).startsWith("HISTORY_LOST");
    stage.stop(worker);
    // some of what is lost is published once more, before it is read again; of the rest there is
    // nothing but the records that were acknowledged
    stage.publishAll(requests("lost", "accept").subList(0, 3));
    stage.worker();
    stage.awaitStates(keys, "complete");

    assertThat(stage.states()).hasSize(keys.size());
    assertThat(stage.ledger().tasks()).hasSize(keys.size());
    Audit.check(stage);
    assertThat(stage.counted("tollgate.intake.brought.back")).isEqualTo(lost.size());
    List<History> histories = new Histories(stage.database().dsl()).all();
    assertThat(histories).hasSize(2);
    assertThat(histories.getLast().suspected()).isEqualTo(again.size());
    assertThat(stage.evidence(again.getFirst()))
        .anyMatch(e -> e.startsWith("history HISTORY_LOST"));
    assertThat(stage.evidence(lost.getFirst())).anyMatch(e -> e.startsWith("history HISTORY_LOST"));
  }

  private static final String THROTTLED =
      "SELECT count(*) FROM operation WHERE state = 'prepared' AND attempts = 1";

  private static boolean prepared(List<String> count) {
    return count.equals(List.of("6"));
  }

  /** Of the kinds that can be asked what became of a create, and make a task for each. */
  private static List<String> requests(String name, String... script) {
    return IntStream.range(0, 6)
        .mapToObj(n -> request(n % 2 == 0 ? "lookup" : "listed", name + "-" + n, script))
        .toList();
  }
}
