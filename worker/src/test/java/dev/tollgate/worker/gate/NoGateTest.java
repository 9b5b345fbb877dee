package dev.tollgate.worker.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NoGateTest {

  @Test
  void everything_isLeftToTheDatabase() {
    try (var gate = new NoGate()) {
      gate.consumed(GateKeys.keys(2));
      assertThat(gate.ask(GateKeys.keys(2))).hasSize(2).containsOnly(GateAnswer.UNAVAILABLE);
      assertThat(gate.look(GateKeys.keys(2))).hasSize(2).containsOnly(GateAnswer.UNAVAILABLE);
      gate.release(GateKeys.keys(2));
    }
  }
}
