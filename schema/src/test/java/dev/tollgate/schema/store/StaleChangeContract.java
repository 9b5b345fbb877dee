package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.evidence;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Rule 4, and what stays of a change that lost: its evidence. */
public abstract class StaleChangeContract extends StoreContract {
  private static Claim like(Claim c, int fence, UUID claim) {
    return new Claim(
        c.key(),
        c.provider(),
        fence,
        claim,
        c.attempts(),
        c.earlierUnresolved(),
        c.params(),
        c.submissionKey(),
        c.promiseOver(),
        c.seq());
  }

  @Test
  void apply_staleFence_changesNothingButKeepsItsEvidence() {
    Claim first = sending(1);
    apply(Fixture.sent(first, OperationState.PREPARED, Code.NOT_SENT, null));
    harness().letTimePass();
    Claim second = claimOne();
    Change late = Fixture.accepted(first, "job-1");
    applyInVain(late);
    StoredOperation stored = get(1);
    assertThat(stored.state()).isEqualTo(OperationState.SENDING);
    assertThat(stored.claim()).isEqualTo(second.claim());
    assertThat(stored.remoteId()).isNull();
    assertThat(stored.evidenceOf(Code.PROVIDER_ACCEPTED)).isEqualTo(1);
    assertThat(told(1)).isEmpty();
    assertThat(owners("job-1")).isEmpty();
    assertThat(store().effective(List.of(late))).isEmpty();
  }

  @Test
  void apply_sameFenceOfAnotherClaim_isStale() {
    Claim claim = sending(1);
    applyInVain(Fixture.accepted(like(claim, claim.fence(), UUID.randomUUID()), "job-1"));
    assertThat(get(1).state()).isEqualTo(OperationState.SENDING);
    assertThat(get(1).evidence()).hasSize(1);
    apply(Fixture.accepted(claim, "job-2"));
  }

  @Test
  void apply_anotherStateThanExpected_isStale() {
    Claim claim = sending(1);
    apply(Fixture.accepted(claim, "job-1"));
    Change late = Fixture.sent(claim, OperationState.FAILED, Code.PROVIDER_REJECTED, null);
    applyInVain(late);
    assertThat(get(1).state()).isEqualTo(OperationState.ACCEPTED);
    assertThat(get(1).evidenceOf(Code.PROVIDER_REJECTED)).isEqualTo(1);
    assertThat(told(1)).containsExactly("events accepted");
  }

  @Test
  void apply_theSameBatchAgain_addsNothing() {
    Change accepted = Fixture.accepted(sending(1), "job-1");
    Change unknown = Fixture.unknown(sending(2));
    Change failed = Fixture.sent(sending(3), OperationState.FAILED, Code.PROVIDER_REJECTED, null);
    List<Change> batch = List.of(accepted, unknown, failed);
    assertThat(store().apply(batch)).hasSize(3);
    List<StoredOperation> before = List.of(get(1), get(2), get(3));
    int told = store().outbox(100).size();
    assertThat(store().apply(batch)).isEmpty();
    assertThat(List.of(get(1), get(2), get(3)))
        .usingRecursiveComparison()
        .ignoringFields("wake.in")
        .ignoringFieldsOfTypes(Duration.class)
        .isEqualTo(before);
    assertThat(store().outbox(100)).hasSize(told);
    assertThat(store().effective(batch)).containsExactlyInAnyOrder(key(1), key(2), key(3));
  }

  @Test
  void apply_anUndecidedLookAgain_tellsAndAddsNothing() {
    Change undecided = Fixture.looked(looking(1), OperationState.UNKNOWN, Code.UNDECIDED, null);
    apply(undecided);
    List<String> told = told(1);
    store().apply(List.of(undecided));
    assertThat(told(1)).isEqualTo(told);
    assertThat(get(1).evidenceOf(Code.UNDECIDED)).isEqualTo(1);
    assertThat(store().effective(List.of(undecided))).hasSize(1);
  }

