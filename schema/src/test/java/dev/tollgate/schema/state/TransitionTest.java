package dev.tollgate.schema.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the table must satisfy by itself. */
final class TransitionTest {
  @Test
  void noPairOfStatesStandsTwice() {
    List<String> pairs =
        Arrays.stream(Transition.values()).map(t -> t.from() + "->" + t.to()).toList();
    assertThat(pairs).doesNotHaveDuplicates();
  }

  @Test
  void nothingLeavesAFinalState_andEveryOtherStateHasAnExit() {
    for (OperationState state : OperationState.values()) {
      boolean exit = Arrays.stream(Transition.values()).anyMatch(t -> t.from() == state);
      assertThat(exit).as("%s has an exit", state).isEqualTo(!state.terminal());
    }
  }

  @Test
  void nothingStaysWhereItIs() {
    assertThat(Transition.values()).noneMatch(t -> t.from() == t.to());
  }

  @Test
  void everyStateIsReachedFromPrepared() {
    Set<OperationState> reached = new TreeSet<>(Set.of(OperationState.PREPARED));
    for (int i = 0; i < OperationState.values().length; i++) {
      for (Transition t : Transition.values()) {
        if (reached.contains(t.from())) {
          reached.add(t.to());
        }
      }
    }
    assertThat(reached).containsExactly(OperationState.values());
  }

  @Test
  void rule5And6_theWayBackToPreparedAsksForAReason() {
    for (Transition t : Transition.values()) {
      assertThat(t.reasons().isEmpty())
          .as("%s is open to any reason", t)
          .isEqualTo(t.to() != OperationState.PREPARED && t != Transition.CONFIRM);
    }
    assertThat(Transition.allowed(OperationState.UNKNOWN, OperationState.PREPARED, Code.ABSENT))
        .isTrue();
    assertThat(Transition.allowed(OperationState.PREPARED, OperationState.ACCEPTED, Code.ABSENT))
        .isFalse();
    assertThat(Transition.allowed(OperationState.UNKNOWN, OperationState.PREPARED, Code.LEASE_LOST))
        .isFalse();
    assertThat(Transition.allowed(OperationState.SENDING, OperationState.PREPARED, Code.ABSENT))
        .isFalse();
  }

  @Test
  void words_goThereAndBack() {
    for (OperationState state : OperationState.values()) {
      assertThat(OperationState.of(state.word())).isEqualTo(state);
      assertThat(state.word()).matches("[a-z]+");
    }
  }
}
