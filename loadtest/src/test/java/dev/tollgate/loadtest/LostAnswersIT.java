package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.eventually;
import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Answers that are lost, late or contradict themselves: what is unknown is looked for, not sent.
 */
final class LostAnswersIT {
  private Stage stage;

  @BeforeEach
  void open() {
    stage = Stage.open(LostAnswersIT.class);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  /** Many scenarios side by side: each waits for a horizon, and they may as well wait together. */
  @Test
  void fc43_fc46_fc51_fc52_lateAndRepeatedAnswers_endWithOneTaskEach() {
    stage.run();
    Map<String, String> late = new LinkedHashMap<>();
    for (String kind : List.of("lookup", "listed")) {
      late.put(kind, stage.publish(request(kind, "late-" + kind, "late(2200)")));
    }
    String inUse = stage.publish(request("keyed", "in-use", "late(2200)"));
    String refused =
        stage.publish(request("keyed", "refused", "accept/drop", "429", "503", "hang", "accept"));
    String again = request("listed", "again", "accept/drop");
    stage.publish(again, "first-try");
    stage.publish(again, "second-try");
    List<String> same = sameParameters();

    for (String key : List.of(inUse, refused, late.get("lookup"), late.get("listed"))) {
      stage.awaitState(key, "complete");
    }
    String pressedAgain = stage.publish(again, "third-try");
    stage.awaitState(pressedAgain, "complete");

    fc46_lookedBeforeItShowed_andDidNotSendAgain(late);
    fc52_keyInUse_isNoRefusal(inUse);
    fc43_whatARefusedResendSays_isNothing(refused);
    assertThat(stage.tasks("again")).as("fc51").isEqualTo(1);
    assertThat(stage.creates("again")).as("fc51").isEqualTo(1);
    twoTasksFitTwoOperations_areForAPerson(same);
    assertThat(stage.sql("SELECT key FROM operations WHERE state = 'failed'")).isEmpty();
    Audit.everyOpenOperationIsWoken(stage);
    Audit.everyRequestWasWrittenBeforeItWasSent(stage);
    Audit.outboxIsEmptied(stage);
    Audit.eventsTellTheTruthInOrder(stage);
  }

  private void fc46_lookedBeforeItShowed_andDidNotSendAgain(Map<String, String> late) {
    late.forEach(
        (kind, key) -> {
          assertThat(stage.evidence(key))
              .anyMatch(line -> line.contains("none yet, horizon"))
              .anyMatch(line -> line.contains("lookup FOUND"))
              .noneMatch(line -> line.contains("ABSENT"));
          assertThat(stage.creates("late-" + kind)).isEqualTo(1);
          assertThat(stage.operation(key)).containsEntry("attempts", "1");
        });
  }

  private void fc52_keyInUse_isNoRefusal(String key) {
    assertThat(stage.evidence(key))
        .anyMatch(line -> line.contains("PROTECTED_RESEND"))
        .noneMatch(line -> line.contains("PROVIDER_REJECTED"));
    assertThat(stage.tasks("in-use")).isEqualTo(1);
    assertThat(stage.creates("in-use")).isGreaterThan(1);
  }

  private void fc43_whatARefusedResendSays_isNothing(String key) {
    assertThat(stage.evidence(key))
        .anyMatch(
            line ->
                line.contains(
                    "PROVIDER_THROTTLED a resend decided nothing while an earlier attempt is unresolved"))
        .anyMatch(
            line ->
                line.contains(
                    "OUTCOME_UNKNOWN a resend decided nothing while an earlier attempt is unresolved"));
    assertThat(stage.tasks("refused")).isEqualTo(1);
    assertThat(stage.creates("refused")).isEqualTo(5);
  }

  private static final String SAME =
      """
      {"kind":"video","product":"same-%d","variant":"a","provider":"listed","params":{"prompt":"a red kite for same","seed":7,"sandbox_script":["accept/drop","accept/drop"]}}""";

  /** Two operations whose parameters are equal, and whose answers are lost in the same second. */
  private List<String> sameParameters() {
    return stage.publishAll(List.of(SAME.formatted(1), SAME.formatted(2)));
  }

  private void twoTasksFitTwoOperations_areForAPerson(List<String> keys) {
    for (String key : keys) {
      eventually().until(() -> "AMBIGUOUS".equals(stage.operation(key).get("review")));
      assertThat(stage.operation(key)).containsEntry("state", "unknown");
    }
    assertThat(stage.creates("same")).isEqualTo(2);
    assertThat(stage.tasks("same")).isEqualTo(2);
  }

  /**
   * The worker is alive and gets its answer in time, but its way to the database is silent until
   * its lease has run out and others have looked.
   */
  @Test
  void fc13_answerIsStoredAfterTheLease_isEvidenceAndNeverAFailure() {
    Tap tap = stage.tap();
    stage.set("worker.lease-grace", "500ms").set("worker.attempts-max", "20");
    for (String kind : List.of("keyed", "lookup", "listed", "blind")) {
      stage.set("providers." + kind + ".submit-deadline", "2s");
    }
    stage.through(tap).worker();
    stage.direct().reconciler();
    Map<String, String> keys = new HashMap<>();
    for (String kind : List.of("keyed", "lookup", "listed", "blind")) {
      keys.put(kind, stage.publish(request(kind, "slow-" + kind, "slow(1000)")));
    }
    eventually().until(() -> stage.ledger().tasks().size() == 4);
    tap.freeze();
    for (String key : keys.values()) {
      eventually().until(() -> evidenceHas(key, "sweep LEASE_LOST"));
    }
    eventually()
        .until(() -> "NO_WAY_TO_KNOW".equals(stage.operation(key(keys, "blind")).get("review")));
    assertThat(stage.operation(key(keys, "keyed")).get("state")).isIn("unknown", "prepared");
    tap.thaw();
    stage.awaitStates(keys.values(), "complete");
    for (String key : keys.values()) {
      assertThat(stage.evidence(key))
          .as("the late answer is kept")
          .anyMatch(line -> line.startsWith("submit PROVIDER_ACCEPTED"))
          .noneMatch(line -> line.contains("SUSPECTED_DUPLICATE"));
    }
    assertThat(stage.evidence(key(keys, "blind")))
        .anyMatch(line -> line.startsWith("lookup FOUND an answer named it"));
    Audit.check(stage);
    Audit.outboxIsEmptied(stage);
    Audit.eventsTellTheTruthInOrder(stage);
  }

  private static String key(Map<String, String> keys, String kind) {
    return keys.getOrDefault(kind, "none");
  }

  private boolean evidenceHas(String key, String start) {
    return stage.evidence(key).stream().anyMatch(line -> line.startsWith(start));
  }
}
