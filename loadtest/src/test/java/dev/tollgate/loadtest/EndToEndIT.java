package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A request on Kafka becomes one paid task and one stored output, whatever the provider does. Real
 * servers throughout.
 */
final class EndToEndIT {
  private Stage stage;

  @BeforeEach
  void open() {
    stage = Stage.open(EndToEndIT.class);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void everyKind_providerBehaves_completesWithOneTaskAndOneFile() throws Exception {
    stage.run();
    Map<String, String> keys = new HashMap<>();
    for (String kind : List.of("keyed", "lookup", "listed", "blind")) {
      keys.put(kind, stage.publish(request(kind, "good-" + kind)));
      stage.publish(request(kind, "good-" + kind));
    }
    for (String key : keys.values()) {
      stage.awaitState(key, "complete");
    }
    assertThat(stage.ledger().tasks()).hasSize(4);
    try (var files = Files.walk(stage.outputs())) {
      assertThat(files.filter(Files::isRegularFile).map(Path::toString))
          .hasSize(4)
          .noneMatch(file -> file.contains(".partial"));
    }
  }

  @Test
  void everyAskableKind_answerLost_isUnknownThenFoundWithoutASecondTask() {
    stage.run();
    for (String kind : List.of("keyed", "lookup", "listed")) {
      String key = stage.publish(request(kind, "lost-" + kind, "accept/drop"));
      stage.awaitState(key, "complete");
      assertThat(stage.evidence(key)).anyMatch(line -> line.contains("OUTCOME_UNKNOWN"));
    }
    assertThat(stage.ledger().tasks()).hasSize(3);
  }

  @Test
  void everyAskableKind_requestSwallowed_isSentAgainOnlyWithProof() {
    stage.run();
    for (String kind : List.of("keyed", "lookup", "listed")) {
      String key = stage.publish(request(kind, "hang-" + kind, "hang", "accept"));
      stage.awaitState(key, "complete");
      assertThat(stage.evidence(key))
          .anyMatch(line -> line.contains(kind.equals("keyed") ? "PROTECTED_RESEND" : "ABSENT"));
    }
    assertThat(stage.ledger().tasks()).hasSize(3);
  }

  @Test
  void blind_answerLost_waitsForAPersonAndIsNeverSentAgain() {
    stage.run();
    String key = stage.publish(request("blind", "lost", "accept/drop"));
    Stage.eventually().until(() -> "NO_WAY_TO_KNOW".equals(stage.operation(key).get("review")));
    assertThat(stage.operation(key))
        .containsEntry("state", "unknown")
        .containsEntry("next", "person");
    assertThat(stage.ledger().requests()).hasSize(1);
  }
}
