package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.CARRIES;
import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.OTHER_PROVIDER;
import static dev.tollgate.schema.store.Fixture.OTHER_TERMS;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.SENDS_TO;
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
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Claiming what waits to be sent. */
public abstract class ClaimContract extends StoreContract {
  private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06Z");
  private static final Instant FAR_AHEAD = Instant.parse("2201-02-03T04:05:06Z");

  @Test
  void claim_marksSendingWithAttemptLeaseAndSweep() {
    insertPrepared(1);
    UUID id = claimId();
    Claim claim = store().claim(1, id, OWNER, TERMS).getFirst();
    assertThat(claim.fence()).isEqualTo(1);
    assertThat(claim.claim()).isEqualTo(id);
    assertThat(claim.attempts()).isEqualTo(1);
    assertThat(claim.provider()).isEqualTo(PROVIDER);
    assertThat(claim.params()).isEqualTo(Fixture.intent(0).params());
    StoredOperation stored = get(0);
    assertThat(stored.state()).isEqualTo(OperationState.SENDING);
    assertThat(stored.claim()).isEqualTo(id);
    assertThat(stored.leased()).isTrue();
    assertThat(stored.role()).isEqualTo("sweep");
    assertDueIn(stored, LEASE);
    assertThat(stored.attemptRows())
        .containsExactly(
            new StoredOperation.Attempt(1, id, OWNER, TERMS.sendWithin(), TERMS.absentAfter()));
    assertThat(told(0)).isEmpty();
  }

  @Test
  void claim_takesNoMoreThanItsLimit_andNothingOfOtherProviders() {
    insertPrepared(5);
    insertForOtherProvider(9);
    assertThat(store().claim(0, claimId(), OWNER, TERMS)).isEmpty();
    assertThat(store().claim(2, claimId(), OWNER, TERMS)).hasSize(2);
    assertThat(store().claim(10, claimId(), OWNER, TERMS)).hasSize(3);
    assertThat(store().claim(10, claimId(), OWNER, TERMS)).isEmpty();
    assertThat(store().claim(10, claimId(), OWNER, OTHER_TERMS)).hasSize(1);
  }

  @Test
  void claim_notBeforeItsTime() {
    preparedAgain(1, Code.PROVIDER_THROTTLED);
    assertThat(store().claim(10, claimId(), OWNER, TERMS)).isEmpty();
    harness().letTimePass();
    Claim again = claimOne();
    assertThat(again.fence()).isEqualTo(2);
    assertThat(again.attempts()).isEqualTo(2);
    assertThat(again.earlierUnresolved()).isFalse();
    assertThat(get(1).attemptRows())
        .extracting(StoredOperation.Attempt::fence)
        .containsExactly(1, 2);
  }

  @Test
  void claim_afterTheDeadline_isNotSent() {
    store()
        .insert(
            List.of(
                Fixture.intent(1, PROVIDER, "late", false, LONG_AGO),
                Fixture.intent(2, PROVIDER, "early", false, FAR_AHEAD)),
            claimId(),
            OWNER,
            ALL_TERMS);
    assertThat(store().claim(10, claimId(), OWNER, TERMS))
        .extracting(Claim::key)
        .containsExactly(key(2));
  }

  @Test
  void claim_protectedResend_isMarkedAndIgnoresTheDeadline() {
    UUID first = claimId();
    store()
        .insert(
            List.of(Fixture.intent(1, PROVIDER, "params", true, LONG_AGO)),
            first,
            OWNER,
            ALL_TERMS);
    apply(Fixture.unknown(store().claimed(PROVIDER, first).getFirst()));
    apply(Fixture.looked(look(1), OperationState.PREPARED, Code.PROTECTED_RESEND, null));
    harness().letTimePass();
    assertThat(store().expire(10)).isEmpty();
    UUID second = claimId();
    assertThat(store().claim(10, second, OWNER, TERMS))
        .singleElement()
        .satisfies(
            claim -> {
              assertThat(claim.earlierUnresolved()).isTrue();
              assertThat(claim.fence()).isEqualTo(3);
              assertThat(claim.attempts()).isEqualTo(2);
            });
    assertThat(store().claimed(PROVIDER, second).getFirst().earlierUnresolved()).isTrue();
  }

