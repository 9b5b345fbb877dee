package dev.tollgate.worker.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.RawAnswer;
import dev.tollgate.worker.provider.Rejection;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.Verdict;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class SendOutcomesTest {
  private static final int ATTEMPTS_MAX = 3;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(2);
  private static final Duration FOLLOW_AFTER = Duration.ofSeconds(7);
  private static final Duration LOOK_AFTER = Duration.ofSeconds(9);
  private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

  private static final Verdict ACCEPTED = new Verdict.Accepted("task-1", "");
  private static final Verdict REJECTED = new Verdict.Rejected(Rejection.PERMANENT, "400 bad");
  private static final Verdict NO_CREDIT = new Verdict.Rejected(Rejection.QUOTA, "402");
  private static final Verdict BAD_KEY = new Verdict.Rejected(Rejection.AUTH, "401 bad_key");
  private static final Verdict THROTTLED = new Verdict.Throttled(RETRY_AFTER, "429");
  private static final Verdict NOT_SENT = new Verdict.NotSent("refused");
  private static final Verdict UNKNOWN = new Verdict.Unknown("no answer");

  private final SendOutcomes outcomes =
      new SendOutcomes(new SendPolicy(ATTEMPTS_MAX, PAUSE, PAUSE_MAX, FOLLOW_AFTER, LOOK_AFTER));

  static Stream<Arguments> table() {
    var accepted = OperationState.ACCEPTED;
    var failed = OperationState.FAILED;
    var prepared = OperationState.PREPARED;
    var unknown = OperationState.UNKNOWN;
    return Stream.of(
        Arguments.of(ACCEPTED, false, 1, accepted, Code.PROVIDER_ACCEPTED, null),
        Arguments.of(ACCEPTED, false, ATTEMPTS_MAX, accepted, Code.PROVIDER_ACCEPTED, null),
        Arguments.of(ACCEPTED, true, 2, accepted, Code.PROVIDER_ACCEPTED, null),
        Arguments.of(ACCEPTED, true, ATTEMPTS_MAX + 4, accepted, Code.PROVIDER_ACCEPTED, null),
        Arguments.of(REJECTED, false, 1, failed, Code.PROVIDER_REJECTED, null),
        Arguments.of(REJECTED, false, ATTEMPTS_MAX, failed, Code.PROVIDER_REJECTED, null),
        Arguments.of(NO_CREDIT, false, 1, prepared, Code.ACCOUNT_REFUSED, null),
        Arguments.of(BAD_KEY, false, 3, prepared, Code.ACCOUNT_REFUSED, Code.ATTEMPT_LIMIT),
        Arguments.of(BAD_KEY, true, 2, unknown, Code.OUTCOME_UNKNOWN, null),
        Arguments.of(REJECTED, true, 2, unknown, Code.OUTCOME_UNKNOWN, null),
        Arguments.of(THROTTLED, false, 1, prepared, Code.PROVIDER_THROTTLED, null),
        Arguments.of(THROTTLED, false, 2, prepared, Code.PROVIDER_THROTTLED, null),
        Arguments.of(THROTTLED, false, 3, prepared, Code.PROVIDER_THROTTLED, Code.ATTEMPT_LIMIT),
        Arguments.of(THROTTLED, true, 2, unknown, Code.OUTCOME_UNKNOWN, null),
        Arguments.of(NOT_SENT, false, 1, prepared, Code.NOT_SENT, null),
        Arguments.of(NOT_SENT, false, 3, prepared, Code.NOT_SENT, Code.ATTEMPT_LIMIT),
        Arguments.of(NOT_SENT, false, 9, prepared, Code.NOT_SENT, Code.ATTEMPT_LIMIT),
        Arguments.of(NOT_SENT, true, 2, unknown, Code.OUTCOME_UNKNOWN, null),
        Arguments.of(UNKNOWN, false, 1, unknown, Code.OUTCOME_UNKNOWN, null),
        Arguments.of(UNKNOWN, false, ATTEMPTS_MAX, unknown, Code.OUTCOME_UNKNOWN, null),
        Arguments.of(UNKNOWN, true, 2, unknown, Code.OUTCOME_UNKNOWN, null));
  }

  @ParameterizedTest
  @MethodSource("table")
  void decide_everyVerdict_movesAsTheTableSays(
      Verdict verdict,
      boolean protectedResend,
      int attempts,
      OperationState to,
      Code reason,
      @Nullable Code review) {
    Change change = outcomes.decide(claim(attempts, protectedResend), result(verdict, null));
    assertThat(change.to()).isEqualTo(to);
    assertThat(change.reason()).isEqualTo(reason);
    assertThat(change.review()).isEqualTo(review);
    assertThat(change.from()).isEqualTo(OperationState.SENDING);
    assertThat(change.evidence().code()).as("what was observed is kept").isEqualTo(verdict.code());
    assertThat(change.remoteId()).isEqualTo(to == OperationState.ACCEPTED ? "task-1" : null);
  }

  @Test
  void throttled_retryAfterIsLonger_isRespectedThoughItPassesOurBound() {
    assertThat(outcomes.decide(claim(1, false), result(THROTTLED, null)).wakeAfter())
        .isEqualTo(RETRY_AFTER);
  }

  @Test
  void refusedAccount_isGivenTimeToBeMended() {
    assertThat(outcomes.decide(claim(1, false), result(BAD_KEY, null)).wakeAfter())
        .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
    assertThat(outcomes.decide(claim(9, false), result(BAD_KEY, null)).wakeAfter())
        .isBetween(Duration.ofMinutes(30), Duration.ofHours(1));
  }

  @Test
  void notSent_pausesGrowWithAttemptsUpToTheBound() {
    for (int attempts = 1; attempts < 40; attempts++) {
      Duration most = PAUSE.multipliedBy(1L << Math.min(attempts - 1, 10));
      Duration bound = most.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : most;
      assertThat(outcomes.decide(claim(attempts, false), result(NOT_SENT, null)).wakeAfter())
          .isBetween(bound.dividedBy(2), bound);
    }
  }

  @Test
  void accepted_isFollowed_unknown_isLookedAt() {
    assertThat(outcomes.decide(claim(1, false), result(ACCEPTED, null)).wakeAfter())
        .isEqualTo(FOLLOW_AFTER);
    assertThat(outcomes.decide(claim(1, false), result(UNKNOWN, null)).wakeAfter())
        .isEqualTo(LOOK_AFTER);
  }

  @Test
  void unknown_answerNamedATask_isEvidenceAndNotTheOperationsOwn() {
    for (boolean protectedResend : new boolean[] {false, true}) {
      Change change = outcomes.decide(claim(2, protectedResend), result(UNKNOWN, "task-of-a-500"));
      assertThat(change.evidence().remoteId()).isEqualTo("task-of-a-500");
      assertThat(change.remoteId()).isNull();
    }
  }

  @Test
  void evidence_keepsStatusHeadersBodyAndTheTransportsError() {
    RawAnswer raw =
        new RawAnswer(
            true,
            OptionalInt.of(503),
            Map.of("retry-after", "1", "content-type", "text/html"),
            Bytes.utf8("<html>"),
            true,
            "reset",
            Optional.empty());
    var evidence =
        outcomes.decide(claim(1, false), new SubmitResult(new Verdict.Unknown(""), raw)).evidence();
    assertThat(evidence.status()).isEqualTo(503);
    assertThat(evidence.headers()).isEqualTo("content-type: text/html\nretry-after: 1");
    assertThat(evidence.body()).asString().isEqualTo("<html>");
    assertThat(evidence.truncated()).isTrue();
    assertThat(evidence.note()).isEqualTo("reset");
  }

  private static Claim claim(int attempts, boolean protectedResend) {
    return new Claim(
        Fixture.key(1),
        "keyed",
        attempts,
        UUID.randomUUID(),
        attempts,
        protectedResend,
        Fixture.utf8("{}"),
        new byte[16],
        false,
        1);
  }

  private static SubmitResult result(Verdict verdict, @Nullable String seen) {
    return new SubmitResult(
        verdict,
        new RawAnswer(
            true,
            OptionalInt.empty(),
            Map.of(),
            Bytes.empty(),
            false,
            "",
            Optional.ofNullable(seen)));
  }
}
