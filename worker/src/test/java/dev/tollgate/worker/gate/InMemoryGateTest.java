package dev.tollgate.worker.gate;

import static dev.tollgate.worker.gate.GateAnswer.ACQUIRED;
import static dev.tollgate.worker.gate.GateAnswer.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class InMemoryGateTest extends GateContract {

  private final InMemoryGate.Store store = new InMemoryGate.Store();

  @Override
  Gate gate(String incarnation, String owner) {
    return new InMemoryGate(store, incarnation, owner);
  }

  @Override
  void plant(String incarnation, GateKey key, byte @Nullable [] value) {
    try (var gate = new InMemoryGate(store, incarnation, "nobody")) {
      gate.plant(key, value);
    }
  }

  @Override
  void forgetAll() {
    store.forgetAll();
  }

  @Test
  void storeAway_isUnavailableAndStoresNothing() {
    Gate gate = gate("1", "w1");
    store.away(true);
    assertThat(gate.ask(GateKeys.keys(2))).containsOnly(UNAVAILABLE);
    assertThat(gate.look(GateKeys.keys(2))).containsOnly(UNAVAILABLE);
    gate.consumed(GateKeys.keys(2));
    store.away(false);
    assertThat(gate.ask(GateKeys.keys(2))).containsOnly(ACQUIRED);
  }
}