  /** The operation may have waited for its slot for longer than the promise holds (rule 6). */
  @Test
  void claim_protectedResend_saysWhetherThePromiseStillCoversTheSend() {
    Terms hour = promising(Duration.ofHours(1));
    Terms over = promising(TERMS.sendWithin()); // it ends before the first byte may leave
    for (Terms terms : List.of(hour, over)) {
      int n = terms.equals(hour) ? 1 : 2;
      apply(Fixture.unknown(sending(n)));
      apply(Fixture.looked(look(n), OperationState.PREPARED, Code.PROTECTED_RESEND, null));
      harness().letTimePass();
      assertThat(store().claim(10, claimId(), OWNER, terms))
          .singleElement()
          .satisfies(claim -> assertThat(claim.promiseOver()).isEqualTo(terms.equals(over)));
    }
  }

  /** Rule 6: a key that was sent elsewhere, or not at all, is under no promise. */
  @Test
  void claim_protectedResend_ofAnAttemptWithoutTheKeyOrToAnotherAddress_isNotCovered() {
    Terms now = promising(Duration.ofHours(1));
    List<Terms> before = List.of(now, sent(now, 0, SENDS_TO), sent(now, Terms.KEY, SENDS_TO + 1));
    Limits limits = new Limits(OptionalLong.empty(), 1, OptionalInt.of(100), List.of());
    for (int i = 0; i < 2 * before.size(); i++) {
      Terms first = before.get(i / 2);
      UUID claim = claimId();
      store().insert(List.of(Fixture.sendNow(i)), claim, OWNER, List.of(first));
      apply(Fixture.unknown(store().claimed(PROVIDER, claim).getFirst()));
      apply(Fixture.looked(look(i), OperationState.PREPARED, Code.PROTECTED_RESEND, null));
      harness().letTimePass();
      List<Claim> claims =
          i % 2 == 0
              ? store().claim(10, claimId(), OWNER, now)
              : store().claimLimited(10, claimId(), OWNER, now, limits).claims();
      assertThat(claims)
          .singleElement()
          .satisfies(again -> assertThat(again.promiseOver()).isEqualTo(!first.equals(now)));
    }
  }

  /** A worker that was configured otherwise, and did not send, takes nothing from the promise. */
  @Test
  void claim_protectedResend_isCoveredAfterOneThatDidNotLeaveForAnotherPlace() {
    Terms now = promising(Duration.ofHours(1));
    Terms other = sent(now, 0, SENDS_TO + 1);
    UUID first = claimId();
    store().insert(List.of(Fixture.sendNow(1)), first, OWNER, List.of(now));
    apply(Fixture.unknown(store().claimed(PROVIDER, first).getFirst()));
    apply(Fixture.looked(look(1), OperationState.PREPARED, Code.PROTECTED_RESEND, null));
    harness().letTimePass();
    Claim refused = store().claim(1, claimId(), OWNER, other).getFirst();
    assertThat(refused.promiseOver()).isTrue();
    apply(
        Change.ofSend(
            refused,
            OperationState.UNKNOWN,
            Code.OUTCOME_UNKNOWN,
            null,
            null,
            Duration.ofSeconds(1),
            Fixture.evidence(Code.NOT_SENT)));
    assertThat(look(1).sentTo()).hasValue(SENDS_TO);
    harness().letTimePass();
    apply(Fixture.looked(look(1), OperationState.PREPARED, Code.PROTECTED_RESEND, null));
    harness().letTimePass();
    assertThat(store().claim(1, claimId(), OWNER, now).getFirst().promiseOver()).isFalse();
  }

