package dev.tollgate.loadtest.audit;

import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.embedded.SharedServices;
import dev.tollgate.loadtest.Stage;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.key.OperationKey;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The audit on real servers: what went well is clean, and what is broken afterwards is seen. */
final class AuditIT {
  private Stage stage;

  @BeforeEach
  void open() {
    stage = Stage.open(AuditIT.class);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void realRun_isClean_andWhatIsBrokenAfterwardsIsSeen() throws Exception {
    stage.run();
    List<Intended> intended =
        List.of(
            publish("keyed", "good"),
            publish("lookup", "lost", "accept/drop"),
            publish("keyed", "hang", "hang", "accept"),
            text("whole", "accept"),
            text("cut", "accept/cut@5000"),
            publish("blind", "lost", "accept/drop"));
    for (Intended each : intended.subList(0, 5)) {
      stage.awaitState(each.key().toString(), "complete");
    }
    String blind = intended.getLast().key().toString();
    Stage.eventually().until(() -> "person".equals(stage.operation(blind).get("next")));
    awaitNothingIsDue();

    Report report = Audit.of(facts(intended));
    assertThat(report.violations()).isEmpty();
    assertThat(report.remoteTasks()).isEqualTo(6);
    assertThat(report.duplicates()).isZero();
    assertThat(report.lost()).isZero();
    assertThat(report.unknownSeen()).isEqualTo(3);
    assertThat(report.reconciledWithoutRetry()).isEqualTo(1);
    assertThat(report.protectedRetries()).isPositive();
    assertThat(report.review()).isEqualTo(1);
    assertThat(report.streamed().texts()).isEqualTo(2);
    assertThat(report.streamed().resumed()).isEqualTo(1);

    try (var files = Files.walk(stage.outputs())) {
      Files.delete(files.filter(Files::isRegularFile).findFirst().orElseThrow());
    }
    stage.database().dsl().execute("DELETE FROM wake");
    Report broken = Audit.of(facts(intended));
    assertThat(broken.lost()).isEqualTo(1);
    assertThat(broken.violations())
        .extracting(Violation::rule)
        .containsExactlyInAnyOrder(Violation.Rule.ONE_OUTPUT, Violation.Rule.NOTHING_FORGOTTEN);
  }

  @Test
  void generationsByPolicy_areNoDuplicates() {
    stage.set("generations.policy.on", "failed").set("generations.policy.after", "100ms").run();
    Intended first = publish("keyed", "again", "fail");
    Stage.eventually()
        .until(() -> stage.states().size() == 2 && stage.states().containsValue("complete"));
    awaitNothingIsDue();
    Report report = Audit.of(facts(List.of(first)));
    assertThat(report.violations()).isEmpty();
    assertThat(report.remoteTasks()).isEqualTo(2);
    assertThat(report.duplicates()).isZero();
  }

  private void awaitNothingIsDue() {
    Stage.eventually()
        .until(
            () ->
                stage
                    .database()
                    .dsl()
                    .fetch("SELECT id FROM outbox UNION ALL SELECT id FROM chunk_outbox")
                    .isEmpty());
  }

  private Facts facts(List<Intended> intended) {
    return new FactsReader(
            stage.database().dsl(),
            new Clients(SharedServices.kafka().bootstrapServers(), Map.of()),
            stage.topics(),
            stage.outputs(),
            stage.ledgerFile())
        .read(intended);
  }

  private Intended text(String product, String script) {
    String json =
        """
        {"kind":"text","product":"%1$s","provider":"text","params":\
        {"model":"m","prompt":"text %1$s","provider":{"sandbox_script":["%2$s"]}}}"""
            .formatted(product, script);
    return new Intended(
        OperationKey.parse(stage.publish(json)), "text", "\"text %s\"".formatted(product));
  }

  private Intended publish(String provider, String product, String... script) {
    String json = request(provider, provider + "-" + product, script);
    String key = stage.publish(json);
    // canonical, as the provider gets it; the next member by name is the product
    String body = ((RequestWriter.Ready) RequestWriter.fromJsonLine(json)).message().value();
    String params = body.substring(body.indexOf("\"params\":") + 9, body.indexOf(",\"product\""));
    return new Intended(OperationKey.parse(key), provider, params);
  }
}
