package dev.tollgate.worker.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.provider.Verdict;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LaneTest {
  private static final long NOW = 42;
  private static final Verdict GOOD = new Verdict.Accepted("task", "");

  private final Lane lane =
      Lanes.of(ScriptedAdapter.of("keyed", Recourse.IDEMPOTENT_CREATE, 2), () -> NOW);

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
    Lane blind = Lanes.of(ScriptedAdapter.of("blind", Recourse.NONE, 2), () -> NOW);
    blind.drained(blind.queueMark());
    assertThat(blind.sendsFromIntake()).isFalse();
    assertThat(lane.sendsFromIntake()).isTrue();
    assertThat(blind.takeFree(1)).isEqualTo(1);
  }

  @Test
  void sendsFromIntake_whereTheFleetHasALimit_never() {
    Lane limited =
        Lanes.limited(ScriptedAdapter.of("keyed", Recourse.IDEMPOTENT_CREATE, 2), () -> NOW);
    assertThat(limited.sendsFromIntake()).isFalse();
    assertThat(limited.freeOnceAnswered()).as("it can be asked all the same").isTrue();
  }

  private static Lane wide(int slots, int startPercent, AtomicLong clock) {
    return Lanes.of(
        ScriptedAdapter.of("keyed", Recourse.IDEMPOTENT_CREATE, slots),
        Lanes.policy(startPercent),
        clock::get);
  }

  private static void hear(Lane lane, Verdict verdict, int times, AtomicLong clock) {
    for (int i = 0; i < times; i++) {
      lane.heard(verdict, clock.get());
    }
  }

  @Test
  void slots_ofAWorkerThatBegins_growWithGoodAnswers() throws Exception {
    AtomicLong clock = new AtomicLong(NOW);
    Lane cold = wide(16, 25, clock);
    assertThat(cold.takeForClaims(100)).isEqualTo(4);
    hear(cold, GOOD, 4, clock);
    assertThat(cold.takeForClaims(100)).as("four more, the first four are out").isEqualTo(4);
    hear(cold, GOOD, 8, clock);
    assertThat(cold.takeForIntake(100, clock.get())).isEqualTo(8);
    assertThat(cold.inFlight()).isEqualTo(16);
  }

  @Test
  void slots_whileTheBreakerIsOpen_areNone_andIntakeDoesNotWait() throws Exception {
    AtomicLong clock = new AtomicLong(NOW);
    Lane wide = wide(16, 100, clock);
    assertThat(wide.takeFree(10)).isEqualTo(10);
    hear(wide, new Verdict.Unknown("no answer"), 10, clock);
    long tomorrow = clock.get() + Duration.ofDays(1).toNanos();
    assertThat(wide.takeForIntake(100, tomorrow)).isZero();
    assertThat(wide.takeForClaims(100)).isZero();
    assertThat(wide.inFlight()).as("what was sent goes on").isEqualTo(10);
    wide.give(10);
    assertThat(wide.takeForClaims(100)).isZero();
    clock.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(wide.takeForClaims(100)).as("half open").isEqualTo(1);
    hear(wide, GOOD, 1, clock);
    assertThat(wide.takeForClaims(100)).as("two, one of which is out").isEqualTo(1);
  }

  @Test
  void slots_afterThePauseThatAProviderAskedFor_areAsMany() throws Exception {
    AtomicLong clock = new AtomicLong(NOW);
    Lane wide = wide(16, 100, clock);
    hear(wide, new Verdict.Throttled(Duration.ofSeconds(30), "429"), 1, clock);
    assertThat(wide.takeForClaims(100)).isZero();
    clock.addAndGet(Duration.ofSeconds(30).toNanos());
    assertThat(wide.takeForClaims(100)).isEqualTo(16);
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