  private static Terms promising(Duration promise) {
    return new Terms(
        PROVIDER,
        TERMS.sendWithin(),
        TERMS.lease(),
        TERMS.absentAfter(),
        promise,
        CARRIES,
        SENDS_TO);
  }

  private static Terms sent(Terms terms, int carries, long sendsTo) {
    return new Terms(
        PROVIDER,
        terms.sendWithin(),
        terms.lease(),
        terms.absentAfter(),
        terms.promise(),
        carries,
        sendsTo);
  }

  @Test
  void claim_whatWaitsForAPerson_isNotClaimed() {
    apply(Fixture.sent(sending(1), OperationState.PREPARED, Code.NOT_SENT, Code.ATTEMPT_LIMIT));
    harness().letTimePass();
    assertThat(store().claim(10, claimId(), OWNER, TERMS)).isEmpty();
    assertThat(get(1).role()).isEqualTo("person");
    assertThat(get(1).review()).isEqualTo(Code.ATTEMPT_LIMIT);
  }

  @Test
  void claim_byTwoProcessesAtOnce_sharesNothing() {
    insertPrepared(60);
    Together.Both<List<OperationKey>> both =
        Together.run(() -> claimAll(store(), "w1"), () -> claimAll(harness().another(), "w2"));
    assertThat(Together.all(both)).doesNotHaveDuplicates().hasSize(60);
  }

  private static List<OperationKey> claimAll(OperationStore store, String owner) {
    List<OperationKey> keys = new java.util.ArrayList<>();
    for (int i = 0; i < 30; i++) {
      store.claim(7, claimId(), owner, TERMS).forEach(claim -> keys.add(claim.key()));
    }
    return keys;
  }

  @Test
  void claimed_tellsOnlyWhatIsStillBeingSentUnderThisClaim() {
    insertPrepared(3);
    UUID claim = claimId();
    List<Claim> claims = store().claim(2, claim, OWNER, TERMS);
    store().claim(1, claimId(), OWNER, TERMS);
    assertThat(store().claimed(PROVIDER, claim))
        .extracting(Claim::key)
        .containsExactlyInAnyOrderElementsOf(claims.stream().map(Claim::key).toList());
    apply(Fixture.unknown(claims.getFirst()));
    assertThat(store().claimed(PROVIDER, claim))
        .extracting(Claim::key)
        .containsExactly(claims.get(1).key());
    assertThat(store().claimed(OTHER_PROVIDER, claim)).isEmpty();
  }

  @Test
  void openProviders_areThoseOfUnfinishedOperations_eachOnce() {
    assertThat(store().openProviders()).isEmpty();
    insertPrepared(3);
    unknown(7);
    assertThat(store().openProviders()).containsExactly(PROVIDER);
    insertForOtherProvider(9);
    assertThat(store().openProviders()).containsExactlyInAnyOrder(PROVIDER, OTHER_PROVIDER);
  }

  @Test
  void openProviders_finishedOperations_doNotCount() {
    apply(Fixture.complete(accepted(1), Fixture.output(1)));
    assertThat(store().openProviders()).isEmpty();
  }

  @Test
  void backlog_countsPreparedUpToItsBound() {
    insertPrepared(5);
    sending(7);
    assertThat(store().backlog(List.of(PROVIDER, OTHER_PROVIDER), 100))
        .isEqualTo(Map.of(PROVIDER, 5, OTHER_PROVIDER, 0));
    assertThat(store().backlog(List.of(PROVIDER), 3)).isEqualTo(Map.of(PROVIDER, 3));
    assertThat(store().backlog(List.of(), 3)).isEmpty();
  }

  @Test
  void claim_repeatedUnderItsId_takesNothingMore() {
    insertPrepared(3);
    UUID claim = claimId();
    assertThat(store().claim(2, claim, OWNER, TERMS)).hasSize(2);
    assertThat(store().claim(2, claim, OWNER, TERMS)).isEmpty();
    assertThat(store().claimed(PROVIDER, claim)).hasSize(2);
    assertThat(claimOne().fence()).isEqualTo(1);
  }
}
