package dev.tollgate.loadtest.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.audit.Report;
import dev.tollgate.loadtest.audit.Violation;
import dev.tollgate.loadtest.sandbox.Fault;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class OutcomeTest {
  private static final Plan SMALL =
      new Plan(100, 7, FaultLevel.HARSH, Duration.ofSeconds(5), Duration.ofMinutes(10));
  private static final Plan LARGE =
      new Plan(2000, 7, FaultLevel.DEFAULT, Duration.ofSeconds(5), Duration.ofMinutes(10));

  @Test
  void clean_isGood_andJsonIsOneLineWithTheAgreedFields() {
    Outcome outcome = of(SMALL, report(0, 0, allFaults(), List.of()), List.of());
    assertThat(outcome.good()).isTrue();
    String json = OutcomeText.json(outcome);
    assertThat(json).doesNotContain("\n");
    JsonNode read = JsonMapper.builder().build().readTree(json);
    assertThat(read.propertyNames())
        .contains(
            "intended",
            "published",
            "rows",
            "remoteTasks",
            "duplicates",
            "lost",
            "complete",
            "failed",
            "unknown",
            "review",
            "deadLetters",
            "unknownSeen",
            "reconciledWithoutRetry",
            "protectedRetries",
            "staleFences",
            "faultsFired",
            "seconds",
            "operationsPerSecond");
    assertThat(read.path("faultsFired").path("worker/kill").asInt()).isEqualTo(2);
    assertThat(read.path("operationsPerSecond").asDouble()).isEqualTo(10.0);
    assertThat(read.path("toldByWebhook").asInt()).isEqualTo(61);
    assertThat(read.path("toldByStream").asInt()).isEqualTo(7);
    assertThat(read.path("toldByPoll").asInt()).isEqualTo(12);
    assertThat(OutcomeText.summary(outcome))
        .contains("told         61 completions by a webhook first, 7 by their stream, 12 by asking")
        .contains("streamed     10 texts in 1500 chunks, read on 4 times");
  }

  @Test
  void duplicatesOrLost_isNotGood() {
    assertThat(of(SMALL, report(1, 0, allFaults(), List.of()), List.of()).good()).isFalse();
    assertThat(of(SMALL, report(0, 1, allFaults(), List.of()), List.of()).good()).isFalse();
    assertThat(of(SMALL, report(0, 0, allFaults(), List.of()), List.of("not quiet")).good())
        .isFalse();
  }

  @Test
  void faultThatNeverFired_isAFindingInALargeRunOnly() {
    Map<String, Long> fired = allFaults();
    fired.remove("hang");
    Outcome small = of(SMALL, report(0, 0, fired, List.of()), List.of());
    Outcome large = of(LARGE, report(0, 0, fired, List.of()), List.of());
    assertThat(small.notFired()).containsExactly("hang");
    assertThat(small.good()).isTrue();
    assertThat(large.good()).isFalse();
    assertThat(OutcomeText.summary(large)).contains("not fired    hang").contains("NOT GOOD");
  }

  @Test
  void manyViolations_areNamedUpToTwenty() {
    List<Violation> many =
        IntStream.range(0, 50)
            .mapToObj(n -> new Violation(Violation.Rule.ONE_TASK, "key-" + n, "twice"))
            .toList();
    Outcome outcome = of(SMALL, report(50, 0, allFaults(), many), List.of());
    assertThat(outcome.problems()).hasSize(22).last().isEqualTo("and 30 more");
  }

  private static Outcome of(Plan plan, Report report, List<String> troubles) {
    return Outcome.of(
        plan,
        3,
        200,
        Map.of("worker/kill", 2L, "worker/freeze", 2L),
        report,
        new Told(61, 7, 12),
        10.0,
        troubles);
  }

  private static Map<String, Long> allFaults() {
    Map<String, Long> fired = new HashMap<>();
    Arrays.stream(Fault.Family.values())
        .filter(family -> family != Fault.Family.ACCEPT)
        .forEach(family -> fired.put(family.text(), 3L));
    return fired;
  }

  private static Report report(
      long duplicates, long lost, Map<String, Long> fired, List<Violation> violations) {
    return new Report(
        100,
        100,
        100,
        duplicates,
        lost,
        Map.of(OperationState.COMPLETE, 100L),
        Map.of("keyed", Map.of(OperationState.COMPLETE, 100L)),
        0,
        0,
        10,
        5,
        3,
        2,
        1,
        new Report.Streamed(10, 1500, 4),
        fired,
        violations);
  }
}
