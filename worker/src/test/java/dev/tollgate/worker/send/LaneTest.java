package dev.tollgate.worker.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LaneTest {
  private static final long NOW = 42;
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Lane lane =
      new Lane(ScriptedAdapter.of("keyed", Recourse.IDEMPOTENT_CREATE, 2), GRACE, () -> NOW);

  private void nothingWaits() {
    lane.drained(lane.queueMark());
  }

  @Test
  void backlog_atStart_isAssumedUntilAClaimFoundNothing() throws Exception {
    Lanes.slow(lane);
    assertThat(lane.hasBacklog()).isTrue();
    assertThat(lane.takeForIntake(1, NOW)).isZero();
    nothingWaits();
    assertThat(lane.hasBacklog()).isFalse();
    assertThat(lane.takeForIntake(1, NOW)).isEqualTo(1);
  }

  @Test
  void backlog_storedWhileTheClaimLooked_isNotForgotten() {
    long mark = lane.queueMark();
    lane.queued(); // intake stores one more before the claim's answer comes
    lane.drained(mark);
    assertThat(lane.hasBacklog()).isTrue();
  }

  @Test
  void slots_areNeverMoreThanThereAre() throws Exception {
    nothingWaits();
    assertThat(lane.takeForIntake(1, NOW)).isEqualTo(1);
    assertThat(lane.takeFree(10)).isEqualTo(1);
    assertThat(lane.takeForIntake(1, NOW)).isZero();
    assertThat(lane.takeFree(10)).isZero();
    assertThat(lane.inFlight()).isEqualTo(2);
    lane.give(2);
    assertThat(lane.inFlight()).isZero();
  }

  @Test
  void takeForIntake_moreWantedThanFree_takesWhatIsFree() throws Exception {
    nothingWaits();
    assertThat(lane.takeForIntake(10, NOW)).isEqualTo(2);
  }

  @Test
  void takeForIntake_olderOnesWaitForAFastProvider_takesItsTurn() throws Exception {
    assertThat(lane.hasBacklog()).isTrue();
    assertThat(lane.takeForIntake(1, NOW)).isEqualTo(1);
  }

  @Test
  void takeForIntake_moreThanSoonComesFree_isNotWaitedFor() throws Exception {
    nothingWaits();
    lane.held(
        Duration.ofSeconds(3).toNanos()); // a mean of 0.19 s: two slots serve ten in about 1 s
    assertThat(lane.takeFree(2)).isEqualTo(2);
    assertThat(lane.takeForIntake(10, NOW + Duration.ofDays(1).toNanos())).isZero();
  }

  @Test
  void takeForClaims_fewAreFree_takesThem() throws Exception {
    assertThat(lane.takeForClaims(10)).isEqualTo(2);
    assertThat(lane.takeForClaims(10)).isZero();
    lane.give(1);
    assertThat(lane.takeForClaims(10)).isEqualTo(1);
  }

  @Test
  void takeForIntake_slowProvider_isNotWaitedFor() throws Exception {
    nothingWaits();
    Lanes.slow(lane);
    assertThat(lane.takeFree(2)).isEqualTo(2);
    // with a clock that stands still, waiting until then would never end
    assertThat(lane.takeForIntake(1, NOW + Duration.ofDays(1).toNanos())).isZero();
  }

  @Test
  void sendsFromIntake_providerCannotBeAsked_never() {
    Lane blind = new Lane(ScriptedAdapter.of("blind", Recourse.NONE, 2), GRACE, () -> NOW);
    blind.drained(blind.queueMark());
    assertThat(blind.sendsFromIntake()).isFalse();
    assertThat(lane.sendsFromIntake()).isTrue();
    assertThat(blind.takeFree(1)).isEqualTo(1);
  }

  @Test
  void times_aSendEndsBeforeItsAnswerIsDue_andTheLeaseOutlastsBoth() {
    long asked = Long.MAX_VALUE - 3; // the monotonic clock may wrap
    assertThat(lane.answerBy(asked) - lane.sendNotAfter(asked)).isPositive();
    assertThat(lane.terms().lease().toNanos()).isGreaterThan(lane.answerBy(asked) - asked);
    assertThat(lane.sendNotAfter(lane.longOver(asked)) - asked).isNegative();
    assertThat(lane.answerBy(lane.longOver(asked)) - asked).isNegative();
    assertThat(lane.terms().absentAfter()).isEqualTo(ScriptedAdapter.HORIZON);
  }
}
