package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.sandbox.FaultPreset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two workers and two reconcilers at once, a provider that misbehaves, and every message thrice.
 */
final class CrowdIT {
  private static final int OF_EACH_KIND = 50;
  private static final long SEED = 20_250_601;

  private Stage stage;

  @BeforeEach
  void open() {
    stage = Stage.open(CrowdIT.class, options -> options.withFaults(SEED, FaultPreset.DEFAULT));
  }

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void everythingAtOnce_oneTaskForEachOperationAndAnEndForEach() {
    // a create may take 1.5 s to be made, and a task stays hidden for up to 1 s
    for (String kind : List.of("keyed", "lookup", "listed", "blind")) {
      stage
          .set("providers." + kind + ".longest-hold", "2s")
          .set("providers." + kind + ".visibility-lag", "1s")
          .set("providers." + kind + ".connection-life", "1s");
    }
    for (int i = 0; i < 2; i++) {
      stage.run();
    }
    List<String> messages = new ArrayList<>();
    for (String kind : List.of("keyed", "lookup", "listed", "blind")) {
      for (int n = 0; n < OF_EACH_KIND; n++) {
        String request = request(kind, "crowd-%s-%03d".formatted(kind, n));
        messages.addAll(Collections.nCopies(3, request));
      }
    }
    Collections.shuffle(messages, new Random(SEED));
    stage.publishAll(messages);

    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(stage.sql(UNSETTLED)).isEmpty());
    assertThat(stage.states()).hasSize(4 * OF_EACH_KIND);
    assertThat(
            stage.sql("SELECT key FROM operations WHERE state = 'unknown' AND provider <> 'blind'"))
        .isEmpty();
    assertThat(stage.ledger().faultsFired()).as("the plan did something").hasSizeGreaterThan(8);
    blindOnesWereSentAgainOnlyWhereNothingWasMade();
    Audit.check(stage);
    Audit.outboxIsEmptied(stage);
    Audit.eventsTellTheTruthInOrder(stage);
  }

  private static final String UNSETTLED =
      """
      SELECT key, provider, state, reason, review FROM operations
      WHERE state NOT IN ('complete', 'failed') AND NOT (provider = 'blind' AND review = 'NO_WAY_TO_KNOW')
      """;

  private void blindOnesWereSentAgainOnlyWhereNothingWasMade() {
    Map<String, Long> creates = new java.util.TreeMap<>();
    stage.ledger().requests().stream()
        .filter(request -> request.kind().equals("blind") && !"429".equals(request.fault()))
        .forEach(request -> creates.merge(request.bodySha256(), 1L, Long::sum));
    assertThat(creates).hasSizeGreaterThan(OF_EACH_KIND / 2);
    assertThat(creates).allSatisfy((body, count) -> assertThat(count).as(body).isEqualTo(1));
  }
}
