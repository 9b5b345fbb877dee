package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Evidence of a claim that is no longer the newest. */
public abstract class LateEvidenceContract extends StoreContract {
  @Test
  void late_forAnUnknownOperation_isLookedAtNow() {
    unknown(1);
    assertThat(store().lookDue(PROVIDER, 10, claimId(), LEASE)).isEmpty();
    assertThat(store().lateEvidence(Map.of(key(1), "job-1"))).isEmpty();
    assertThat(told(1)).containsExactly("events unknown", "reconcile unknown", "reconcile unknown");
    assertThat(store().lookDue(PROVIDER, 10, claimId(), LEASE)).hasSize(1);
  }

  @Test
  void late_whileALookIsUnderWay_isDueWhenItsLeaseEnds() {
    looking(1);
    store().lateEvidence(Map.of(key(1), "job-1"));
    unknown(2);
    store().lateEvidence(Map.of(key(2), "job-2"));
    // were the first due already, it would stand in the way and could not be held
    assertThat(store().lookDue(PROVIDER, 1, claimId(), LEASE))
        .extracting(look -> look.key())
        .containsExactly(key(2));
    assertDueIn(get(1), LEASE);
  }

  @Test
  void late_forOneThatWaitsForAPerson_isLookedAtNow() {
    apply(
        Fixture.sent(
            sending(1), OperationState.UNKNOWN, Code.OUTCOME_UNKNOWN, Code.NO_WAY_TO_KNOW));
    assertThat(store().lateEvidence(Map.of(key(1), ""))).isEmpty();
    assertThat(get(1).review()).isNull();
    assertThat(get(1).role()).isEqualTo("look");
    assertThat(store().lookDue(PROVIDER, 10, claimId(), LEASE)).hasSize(1);
  }

  @Test
  void late_theSameTaskOfASettledOperation_isNothing() {
    accepted(1);
    assertThat(store().lateEvidence(Map.of(key(1), "job-1"))).isEmpty();
    assertThat(store().lateEvidence(Map.of(key(1), ""))).isEmpty();
    assertThat(get(1).evidenceOf(Code.SUSPECTED_DUPLICATE)).isZero();
  }

  @Test
  void late_anotherTaskOfASettledOperation_isASuspectedDuplicate_recordedOnce() {
    accepted(1);
    Follow follow = accepted(2);
    apply(Fixture.complete(follow, Fixture.output(2)));
    Map<dev.tollgate.schema.key.OperationKey, String> late =
        Map.of(key(1), "job-9", key(2), "job-8");
    assertThat(store().lateEvidence(late)).containsExactlyInAnyOrder(key(1), key(2));
    assertThat(store().lateEvidence(late)).containsExactlyInAnyOrder(key(1), key(2));
    assertThat(get(1).evidenceOf(Code.SUSPECTED_DUPLICATE)).isEqualTo(1);
    assertThat(get(2).evidenceOf(Code.SUSPECTED_DUPLICATE)).isEqualTo(1);
    assertThat(get(1).state()).isEqualTo(OperationState.ACCEPTED);
    assertThat(get(2).state()).isEqualTo(OperationState.COMPLETE);
    assertThat(store().remoteIdsSeen(List.of(key(1))).get(key(1)))
        .containsExactlyInAnyOrder("job-1", "job-9");
  }

  @Test
  void late_aTaskOfAFailedOperation_isASuspectedDuplicate() {
    apply(Fixture.sent(sending(1), OperationState.FAILED, Code.PROVIDER_REJECTED, null));
    assertThat(store().lateEvidence(Map.of(key(1), "job-1"))).containsExactly(key(1));
    assertThat(get(1).state()).isEqualTo(OperationState.FAILED);
    assertThat(get(1).wake()).isNull();
  }

  @Test
  void late_aTaskThoughAbsenceWasProved_holdsTheNextSendBack() {
    preparedAgain(1, Code.ABSENT);
    assertThat(store().lateEvidence(Map.of(key(1), ""))).isEmpty();
    assertThat(get(1).role()).isEqualTo("claim");
    assertThat(store().lateEvidence(Map.of(key(1), "job-1"))).containsExactly(key(1));
    assertThat(get(1).review()).isEqualTo(Code.SUSPECTED_DUPLICATE);
    harness().letTimePass();
    assertThat(store().claim(10, claimId(), OWNER, TERMS)).isEmpty();
  }

  @Test
  void late_aTaskWhileItIsSentAgain_isASuspectedDuplicate_unlessUnderAPromise() {
    preparedAgain(1, Code.ABSENT);
    preparedAgain(2, Code.PROTECTED_RESEND);
    assertThat(store().lateEvidence(Map.of(key(2), "job-2"))).isEmpty();
    harness().letTimePass();
    assertThat(store().claim(10, claimId(), OWNER, TERMS)).hasSize(2);
    assertThat(store().lateEvidence(Map.of(key(1), "job-1", key(2), "job-2")))
        .containsExactly(key(1));
    assertThat(get(1).state()).isEqualTo(OperationState.SENDING);
  }

  @Test
  void late_forWhatIsNotStored_isNothing() {
    assertThat(store().lateEvidence(Map.of(key(1), "job-1"))).isEmpty();
    assertThat(store().lateEvidence(Map.of())).isEmpty();
  }
}
