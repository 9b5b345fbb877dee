package dev.tollgate.worker.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LaneTest {
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Lane lane =
      new Lane(ScriptedAdapter.of("keyed", Recourse.IDEMPOTENT_CREATE, 2), GRACE);

  private void nothingWaits() {
    lane.drained(lane.queueMark());
  }

  @Test
  void backlog_atStart_isAssumedUntilAClaimFoundNothing() {
    assertThat(lane.hasBacklog()).isTrue();
    assertThat(lane.tryTakeForIntake()).isFalse();
    nothingWaits();
    assertThat(lane.hasBacklog()).isFalse();
    assertThat(lane.tryTakeForIntake()).isTrue();
  }

  @Test
  void backlog_storedWhileTheClaimLooked_isNotForgotten() {
    long mark = lane.queueMark();
    lane.queued(); // intake stores one more before the claim's answer comes
    lane.drained(mark);
    assertThat(lane.hasBacklog()).isTrue();
  }

  @Test
  void slots_areNeverMoreThanThereAre() {
    nothingWaits();
    assertThat(lane.tryTakeForIntake()).isTrue();
    assertThat(lane.takeFree(10)).isEqualTo(1);
    assertThat(lane.tryTakeForIntake()).isFalse();
    assertThat(lane.takeFree(10)).isZero();
    assertThat(lane.inFlight()).isEqualTo(2);
    lane.give(2);
    assertThat(lane.inFlight()).isZero();
    assertThat(lane.hasFree()).isTrue();
  }

  @Test
  void tryTakeForIntake_providerCannotBeAsked_never() {
    Lane blind = new Lane(ScriptedAdapter.of("blind", Recourse.NONE, 2), GRACE);
    blind.drained(blind.queueMark());
    assertThat(blind.tryTakeForIntake()).isFalse();
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
