package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The demonstration from the command line, small. Everything in it is real. */
final class DemoIT {
  @Test
  void smallRun_isGood_saysSoInOneJsonObject_andLeavesNothingRunning() {
    Typed demo = Typed.type("demo", "--operations", "24", "--seed", "3", "--json");

    assertThat(demo.code()).as(demo.err()).isZero();
    assertThat(demo.outLines()).hasSize(1);
    JsonNode outcome = JsonMapper.builder().build().readTree(demo.outLines().getFirst());
    assertThat(outcome.path("intended").asInt()).isEqualTo(24);
    assertThat(outcome.path("rows").asInt()).isEqualTo(24);
    assertThat(outcome.path("duplicates").asInt(-1)).isZero();
    assertThat(outcome.path("lost").asInt(-1)).isZero();
    assertThat(outcome.path("texts").asInt()).isEqualTo(2);
    assertThat(outcome.path("violations").asInt(-1)).isZero();
    assertThat(demo.err()).contains("publishing, seed 3").doesNotContain("ledger");
    assertThat(children()).isEmpty();
  }

  @Test
  void wrongNumbers_areRefusedBeforeAnythingStarts() {
    assertThat(Typed.type("demo", "--operations", "0").code()).isEqualTo(2);
    assertThat(Typed.type("demo", "--workers", "17").code()).isEqualTo(2);
    assertThat(Typed.type("demo", "--faults", "some").code()).isEqualTo(2);
  }

  private static Stream<String> children() {
    return ProcessHandle.current()
        .descendants()
        .flatMap(process -> process.info().commandLine().stream())
        .filter(line -> line.contains("dev.tollgate.cli.Main") || line.contains("SandboxMain"));
  }
}
