package dev.tollgate.loadtest.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tollgate.loadtest.sandbox.Fault.Family;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FaultPlanTest {

  @ParameterizedTest
  @EnumSource(FaultPreset.class)
  void sameSeed_givesTheSameFaults_anotherSeedOthers(FaultPreset preset) {
    List<Fault> first = plan(new FaultPlan(7, preset));
    assertThat(plan(new FaultPlan(7, preset))).isEqualTo(first);
    if (preset != FaultPreset.NONE) {
      assertThat(plan(new FaultPlan(8, preset))).isNotEqualTo(first);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "HARSH"})
  void fiveHundredOperationsOfAKind_everyKindMeetsEveryFault_atAboutThePromisedShare(
      FaultPreset preset) {
    FaultPlan plan = new FaultPlan(20260101, preset);
    int faults = 0;
    for (Kind kind : Kind.values()) {
      Set<Family> met = EnumSet.noneOf(Family.class);
      for (int i = 0; i < 500; i++) {
        Fault fault = plan.choose(kind, body(i), 0);
        met.add(fault.family());
        faults += fault.family() == Family.ACCEPT ? 0 : 1;
      }
      assertThat(met).as(kind.path()).containsExactlyInAnyOrder(Family.values());
    }
    double promised = preset == FaultPreset.DEFAULT ? 0.25 : 0.45;
    assertThat(faults / (500.0 * Kind.values().length)).isCloseTo(promised, within(0.04));
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "HARSH"})
  void amounts_stayInTheirBounds(FaultPreset preset) {
    FaultPlan plan = new FaultPlan(1, preset);
    for (int i = 0; i < 20_000; i++) {
      Fault fault = plan.choose(Kind.BLIND, body(i), 0);
      int most =
          switch (fault.family()) {
            case LATE -> 1500;
            case STATUS_404 -> 1000;
            case SLOW -> 700;
            case ACCEPT_CUT -> 169;
            default -> 0;
          };
      assertThat(fault.amount()).isBetween(0, most);
    }
  }

  @Test
  void resends_areMostlyAccepted_neverRefused_andInTheEndAlways() {
    FaultPlan plan = new FaultPlan(1, FaultPreset.HARSH);
    List<Family> second =
        IntStream.range(0, 2000)
            .mapToObj(i -> plan.choose(Kind.KEYED, body(i), 1).family())
            .toList();
    assertThat(second.stream().filter(Family.ACCEPT::equals).count()).isBetween(1600L, 1800L);
    assertThat(second).doesNotContain(Family.REFUSED, Family.FAIL, Family.LATE);
    assertThat(IntStream.range(0, 2000).mapToObj(i -> plan.choose(Kind.KEYED, body(i), 4)))
        .containsOnly(Fault.ACCEPT);
  }

  private static List<Fault> plan(FaultPlan plan) {
    List<Fault> faults = new ArrayList<>();
    Stream.of(Kind.values())
        .forEach(
            kind -> {
              for (int i = 0; i < 200; i++) {
                faults.add(plan.choose(kind, body(i), i % 3));
              }
            });
    return faults;
  }

  private static String body(int i) {
    return CreateRequest.sha256(("{\"input\":{\"i\":" + i + "}}").getBytes(StandardCharsets.UTF_8));
  }
}
