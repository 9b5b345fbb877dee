package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.evidence;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each change that is allowed, and every row that comes with it. */
public abstract class ApplyContract extends StoreContract {
  private static final Duration SOON = Duration.ofSeconds(30);

  private void expect(
      int n, OperationState state, Code reason, String role, Duration in, String... told) {
    StoredOperation stored = get(n);
    assertThat(stored.state()).isEqualTo(state);
    assertThat(stored.reason()).isEqualTo(reason);
    assertThat(stored.leased()).isFalse();
    assertThat(stored.role()).isEqualTo(role);
    assertDueIn(stored, in);
    assertThat(told(n)).containsExactly(told);
    assertThat(stored.evidenceOf(reason)).isEqualTo(1);
  }

  private void expectFinished(int n, OperationState state, Code reason, String... told) {
    StoredOperation stored = get(n);
    assertThat(stored.state()).isEqualTo(state);
    assertThat(stored.reason()).isEqualTo(reason);
    assertThat(stored.leased()).isFalse();
    assertThat(stored.wake()).isNull();
    assertThat(told(n)).containsExactly(told);
    assertThat(stored.evidenceOf(reason)).isEqualTo(1);
  }

  @Test
  void sendingToAccepted() {
    Claim claim = sending(1);
    apply(Fixture.accepted(claim, "job-1"));
    expect(
        1,
        OperationState.ACCEPTED,
        Code.PROVIDER_ACCEPTED,
        "follow",
        Duration.ofSeconds(2),
        "events accepted");
    assertThat(get(1).remoteId()).isEqualTo("job-1");
    assertThat(get(1).version()).isEqualTo(2);
    assertThat(owners("job-1")).containsEntry("job-1", key(1));
    assertThat(get(1).evidence())
        .containsExactly(
            new StoredOperation.Seen("submit", Code.PROVIDER_ACCEPTED, 1, 202, "job-1", "a note"));
    OutboxRow row = store().outbox(10).getFirst();
    assertThat(row.remoteId()).isEqualTo("job-1");
    assertThat(row.version()).isEqualTo(2);
    assertThat(row.fence()).isEqualTo(1);
  }

  @Test
  void sendingToFailed() {
    apply(Fixture.sent(sending(1), OperationState.FAILED, Code.PROVIDER_REJECTED, null));
    expectFinished(1, OperationState.FAILED, Code.PROVIDER_REJECTED, "events failed");
  }

  @Test
  void sendingToFailed_withARemoteId_theTaskIsKnownToBeThisOperations() {
    apply(
        Change.ofSend(
            sending(1),
            OperationState.FAILED,
            Code.PROVIDER_FAILED,
            null,
            "job-1",
            Duration.ZERO,
            evidence(Code.PROVIDER_FAILED, "job-1")));
    expectFinished(1, OperationState.FAILED, Code.PROVIDER_FAILED, "events failed");
    assertThat(owners("job-1")).containsEntry("job-1", key(1));
  }

  @Test
  void sendingToUnknown() {
    apply(Fixture.unknown(sending(1)));
    expect(
        1,
        OperationState.UNKNOWN,
        Code.OUTCOME_UNKNOWN,
        "look",
        Duration.ofSeconds(10),
        "events unknown",
        "reconcile unknown");
    assertThat(get(1).looks()).isZero();
  }

  @Test
  void sendingToUnknown_withARemoteIdThatIsNotSure_leavesItToTheEvidence() {
    Claim claim = sending(1);
    apply(
        Change.ofSend(
            claim,
            OperationState.UNKNOWN,
            Code.OUTCOME_UNKNOWN,
            null,
            "job-1",
            SOON,
            evidence(Code.OUTCOME_UNKNOWN, "job-1")));
    assertThat(get(1).remoteId()).isNull();
    assertThat(owners("job-1")).isEmpty();
    assertThat(store().remoteIdsSeen(List.of(key(1))).get(key(1))).containsExactly("job-1");
    apply(Fixture.found(look(1), "job-2"));
    assertThat(get(1).remoteId()).isEqualTo("job-2");
  }

  @Test
  void sendingToUnknown_forAPerson_isNotForTheReconciler() {
    apply(
        Fixture.sent(
            sending(1), OperationState.UNKNOWN, Code.OUTCOME_UNKNOWN, Code.NO_WAY_TO_KNOW));
    expect(
        1, OperationState.UNKNOWN, Code.OUTCOME_UNKNOWN, "person", Duration.ZERO, "events unknown");
    assertThat(get(1).review()).isEqualTo(Code.NO_WAY_TO_KNOW);
  }

  @Test
  void sendingToPrepared_notSentOrThrottled() {
    apply(Fixture.sent(sending(1), OperationState.PREPARED, Code.NOT_SENT, null));
    apply(Fixture.sent(sending(2), OperationState.PREPARED, Code.PROVIDER_THROTTLED, null));
    expect(1, OperationState.PREPARED, Code.NOT_SENT, "claim", SOON);
    expect(2, OperationState.PREPARED, Code.PROVIDER_THROTTLED, "claim", SOON);
  }

