package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What went wrong elsewhere when creates were sent again, end to end; one create each here. */
class FieldCasesIT {
  private final Stage stage = Stage.open(FieldCasesIT.class);

  @AfterEach
  void close() {
    stage.close();
  }

  /** Nothing in a process's memory or in Redis decides: with neither, the key still does. */
  @Test
  void fc07_nineInFlightAndTheFirstComesAgain_withoutAGate_isOneSendEach() {
    stage.unset("redis.url").run().worker();
    List<String> requests = new ArrayList<>();
    for (int n = 0; n < 9; n++) {
      requests.add(request("blind", "fc07-" + n, "slow(700)"));
    }
    List<String> keys = stage.publishAll(requests);
    Stage.eventually().until(() -> stage.ledger().requests().size() == 9);
    stage.publishAll(requests.subList(0, 1));
    stage.publishAll(requests);
    stage.awaitStates(keys, "complete");
    assertThat(stage.ledger().requests()).hasSize(9);
    Audit.check(stage);
  }

  /** By a clock that lags, everything would be due again at once. */
  @Test
  void fc12_reconcilersClockLags_looksOncePerBackoffStep() {
    stage.set("reconciler.look-pause", "1s").set("reconciler.look-pause-max", "5m");
    stage.worker();
    InstantSource lagging = () -> InstantSource.system().instant().minus(Duration.ofSeconds(90));
    stage.reconciler(lagging);
    stage.reconciler(lagging);
    String key = stage.publish(request("lookup", "fc12", "hang"));
    stage.awaitState(key, "complete");
    assertThat(stage.tasks("fc12")).isEqualTo(1);
    // at once, after half a second to a second, one to two, two to four, and at the horizon
    assertThat(stage.counted("tollgate.looks", "provider", "lookup")).isBetween(2.0, 7.0);
    assertThat(stage.evidence(key)).anyMatch(line -> line.startsWith("lookup ABSENT"));
  }

  /** Side by side: each waits for something, and they may as well wait together. */
  @Test
  void fc41_fc42_fc47_oneCreateEach() {
    stage.run();
    String fivehundred =
        stage.publish(request("lookup", "fc41", "accept+500", "accept+500", "accept+500"));
    String slow = stage.publish(request("lookup", "fc42a", "slow(3000)"));
    String failed = stage.publish(request("lookup", "fc42c", "fail"));
    String notYet = stage.publish(request("lookup", "fc47", "status404(1500)"));

    stage.awaitState(fivehundred, "complete");
    assertThat(stage.evidence(fivehundred))
        .as("a 500 after the task was made is unknown, and found")
        .anyMatch(line -> line.startsWith("submit OUTCOME_UNKNOWN"))
        .anyMatch(line -> line.startsWith("lookup FOUND"));
    stage.awaitState(slow, "complete");
    assertThat(stage.evidence(slow))
        .as("an answer slower than we wait is unknown")
        .anyMatch(line -> line.startsWith("submit OUTCOME_UNKNOWN"));
    stage.awaitState(failed, "failed");
    assertThat(stage.evidence(failed))
        .as("a task that failed is no reason for another")
        .anyMatch(line -> line.startsWith("status PROVIDER_FAILED"));
    stage.awaitState(notYet, "complete");
    for (String product : new String[] {"fc41", "fc42a", "fc42c", "fc47"}) {
      assertThat(stage.creates(product)).as(product).isEqualTo(1);
      assertThat(stage.tasks(product)).as(product).isEqualTo(1);
    }
    Audit.check(stage);
  }
}
