package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What went wrong elsewhere when creates were sent again, end to end; one create each here. */
class FieldCasesIT {
  private final Stage stage = Stage.open(FieldCasesIT.class);

  @AfterEach
  void close() {
    stage.close();
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
