package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Decision.Outcome;
import dev.tollgate.schema.store.Decision.What;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What people decide: once, on what they saw, under a fence that ends whatever was under way. */
final class ReviewsIT extends StoreContract {
  private static PostgresHarness harness;
  private static Reviews reviews;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(ReviewsIT.class));
    reviews = new PostgresReviews(harness.sql());
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  @Override
  protected StoreHarness harness() {
    return harness;
  }

  private static OperationSummary summary(int n) {
    return new OperationReader(harness.sql()).show(key(n)).orElseThrow().summary();
  }

  private static Decision decision(
      OperationSummary seen, What what, @Nullable String remoteId, boolean agreed, String who) {
    return new Decision(seen, Fixture.claimId(), what, remoteId, agreed, who, "asked the provider");
  }

  private static Outcome settle(int n, What what) {
    return settle(n, what, what == What.FOUND ? "job-" + n : null);
  }

  private static Outcome settle(int n, What what, @Nullable String remoteId) {
    return reviews.settle(decision(summary(n), what, remoteId, false, "ada"));
  }

  /** In {@code unknown}, for a person. */
  private void forAPerson(int n) {
    apply(
        Fixture.looked(
            looking(n), OperationState.UNKNOWN, Code.NO_WAY_TO_KNOW, Code.NO_WAY_TO_KNOW));
  }

  @Test
  void found_isAccepted_followedAtOnce_andTold() {
    forAPerson(1);
    assertThat(settle(1, What.FOUND)).isEqualTo(Outcome.STORED);
    StoredOperation found = get(1);
    assertThat(found.state()).isEqualTo(OperationState.ACCEPTED);
    assertThat(found.review()).isNull();
    assertThat(found.remoteId()).isEqualTo("job-1");
    assertThat(role(1)).isEqualTo("follow");
    assertThat(owners("job-1")).containsEntry("job-1", key(1));
    assertThat(told(1)).last().isEqualTo("events accepted");
    OperationDetails.Seen evidence =
        new OperationReader(harness.sql()).show(key(1)).orElseThrow().evidence().getLast();
    assertThat(evidence.source()).isEqualTo("person");
    assertThat(evidence.code()).isEqualTo(Code.FOUND);
    assertThat(evidence.note()).isEqualTo("by ada: asked the provider");
    assertThat(evidence.remoteId()).isEqualTo("job-1");
  }

  @Test
  void found_taskOfAnotherOperation_isRefused() {
    accepted(2);
    forAPerson(1);
    assertThat(settle(1, What.FOUND, "job-2")).isEqualTo(Outcome.TASK_TAKEN);
    assertThat(get(1).review()).isEqualTo(Code.NO_WAY_TO_KNOW);
  }

  @Test
  void absent_beforeTheHorizon_isRefused() {
    forAPerson(1);
    assertThat(settle(1, What.ABSENT)).isEqualTo(Outcome.BEFORE_HORIZON);
    assertThat(get(1).state()).isEqualTo(OperationState.UNKNOWN);
  }

  @Test
  void absent_afterTheHorizon_isSentAgain() {
    UUID id = Fixture.claimId();
    Terms brief =
        Fixture.terms(Fixture.PROVIDER, Duration.ZERO, Duration.ofMinutes(1), Duration.ZERO);
    store().insert(List.of(Fixture.sendNow(1)), id, Fixture.OWNER, List.of(brief));
    apply(Fixture.unknown(store().claimed(Fixture.PROVIDER, id).getFirst()));
    assertThat(settle(1, What.ABSENT)).isEqualTo(Outcome.STORED);
    assertThat(get(1).reason()).isEqualTo(Code.ABSENT);
    assertThat(claimOne().earlierUnresolved()).isFalse();
  }

  @Test
  void failed_isOver_andTold() {
    forAPerson(1);
    assertThat(settle(1, What.FAILED)).isEqualTo(Outcome.STORED);
    assertThat(get(1).state()).isEqualTo(OperationState.FAILED);
    assertThat(get(1).reason()).isEqualTo(Code.GIVEN_UP);
    assertThat(get(1).wake()).isNull();
    assertThat(told(1)).last().isEqualTo("events failed");
  }

  /** A refusal of the second one says nothing of the first. */
  @Test
  void resend_isSentAgain_andOnlyAnAcceptanceDecidesThen() {
    forAPerson(1);
    assertThat(settle(1, What.RESEND)).isEqualTo(Outcome.STORED);
    Claim claim = claimOne();
    assertThat(claim.earlierUnresolved()).isTrue();
    assertThat(claim.promiseOver()).isFalse();
    assertThatThrownBy(
            () ->
                store()
                    .apply(
                        List.of(
                            Fixture.sent(
                                claim, OperationState.FAILED, Code.PROVIDER_REJECTED, null))))
        .hasMessageContaining("may not go from sending");
    apply(Fixture.unknown(claim));
    assertThat(look(1).lost()).isEqualTo(2);
  }

  /** A task that turns up before the second send leaves holds it back. */
  @Test
  void resend_lateAnswerOfTheFirst_holdsItBack() {
    forAPerson(1);
    settle(1, What.RESEND);
    store().lateEvidence(Map.of(key(1), "job-late"));
    assertThat(get(1).review()).isEqualTo(Code.SUSPECTED_DUPLICATE);
    assertThat(store().claim(10, Fixture.claimId(), Fixture.OWNER, Fixture.TERMS)).isEmpty();
    assertThat(settle(1, What.FOUND, "job-late")).isEqualTo(Outcome.STORED);
    assertThat(get(1).state()).isEqualTo(OperationState.ACCEPTED);
  }

  @Test
  void resend_thatNeedsTwo_takesTwo() {
    forAPerson(1);
    Decision ada = decision(summary(1), What.RESEND, null, true, "ada");
    assertThat(reviews.settle(ada)).isEqualTo(Outcome.NOT_AGREED);
    assertThat(reviews.propose(ada)).isTrue();
    assertThat(reviews.settle(ada)).as("nobody agrees with herself").isEqualTo(Outcome.NOT_AGREED);
    assertThat(reviews.settle(decision(summary(1), What.RESEND, null, true, "ad")))
        .as("whose name only begins alike")
        .isEqualTo(Outcome.STORED);
  }

  /** What was agreed to was this state of things. */
  @Test
  void proposal_isVoid_onceTheOperationMovedOn() {
    forAPerson(1);
    reviews.propose(decision(summary(1), What.RESEND, null, true, "ada"));
    assertThat(settle(1, What.AGAIN)).isEqualTo(Outcome.STORED);
    apply(
        Fixture.looked(look(1), OperationState.UNKNOWN, Code.NO_WAY_TO_KNOW, Code.NO_WAY_TO_KNOW));
    assertThat(reviews.settle(decision(summary(1), What.RESEND, null, true, "bob")))
        .isEqualTo(Outcome.NOT_AGREED);
  }

  @Test
  void again_ofAnUnknown_isLookedForAtOnce() {
    forAPerson(1);
    assertThat(settle(1, What.AGAIN)).isEqualTo(Outcome.STORED);
    assertThat(get(1).looks()).isZero();
    assertThat(told(1)).last().isEqualTo("reconcile unknown");
    assertThat(store().lookDue(Fixture.PROVIDER, 10, Fixture.claimId(), Fixture.LEASE)).hasSize(1);
  }

  @Test
  void again_ofAnOutput_isFollowed_andItsTroubleCountsAnew() {
    Follow follow = accepted(1);
    apply(Fixture.troubled(follow, Code.OUTPUT_GONE, Code.OUTPUT_GONE));
    assertThat(settle(1, What.AGAIN)).isEqualTo(Outcome.STORED);
    assertThat(role(1)).isEqualTo("follow");
    assertThat(get(1).remoteId()).isEqualTo("job-1");
    assertThat(store().outputTrouble(follow, Set.of(Code.OUTPUT_GONE)).times()).isZero();
  }

  /** Whoever looked when the decision was made is too late, and what it saw is kept. */
  @Test
  void lookUnderWay_isTooLate() {
    Look look = looking(1);
    assertThat(settle(1, What.FOUND, "job-by-hand")).isEqualTo(Outcome.STORED);
    applyInVain(Fixture.found(look, "job-by-look"));
    assertThat(get(1).remoteId()).isEqualTo("job-by-hand");
    assertThat(get(1).evidenceOf(Code.FOUND)).isEqualTo(2);
  }

  @Test
  void twoDecisionsOnOneSight_oneIsStored() {
    forAPerson(1);
    OperationSummary seen = summary(1);
    assertThat(reviews.settle(decision(seen, What.FAILED, null, false, "ada")))
        .isEqualTo(Outcome.STORED);
    assertThat(reviews.settle(decision(seen, What.RESEND, null, false, "bob")))
        .isEqualTo(Outcome.CHANGED);
  }

  @Test
  void decisionThatNoStateAllows_isABug() {
    accepted(1);
    assertThatThrownBy(() -> settle(1, What.RESEND)).isInstanceOf(IllegalArgumentException.class);
  }

  private String role(int n) {
    return Objects.requireNonNull(get(n).wake()).role();
  }
}
