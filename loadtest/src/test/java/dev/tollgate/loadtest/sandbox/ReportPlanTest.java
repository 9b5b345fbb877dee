package dev.tollgate.loadtest.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tollgate.loadtest.sandbox.ReportPlan.Fate;
import dev.tollgate.loadtest.sandbox.ReportPlan.Sending;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ReportPlanTest {
  private static final long RENDER_MS = 300;

  private static List<Sending> all(long seed, FaultPreset preset) {
    ReportPlan plan = new ReportPlan(seed, preset, RENDER_MS);
    List<Sending> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (int i = 0; i < 500; i++) {
        String body = CreateRequest.sha256(("body " + i).getBytes(UTF_8));
        for (int change = 0; change < ReportPlan.CHANGES; change++) {
          all.add(plan.choose(kind, body, change));
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "HARSH"})
  void sameSeed_givesTheSameReports_anotherSeedOthers(FaultPreset preset) {
    assertThat(all(7, preset)).isEqualTo(all(7, preset)).isNotEqualTo(all(8, preset));
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "HARSH"})
  void everyFault_isMet_atAboutThePromisedShare(FaultPreset preset) {
    Set<Fate> met = EnumSet.noneOf(Fate.class);
    int faults = 0;
    List<Sending> all = all(20260101, preset);
    for (Sending sending : all) {
      met.add(sending.fate());
      faults += sending.fate() == Fate.ON_TIME ? 0 : 1;
      int times = sending.delaysMs().size();
      switch (sending.fate()) {
        case LOST -> assertThat(times).isZero();
        case REPEATED -> assertThat(times).isBetween(2, 5);
        case LATE -> assertThat(sending.delaysMs().getFirst()).isBetween(100L, 1500L);
        case OUT_OF_ORDER ->
            assertThat(sending.delaysMs().getFirst()).as("after the next change").isGreaterThan(60);
        case ON_TIME -> assertThat(sending.delaysMs()).containsExactly(0L);
      }
    }
    assertThat(met).containsExactlyInAnyOrder(Fate.values());
    double promised = preset == FaultPreset.DEFAULT ? 0.24 : 0.48;
    assertThat(faults / (double) all.size()).isCloseTo(promised, within(0.04));
  }

  @Test
  void withoutFaults_eachReportIsSentOnceAndAtOnce() {
    assertThat(all(1, FaultPreset.NONE)).containsOnly(new Sending(Fate.ON_TIME, List.of(0L)));
  }
}
