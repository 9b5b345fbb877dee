package dev.tollgate.reconciler.ladder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.reconciler.policy.UnknownPolicy;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.UnknownRuleConfig;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Look;
import dev.tollgate.worker.loop.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class SettlementTest {
  private static final Instant NOW = Instant.parse("2025-06-01T12:00:00Z");
  private static final int ATTEMPTS_MAX = 3;
  private static final Duration FOLLOW_AFTER = Duration.ofSeconds(2);
  private static final Duration RESEND_AFTER = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PAUSE_MAX = Duration.ofMinutes(5);

  private final Settlement settlement =
      new Settlement(
          ATTEMPTS_MAX,
          ATTEMPTS_MAX,
          FOLLOW_AFTER,
          RESEND_AFTER,
          PAUSE,
          PAUSE_MAX,
          UnknownPolicy.ASK);

  private static Look look(int attempts, int looks, Instant horizon) {
    return look(attempts, looks, horizon, NOW);
  }

  private static Look look(int attempts, int looks, Instant horizon, Instant now) {
    return new Look(
        Fixture.key(1),
        "p",
        2,
        UUID.randomUUID(),
        attempts,
        looks,
        NOW.minusSeconds(60),
        NOW.minusSeconds(30),
        horizon,
        now,
        Fixture.utf8("{}"),
        new byte[16],
        1,
        0,
        OptionalLong.empty(),
        attempts,
        null,
        null);
  }

  static Stream<Arguments> table() {
    var unknown = OperationState.UNKNOWN;
    var prepared = OperationState.PREPARED;
    return Stream.of(
        Arguments.of(new Finding.Found("t1", "n"), 9, OperationState.ACCEPTED, Code.FOUND, null),
        Arguments.of(new Finding.Absent("n"), 1, prepared, Code.ABSENT, null),
        Arguments.of(new Finding.Absent("n"), 2, prepared, Code.ABSENT, null),
        Arguments.of(new Finding.Absent("n"), 3, unknown, Code.ATTEMPT_LIMIT, Code.ATTEMPT_LIMIT),
        Arguments.of(new Finding.Resend("n"), 1, prepared, Code.PROTECTED_RESEND, null),
        Arguments.of(new Finding.Resend("n"), 3, unknown, Code.ATTEMPT_LIMIT, Code.ATTEMPT_LIMIT),
        Arguments.of(new Finding.Ambiguous("n"), 1, unknown, Code.AMBIGUOUS, Code.AMBIGUOUS),
        Arguments.of(new Finding.NoWay("n"), 1, unknown, Code.NO_WAY_TO_KNOW, Code.NO_WAY_TO_KNOW),
        Arguments.of(new Finding.Undecided("n"), 9, unknown, Code.UNDECIDED, null));
  }

  @ParameterizedTest
  @MethodSource("table")
  void of_everyFinding_movesAsTheTableSays(
      Finding finding, int attempts, OperationState to, Code reason, @Nullable Code review) {
    Change change = settlement.of(look(attempts, 1, NOW.minusSeconds(1)), finding);
    assertThat(change.from()).isEqualTo(OperationState.UNKNOWN);
    assertThat(change.to()).isEqualTo(to);
    assertThat(change.reason()).isEqualTo(reason);
    assertThat(change.review()).isEqualTo(review);
    assertThat(change.evidence().note()).contains("n");
    assertThat(change.remoteId()).isEqualTo(to == OperationState.ACCEPTED ? "t1" : null);
  }

  @Test
  void absent_isSentAtOnce_resendAfterAPause() {
    Look look = look(1, 1, NOW.minusSeconds(1));
    assertThat(settlement.of(look, new Finding.Absent("")).wakeAfter()).isZero();
    assertThat(settlement.of(look, new Finding.Resend("")).wakeAfter())
        .isBetween(RESEND_AFTER.dividedBy(2), RESEND_AFTER);
    assertThat(settlement.of(look, new Finding.Found("t1", "")).wakeAfter())
        .isEqualTo(FOLLOW_AFTER);
  }

  @Test
  void undecided_pausesGrowUpToTheBound() {
    for (int looks = 1; looks < 100; looks++) {
      Duration bound =
          looks < 10 && PAUSE.multipliedBy(1L << (looks - 1)).compareTo(PAUSE_MAX) < 0
              ? PAUSE.multipliedBy(1L << (looks - 1))
              : PAUSE_MAX;
      assertThat(
              settlement
                  .of(look(1, looks, NOW.minusSeconds(1)), new Finding.Undecided(""))
                  .wakeAfter())
          .isBetween(bound.dividedBy(2), bound);
    }
  }

  @Test
  void undecided_horizonComesBeforeTheNextLook_looksRightAfterIt() {
    Change change =
        settlement.of(look(1, 8, NOW.plusMillis(1200)), new Finding.Undecided("none yet"));
    assertThat(change.wakeAfter()).isEqualTo(Duration.ofMillis(1300));
  }

  @Test
  void undecided_horizonIsFarAway_looksBefore() {
    Change change = settlement.of(look(1, 1, NOW.plusSeconds(3600)), new Finding.Undecided(""));
    assertThat(change.wakeAfter()).isLessThanOrEqualTo(PAUSE);
  }

  /** One question serves them all, so they meet; the pause is as long as anybody's. */
  @Test
  void together_pausesEndAtCommonTimes() {
    for (int looks = 1; looks < 12; looks++) {
      Duration longest = Backoff.longest(looks, PAUSE, PAUSE_MAX);
      Set<Instant> ends = new HashSet<>();
      for (int late = 0; late < 100; late++) {
        Look look =
            look(
                1, looks, NOW.minusSeconds(1), NOW.plus(longest.multipliedBy(late).dividedBy(400)));
        Duration pause = settlement.of(look, new Finding.Undecided(""), true).wakeAfter();
        assertThat(pause).isBetween(longest.dividedBy(2), longest);
        ends.add(look.now().plus(pause));
      }
      assertThat(ends).as("of a hundred in a quarter of the pause").hasSizeLessThan(4);
    }
  }

  /** Never before any one's horizon, and little later. */
  @Test
  void together_horizonsOfOneTime_areOneLook() {
    Set<Instant> ends = new HashSet<>();
    for (int n = 0; n < 100; n++) {
      Instant horizon = NOW.plusSeconds(30).plusMillis(n * 10L);
      Look look = look(1, 20, horizon);
      Instant at = NOW.plus(settlement.of(look, new Finding.Undecided(""), true).wakeAfter());
      assertThat(at).isAfter(horizon).isBefore(horizon.plusSeconds(90 / 8 + 1));
      ends.add(at);
    }
    assertThat(ends).hasSizeLessThan(3);
  }

  private Settlement withRule(UnknownRuleConfig.Then then) {
    UnknownPolicy.Rule rule =
        new UnknownPolicy.Rule(
            "all",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            then,
            Duration.ofSeconds(10));
    return new Settlement(
        ATTEMPTS_MAX,
        ATTEMPTS_MAX,
        FOLLOW_AFTER,
        RESEND_AFTER,
        PAUSE,
        PAUSE_MAX,
        new UnknownPolicy(List.of(rule)));
  }

  @Test
  void policy_decidesAfterTheHorizonAlone() {
    Settlement settlement = withRule(UnknownRuleConfig.Then.RESEND);
    Change early = settlement.of(look(1, 3, NOW.plusSeconds(1)), new Finding.NoWay("n"));
    assertThat(early.to()).isEqualTo(OperationState.UNKNOWN);
    assertThat(early.review()).isNull();
    Change late = settlement.of(look(1, 3, NOW.minusSeconds(1)), new Finding.NoWay("n"));
    assertThat(late.to()).isEqualTo(OperationState.PREPARED);
    assertThat(late.reason()).isEqualTo(Code.RISK_ACCEPTED);
    assertThat(late.evidence().note()).startsWith("rule all accepts the risk").endsWith("; n");
  }

  @Test
  void policy_saysNothingOfSeveralThatFit_norOfWhatCanBeMended() {
    for (Finding finding : List.of(new Finding.Ambiguous("n"), new Finding.Misplaced("n"))) {
      Change change =
          withRule(UnknownRuleConfig.Then.RESEND).of(look(1, 3, NOW.minusSeconds(1)), finding);
      assertThat(change.review()).isNotNull();
    }
  }

  @Test
  void policy_givesUp() {
    Change change =
        withRule(UnknownRuleConfig.Then.FAIL)
            .of(look(1, 3, NOW.minusSeconds(1)), new Finding.NoWay("n"));
    assertThat(change.to()).isEqualTo(OperationState.FAILED);
    assertThat(change.reason()).isEqualTo(Code.GIVEN_UP);
  }

  /** Somebody has to choose, perhaps when the provider shows them no more. */
  @Test
  void ambiguous_keepsTheTasksAsTheyWereSeen() {
    Finding.Shown task = new Finding.Shown("t-1", NOW, "same", "free");
    Change change =
        settlement.of(look(1, 1, NOW), new Finding.Ambiguous("several fit", List.of(task)));
    assertThat(new String(Objects.requireNonNull(change.evidence().body()), UTF_8))
        .isEqualTo(
            "[{\"created_at\":\"2025-06-01T12:00:00Z\",\"input\":\"same\",\"remote_id\":\"t-1\",\"whose\":\"free\"}]");
  }
}
