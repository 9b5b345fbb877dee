package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.OTHER_PROVIDER;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Sweep and expiry. */
public abstract class RecoveryContract extends StoreContract {
  private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06Z");
  private static final Duration LATER = Duration.ofSeconds(40);

  @Test
  void sweep_liveLease_isLeftAlone() {
    sending(1);
    insertPrepared(1);
    assertThat(store().sweep(10, LATER).lost()).isEmpty();
    assertThat(get(1).state()).isEqualTo(OperationState.SENDING);
  }

  @Test
  void sweep_expiredLease_becomesUnknownAndIsTold() {
    Claim claim = sending(1);
    harness().letTimePass();
    assertThat(store().sweep(10, LATER).lost()).containsExactly(key(1));
    StoredOperation stored = get(1);
    assertThat(stored.state()).isEqualTo(OperationState.UNKNOWN);
    assertThat(stored.reason()).isEqualTo(Code.LEASE_LOST);
    assertThat(stored.leased()).isFalse();
    assertThat(stored.claim()).isEqualTo(claim.claim());
    assertThat(stored.fence()).isEqualTo(claim.fence());
    assertThat(stored.version()).isEqualTo(2);
    assertThat(stored.role()).isEqualTo("look");
    assertDueIn(stored, LATER);
    assertThat(stored.evidence())
        .singleElement()
        .satisfies(
            seen -> {
              assertThat(seen.source()).isEqualTo("sweep");
              assertThat(seen.code()).isEqualTo(Code.LEASE_LOST);
              assertThat(seen.fence()).isEqualTo(1);
            });
    assertThat(told(1)).containsExactlyInAnyOrder("events unknown", "reconcile unknown");
    assertThat(store().sweep(10, LATER).lost()).isEmpty();
  }

  @Test
  void sweep_takesNoMoreThanItsLimit() {
    List.of(1, 2, 3).forEach(this::sending);
    harness().letTimePass();
    assertThat(store().sweep(2, LATER).lost()).hasSize(2);
    assertThat(store().sweep(2, LATER).lost()).hasSize(1);
  }

  @Test
  void sweep_byTwoProcessesAtOnce_sharesNothing() {
    for (int n = 0; n < 20; n++) {
      sending(n);
    }
    harness().letTimePass();
    Together.Both<List<OperationKey>> both =
        Together.run(
            () -> store().sweep(20, LATER).lost(),
            () -> harness().another().sweep(20, LATER).lost());
    assertThat(Together.all(both)).doesNotHaveDuplicates().hasSize(20);
    assertThat(store().outbox(100)).hasSize(40);
  }

  @Test
  void sweep_whatIsAnswered_isNotLost_andItsLeaseEnds() {
    Claim answered = sending(1);
    sending(2);
    apply(Fixture.accepted(answered, "job-1"));
    harness().letTimePass();
    assertThat(store().sweep(10, LATER).lost()).containsExactly(key(2));
    assertThat(get(1).state()).isEqualTo(OperationState.ACCEPTED);
    assertThat(store().sweep(10, LATER).lost()).isEmpty();
    assertThat(harness().leases()).isZero();
  }

  @Test
  void sweep_ofMoreLeasesThanItReads_isToFollowAtOnce() {
    int leases = 257;
    store().insert(Fixture.intents(leases), claimId(), OWNER, ALL_TERMS);
    for (int n = 0; n < leases; n++) {
      store().claim(1, claimId(), OWNER, TERMS);
    }
    assertThat(harness().leases()).isEqualTo(leases);
    harness().letTimePass();
    Swept first = store().sweep(leases, LATER);
    assertThat(first.lost()).hasSize(256);
    assertThat(first.more()).isTrue();
    assertThat(store().sweep(leases, LATER)).isEqualTo(new Swept(List.of(), true));
    assertThat(store().sweep(leases, LATER).lost()).hasSize(1);
    assertThat(store().sweep(leases, LATER)).isEqualTo(new Swept(List.of(), false));
    assertThat(harness().leases()).isZero();
  }

  @Test
  void lease_endsWithItsLastOutcome_whateverThatIs() {
    store().insert(Fixture.intents(3), claimId(), OWNER, ALL_TERMS);
    List<Claim> claims = store().claim(3, claimId(), OWNER, TERMS);
    apply(Fixture.accepted(claims.get(0), "job-1"));
    apply(Fixture.sent(claims.get(1), OperationState.UNKNOWN, Code.OUTCOME_UNKNOWN, null));
    assertThat(harness().leases()).isEqualTo(1);
    apply(Fixture.sent(claims.get(2), OperationState.PREPARED, Code.NOT_SENT, null));
    assertThat(harness().leases()).isZero();
  }

  @Test
  void lease_isNotEndedByAChangeThatComesTwice() {
    store().insert(Fixture.intents(2), claimId(), OWNER, ALL_TERMS);
    List<Claim> claims = store().claim(2, claimId(), OWNER, TERMS);
    Change change = Fixture.accepted(claims.get(0), "job-1");
    apply(change);
    applyInVain(change);
    assertThat(harness().leases()).isEqualTo(1);
    harness().letTimePass();
    assertThat(store().sweep(10, LATER).lost()).containsExactly(claims.get(1).key());
  }