  @Test
  void unknownToAccepted() {
    Look look = looking(1);
    apply(Fixture.found(look, "job-1"));
    expect(
        1,
        OperationState.ACCEPTED,
        Code.FOUND,
        "follow",
        Duration.ofSeconds(2),
        "events unknown",
        "reconcile unknown",
        "events accepted");
    assertThat(get(1).looks()).isEqualTo(1);
    assertThat(owners("job-1")).containsEntry("job-1", key(1));
  }

  @Test
  void unknownToFailed() {
    apply(Fixture.looked(looking(1), OperationState.FAILED, Code.PROVIDER_FAILED, null));
    expectFinished(
        1,
        OperationState.FAILED,
        Code.PROVIDER_FAILED,
        "events unknown",
        "reconcile unknown",
        "events failed");
  }

  @Test
  void unknownToPrepared_onlyWithProofOrPromise() {
    preparedAgain(1, Code.ABSENT);
    preparedAgain(2, Code.PROTECTED_RESEND);
    expect(
        1,
        OperationState.PREPARED,
        Code.ABSENT,
        "claim",
        SOON,
        "events unknown",
        "reconcile unknown");
    assertThat(get(2).reason()).isEqualTo(Code.PROTECTED_RESEND);
  }

  @Test
  void unknownStaysUnknown_undecided_isLookedAtLater() {
    apply(Fixture.looked(looking(1), OperationState.UNKNOWN, Code.UNDECIDED, null));
    expect(
        1,
        OperationState.UNKNOWN,
        Code.UNDECIDED,
        "look",
        SOON,
        "events unknown",
        "reconcile unknown");
    assertThat(get(1).looks()).isEqualTo(1);
    assertThat(look(1).looks()).isEqualTo(2);
  }

  @Test
  void unknownStaysUnknown_ambiguous_waitsForAPersonWhoDecides() {
    Look look = looking(1);
    apply(Fixture.looked(look, OperationState.UNKNOWN, Code.AMBIGUOUS, Code.AMBIGUOUS));
    assertThat(get(1).role()).isEqualTo("person");
    harness().letTimePass();
    assertThat(store().lookDue(Fixture.PROVIDER, 10, Fixture.claimId(), SOON)).isEmpty();
    // a person decides on the fence and claim that are stored
    KnownIntent known = store().find(List.of(key(1))).getFirst();
    assertThat(known.fence()).isEqualTo(look.fence());
    apply(Fixture.found(look, "job-1"));
    assertThat(get(1).review()).isNull();
    assertThat(get(1).role()).isEqualTo("follow");
  }

  @Test
  void acceptedToComplete() {
    Follow follow = accepted(1);
    StoredOutput output = Fixture.output(1);
    apply(Fixture.complete(follow, output));
    expectFinished(
        1, OperationState.COMPLETE, Code.OUTPUT_STORED, "events accepted", "events complete");
    assertThat(get(1).output()).usingRecursiveComparison().isEqualTo(output);
    OutboxRow told = store().outbox(10).getLast();
    assertThat(told.version()).isEqualTo(3);
    assertThat(told.remoteId()).isEqualTo("job-1");
  }

  @Test
  void acceptedToFailed() {
    apply(followed(accepted(1), OperationState.FAILED, Code.PROVIDER_FAILED, null));
    expectFinished(
        1, OperationState.FAILED, Code.PROVIDER_FAILED, "events accepted", "events failed");
    assertThat(get(1).remoteId()).isEqualTo("job-1");
  }

  @Test
  void acceptedStaysAccepted_isAskedAboutLater_orWaitsForAPerson() {
    apply(followed(accepted(1), OperationState.ACCEPTED, Code.IN_FLIGHT, null));
    expect(1, OperationState.ACCEPTED, Code.IN_FLIGHT, "follow", SOON, "events accepted");
    apply(followed(accepted(2), OperationState.ACCEPTED, Code.OUTPUT_INVALID, Code.OUTPUT_INVALID));
    expect(
        2,
        OperationState.ACCEPTED,
        Code.OUTPUT_INVALID,
        "person",
        Duration.ZERO,
        "events accepted");
  }

  private static Change followed(
      Follow follow,
      OperationState to,
      Code reason,
      @org.jspecify.annotations.Nullable Code review) {
    return Change.ofFollow(follow, to, reason, review, null, SOON, evidence(reason));
  }

  @Test
  void apply_aBatch_takesEachAlone() {
    Change good = Fixture.accepted(sending(1), "job-1");
    Claim other = sending(2);
    Change stale = Fixture.accepted(withFence(other, 9), "job-2");
    Change failed = Fixture.sent(sending(3), OperationState.FAILED, Code.PROVIDER_REJECTED, null);
    assertThat(store().apply(List.of(good, stale, failed)))
        .containsExactlyInAnyOrder(key(1), key(3));
    assertThat(get(2).state()).isEqualTo(OperationState.SENDING);
    assertThat(get(2).evidence()).hasSize(1);
    assertThat(store().apply(List.of())).isEmpty();
  }

  private static Claim withFence(Claim c, int fence) {
    return new Claim(
        c.key(),
        c.provider(),
        fence,
        c.claim(),
        c.attempts(),
        c.earlierUnresolved(),
        c.params(),
        c.submissionKey(),
        c.promiseOver(),
        c.seq());
  }
}