  @Test
  void effective_beforeItHappened_isNot() {
    Claim claim = sending(1);
    assertThat(store().effective(List.of(Fixture.accepted(claim, "job-1")))).isEmpty();
    Look look = looking(2);
    assertThat(
            store()
                .effective(
                    List.of(Fixture.looked(look, OperationState.UNKNOWN, Code.UNDECIDED, null))))
        .isEmpty();
    assertThat(store().effective(List.of())).isEmpty();
  }

  @Test
  void effective_sweptMeanwhile_isNotTheChangesDoing() {
    Claim claim = sending(1);
    harness().letTimePass();
    assertThat(store().sweep(10, Duration.ZERO).lost()).hasSize(1);
    assertThat(store().effective(List.of(Fixture.unknown(claim)))).isEmpty();
  }

  @Test
  void effective_claimedByAnotherSince_isNoLongerTheNewest() {
    Change back = Fixture.sent(sending(1), OperationState.PREPARED, Code.NOT_SENT, null);
    apply(back);
    assertThat(store().effective(List.of(back))).hasSize(1);
    harness().letTimePass();
    claimOne();
    assertThat(store().effective(List.of(back))).isEmpty();
  }

  @Test
  void apply_aRemoteIdOfAnotherOperation_storesNothingOfTheBatch() {
    accepted(1);
    Change taken = Fixture.accepted(sending(2), "job-1");
    Change innocent = Fixture.accepted(sending(3), "job-3");
    assertThatThrownBy(() -> store().apply(List.of(innocent, taken)))
        .isInstanceOf(RemoteIdTaken.class);
    assertThat(get(2).state()).isEqualTo(OperationState.SENDING);
    assertThat(get(2).evidence()).isEmpty();
    assertThat(get(3).state()).isEqualTo(OperationState.SENDING);
    assertThat(owners("job-3")).isEmpty();
    assertThat(told(3)).isEmpty();
    apply(innocent);
  }

  @Test
  void apply_twoOperationsOfOneBatchWithOneRemoteId_storesNothing() {
    Change one = Fixture.accepted(sending(1), "job-1");
    Change two = Fixture.accepted(sending(2), "job-1");
    assertThatThrownBy(() -> store().apply(List.of(one, two))).isInstanceOf(RemoteIdTaken.class);
    assertThat(get(1).state()).isEqualTo(OperationState.SENDING);
  }

  @Test
  void apply_aKeyTwiceInOneBatch_isRefused() {
    Claim claim = sending(1);
    assertThatThrownBy(
            () -> store().apply(List.of(Fixture.accepted(claim, "job-1"), Fixture.unknown(claim))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key(1).toString());
  }

  @Test
  void change_thatTheTableDoesNotHold_cannotBeBuilt() {
    Claim claim = sending(1);
    assertThatThrownBy(
            () -> Fixture.sent(claim, OperationState.PREPARED, Code.OUTCOME_UNKNOWN, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Fixture.sent(claim, OperationState.COMPLETE, Code.OUTPUT_STORED, null))
        .isInstanceOf(IllegalArgumentException.class);
    Look look = looking(2);
    assertThatThrownBy(() -> Fixture.looked(look, OperationState.PREPARED, Code.LEASE_LOST, null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void apply_evidenceWithNulAndRawBytes_isKept() {
    Claim claim = sending(1);
    byte[] raw = {0, 1, (byte) 0xff, 0x22, 0};
    Evidence odd =
        new Evidence(
            Evidence.newId(),
            Evidence.Source.SUBMIT,
            Code.OUTCOME_UNKNOWN,
            502,
            null,
            "nul \u0000, quote \" and emoji \ud83e\ude81",
            "x: \u0000",
            raw,
            true);
    apply(
        Change.ofSend(
            claim, OperationState.UNKNOWN, Code.OUTCOME_UNKNOWN, null, null, Duration.ZERO, odd));
    assertThat(get(1).evidence().getFirst().note())
        .isEqualTo("nul \ufffd, quote \" and emoji \ud83e\ude81");
    assertThat(evidence(Code.FOUND).id()).isNotEqualTo(odd.id());
  }
}