  @Test
  void lease_ofTwoProvidersUnderOneClaim_eachEndsWithItsOwn() {
    UUID claim = claimId();
    store()
        .insert(
            List.of(Fixture.sendNow(1), Fixture.intent(2, OTHER_PROVIDER, "other", true, null)),
            claim,
            OWNER,
            ALL_TERMS);
    assertThat(harness().leases()).isEqualTo(2);
    apply(Fixture.accepted(store().claimed(PROVIDER, claim).getFirst(), "job-1"));
    assertThat(harness().leases()).isEqualTo(1);
    harness().letTimePass();
    assertThat(store().sweep(10, LATER).lost()).containsExactly(key(2));
  }

  @Test
  void sweep_oneClaimOfTwoProvidersAtOneOffsetOfTwoPartitions_findsEachOnce() {
    store()
        .insert(
            List.of(
                at(1, Fixture.sendNow(1)),
                at(2, Fixture.intent(2, OTHER_PROVIDER, "other", true, null))),
            claimId(),
            OWNER,
            ALL_TERMS);
    harness().letTimePass();
    assertThat(store().sweep(10, LATER).lost()).containsExactlyInAnyOrder(key(1), key(2));
    assertThat(store().lookDue(PROVIDER, 10, claimId(), LEASE)).isEmpty();
    harness().letTimePass();
    assertThat(store().lookDue(PROVIDER, 10, claimId(), LEASE)).hasSize(1);
    assertThat(store().lookDue(OTHER_PROVIDER, 10, claimId(), LEASE)).hasSize(1);
    store().sweep(10, LATER);
    assertThat(harness().leases()).isZero();
  }

  private static NewIntent at(int partition, NewIntent i) {
    return new NewIntent(
        i.key(),
        i.provider(),
        i.requestHash(),
        i.submissionKey(),
        i.sendNow(),
        i.deadline(),
        i.productionTask(),
        i.dimensions(),
        i.params(),
        partition,
        7,
        i.producer(),
        i.price());
  }

  /** Operation 1, being sent though its deadline is over. */
  private Claim sendingAfterItsDeadline() {
    var claim = claimId();
    var late = List.of(Fixture.intent(1, PROVIDER, "late", true, LONG_AGO));
    store().insert(late, claim, OWNER, ALL_TERMS);
    return store().claimed(PROVIDER, claim).getFirst();
  }

  @Test
  void expire_preparedAfterItsDeadline_fails() {
    store()
        .insert(
            List.of(Fixture.intent(1, PROVIDER, "late", false, LONG_AGO), Fixture.intent(2)),
            claimId(),
            OWNER,
            ALL_TERMS);
    assertThat(store().expire(10)).containsExactly(key(1));
    StoredOperation stored = get(1);
    assertThat(stored.state()).isEqualTo(OperationState.FAILED);
    assertThat(stored.reason()).isEqualTo(Code.DEADLINE_EXPIRED);
    assertThat(stored.wake()).isNull();
    assertThat(stored.evidenceOf(Code.DEADLINE_EXPIRED)).isEqualTo(1);
    assertThat(told(1)).containsExactly("events failed");
    assertThat(get(2).state()).isEqualTo(OperationState.PREPARED);
    assertThat(store().expire(10)).isEmpty();
  }

  @Test
  void expire_whatIsBeingSent_isLeftAlone() {
    sendingAfterItsDeadline();
    assertThat(store().expire(10)).isEmpty();
    assertThat(get(1).state()).isEqualTo(OperationState.SENDING);
  }

  @Test
  void expire_onceAProtectedResendWasDue_noDeadlineEndsTheQuestion() {
    apply(Fixture.unknown(sendingAfterItsDeadline()));
    apply(Fixture.looked(look(1), OperationState.PREPARED, Code.PROTECTED_RESEND, null));
    assertThat(store().expire(10)).isEmpty();
    harness().letTimePass();
    assertThat(claimOne().attempts()).isEqualTo(2);
  }

  @Test
  void expire_whatWasGivenBackUnsent_failsAtItsDeadline() {
    apply(
        Fixture.sent(
            sendingAfterItsDeadline(), OperationState.PREPARED, Code.PROVIDER_THROTTLED, null));
    assertThat(store().expire(10)).containsExactly(key(1));
  }

  @Test
  void expire_afterProvedAbsence_failsInsteadOfSendingAgain() {
    apply(Fixture.unknown(sendingAfterItsDeadline()));
    apply(Fixture.looked(look(1), OperationState.PREPARED, Code.ABSENT, null));
    assertThat(store().expire(10)).containsExactly(key(1));
  }

  @Test
  void expire_takesNoMoreThanItsLimit() {
    for (int n = 0; n < 3; n++) {
      store()
          .insert(
              List.of(Fixture.intent(n, PROVIDER, "late", false, LONG_AGO)),
              claimId(),
              OWNER,
              ALL_TERMS);
    }
    assertThat(store().expire(2)).hasSize(2);
    assertThat(store().expire(2)).hasSize(1);
  }
}
