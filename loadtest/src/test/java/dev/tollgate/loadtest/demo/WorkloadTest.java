package dev.tollgate.loadtest.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.audit.Intended;
import dev.tollgate.schema.event.EventMessage;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class WorkloadTest {
  private static final Workload WORKLOAD = Workload.of(1000, 7);

  @Test
  void everyOperation_isAskedForOnceToThreeTimes_twiceOnAverage() {
    Map<String, Long> said =
        WORKLOAD.messages().stream()
            .collect(Collectors.groupingBy(EventMessage::key, Collectors.counting()));
    assertThat(said).hasSize(1000);
    assertThat(said.values()).containsOnly(1L, 2L, 3L);
    assertThat(WORKLOAD.messages().size()).isBetween(1900, 2100);
  }

  @Test
  void operations_areSpreadEvenly_andNoTwoHaveTheSameKeyOrParams() {
    Map<String, Long> providers =
        WORKLOAD.intended().stream()
            .collect(Collectors.groupingBy(Intended::provider, Collectors.counting()));
    assertThat(providers)
        .isEqualTo(
            Map.of("keyed", 225L, "lookup", 225L, "listed", 225L, "blind", 225L, "text", 100L));
    assertThat(WORKLOAD.intended().stream().map(Intended::key).distinct()).hasSize(1000);
    assertThat(WORKLOAD.intended().stream().map(Intended::input).distinct()).hasSize(1000);
  }

  @Test
  void inputStandsInTheMessageAsItStandsInTheLedger() {
    Map<String, String> bodies =
        WORKLOAD.messages().stream()
            .collect(Collectors.toMap(EventMessage::key, EventMessage::value, (a, _) -> a));
    assertThat(WORKLOAD.intended())
        .allSatisfy(
            intended ->
                assertThat(bodies.getOrDefault(intended.key().toString(), "none"))
                    .contains(
                        (intended.provider().equals("text") ? "\"prompt\":" : "\"params\":")
                            + intended.input()));
  }

  @Test
  void sameSeed_sameMessages_otherSeed_otherOrder() {
    assertThat(Workload.of(1000, 7)).isEqualTo(WORKLOAD);
    assertThat(Workload.of(1000, 8).messages()).isNotEqualTo(WORKLOAD.messages());
  }
}
