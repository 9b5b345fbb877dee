package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.eventually;
import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.NextGeneration;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.PostgresOperationStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** New generations by policy and on request: each is paid once, and none beside an open one. */
final class GenerationsIT {
  private Stage stage;

  @BeforeEach
  void open() {
    stage = Stage.open(GenerationsIT.class);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private void policy() {
    stage
        .set("generations.policy.on", "failed")
        .set("generations.policy.max", "3")
        .set("generations.policy.after", "100ms");
  }

  /** The request that somebody makes for the generation after this one. */
  private static EventMessage next(String json) {
    return ((RequestWriter.Ready) NextGeneration.ofJsonLine(json, "/shop", null, "rejected"))
        .message();
  }

  private void publish(EventMessage message) {
    stage.publish(message.toRecord(stage.topics().requests()));
  }

  private List<String> letters() {
    return stage.topic(stage.topics().requestsDlt()).records().stream()
        .map(record -> Texts.utf8(record.headers().lastHeader(DeadLetterHeaders.CODE).value()))
        .toList();
  }

  private void awaitNothingIsDue() {
    eventually().until(() -> stage.sql("SELECT count(*) FROM outbox").equals(List.of("0")));
    eventually().until(() -> stage.sql("SELECT count(*) FROM regeneration").equals(List.of("0")));
  }

  @Test
  void policy_twoReconcilers_taskFails_nextGenerationIsMadeOnce() {
    policy();
    stage.run();
    stage.reconciler();
    String json = request("keyed", "once", "fail");
    String first = stage.publish(json);
    String second = next(json).key();
    stage.awaitState(first, "failed");
    stage.awaitState(second, "complete");
    awaitNothingIsDue();
    assertThat(stage.states()).hasSize(2);
    assertThat(stage.tasks("once")).isEqualTo(2);
    assertThat(stage.operation(second))
        .containsEntry("generation", "2")
        .containsEntry("attempts", "1");
    assertThat(stage.counted("tollgate.generations", "provider", "keyed", "cause", "policy"))
        .isEqualTo(1);
  }

  @Test
  void policy_failsAgainAndAgain_endsAtItsLimit() {
    policy();
    stage.run();
    String json = request("keyed", "never", "fail", "fail", "fail", "fail");
    stage.publish(json);
    EventMessage second = next(json);
    stage.awaitState(next(second.value()).key(), "failed");
    eventually()
        .until(
            () ->
                stage.counted("tollgate.generations.left", "provider", "keyed", "why", "limit")
                    == 1);
    awaitNothingIsDue();
    assertThat(stage.states()).hasSize(3).containsValues("failed");
    assertThat(stage.tasks("never")).isEqualTo(3);
  }

  /** The pause is for what is heard late; nothing else makes it due before its time. */
  @Test
  void policy_anotherTaskIsHeardOfMeanwhile_isLeftToAPerson() {
    policy();
    stage.set("generations.policy.after", "1h");
    stage.run();
    String key = stage.publish(request("keyed", "doubt", "fail"));
    stage.awaitState(key, "failed");
    eventually().until(() -> stage.sql("SELECT count(*) FROM regeneration").equals(List.of("1")));
    OperationKey failed = OperationKey.parse(key);
    assertThat(
            new PostgresOperationStore(stage.database().dsl())
                .lateEvidence(Map.of(failed, "another-task")))
        .containsExactly(failed);
    assertThat(stage.states()).hasSize(1);
    stage.database().dsl().execute("UPDATE regeneration SET at = now()");
    eventually().until(() -> stage.counted("tollgate.generations.left", "why", "doubt") == 1);
    awaitNothingIsDue();
    assertThat(stage.states()).hasSize(1);
    assertThat(stage.tasks("doubt")).isEqualTo(1);
  }

  @Test
  void noPolicy_taskFails_nothingIsMade() {
    stage.run();
    String key = stage.publish(request("keyed", "off", "fail"));
    stage.awaitState(key, "failed");
    awaitNothingIsDue();
    assertThat(stage.states()).hasSize(1);
    assertThat(stage.tasks("off")).isEqualTo(1);
  }

  @Test
  void request_resultIsRejected_isANewTaskAndAnotherOutput() {
    stage.run();
    String json = request("keyed", "rejected");
    String first = stage.publish(json);
    stage.awaitState(first, "complete");
    EventMessage next = next(json);
    publish(next);
    publish(next);
    stage.awaitState(next.key(), "complete");
    assertThat(stage.tasks("rejected")).isEqualTo(2);
    assertThat(stage.states()).hasSize(2);
    assertThat(stage.counted("tollgate.generations", "cause", "request")).isEqualTo(1);
  }

  /** Nobody knows yet what the first one costs: a second one would be paid for beside it. */
  @Test
  void request_earlierIsUnknown_isADeadLetter_andIsTakenInWhenItHasEnded() {
    stage.worker();
    String json = request("keyed", "open", "accept/drop");
    String first = stage.publish(json);
    stage.awaitState(first, "unknown");
    EventMessage next = next(json);
    publish(next);
    eventually().untilAsserted(() -> assertThat(letters()).containsExactly("EARLIER_STILL_OPEN"));
    assertThat(stage.states()).hasSize(1);
    stage.reconciler();
    stage.awaitState(first, "complete");
    publish(next);
    stage.awaitState(next.key(), "complete");
    assertThat(letters()).hasSize(1);
    assertThat(stage.tasks("open")).isEqualTo(2);
  }
}
