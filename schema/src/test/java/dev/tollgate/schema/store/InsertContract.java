package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.OTHER_PROVIDER;
import static dev.tollgate.schema.store.Fixture.OTHER_TERMS;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Storing intents: rule 1 for those sent at once, rule 2 for all. */
public abstract class InsertContract extends StoreContract {
  @Test
  void insert_newIntent_isPreparedAndDueAtOnce() {
    assertThat(store().insert(List.of(Fixture.intent(1)), claimId(), OWNER, ALL_TERMS))
        .containsExactly(key(1));
    StoredOperation stored = get(1);
    assertThat(stored.state()).isEqualTo(OperationState.PREPARED);
    assertThat(stored.fence()).isZero();
    assertThat(stored.claim()).isNull();
    assertThat(stored.attempts()).isZero();
    assertThat(stored.version()).isEqualTo(1);
    assertThat(stored.leased()).isFalse();
    assertThat(stored.role()).isEqualTo("claim");
    assertDueIn(stored, Duration.ZERO);
    assertThat(stored.attemptRows()).isEmpty();
    assertThat(stored.evidence()).isEmpty();
    assertThat(told(1)).isEmpty();
  }

  @Test
  void insert_sendNow_isSendingWithItsAttemptAndSweep() {
    UUID claim = claimId();
    store().insert(List.of(Fixture.sendNow(1), Fixture.intent(2)), claim, OWNER, ALL_TERMS);
    StoredOperation stored = get(1);
    assertThat(stored.state()).isEqualTo(OperationState.SENDING);
    assertThat(stored.fence()).isEqualTo(1);
    assertThat(stored.claim()).isEqualTo(claim);
    assertThat(stored.attempts()).isEqualTo(1);
    assertThat(stored.leased()).isTrue();
    assertThat(stored.role()).isEqualTo("sweep");
    assertDueIn(stored, LEASE);
    assertThat(stored.attemptRows())
        .containsExactly(
            new StoredOperation.Attempt(1, claim, OWNER, TERMS.sendWithin(), TERMS.absentAfter()));
    assertThat(get(2).state()).isEqualTo(OperationState.PREPARED);
    assertThat(get(2).claim()).isNull();
  }

  @Test
  void insert_eachProvider_hasItsOwnTerms() {
    Terms slow =
        Fixture.terms(
            OTHER_PROVIDER, Duration.ofHours(1), Duration.ofHours(2), Duration.ofHours(3));
    store()
        .insert(
            List.of(Fixture.sendNow(1), Fixture.intent(2, OTHER_PROVIDER, "params", true, null)),
            claimId(),
            OWNER,
            List.of(TERMS, slow));
    assertDueIn(get(1), LEASE);
    assertDueIn(get(2), Duration.ofHours(2));
    assertThat(get(2).attemptRows().getFirst().absentAfter()).isEqualTo(Duration.ofHours(3));
  }

  @Test
  void insert_knownKey_isLeftAlone() {
    UUID first = claimId();
    store().insert(List.of(Fixture.sendNow(1)), first, OWNER, ALL_TERMS);
    NewIntent same = Fixture.sendNow(1);
    NewIntent other = Fixture.intent(2);
    assertThat(store().insert(List.of(same, other), claimId(), "w2", ALL_TERMS))
        .containsExactly(key(2));
    assertThat(get(1).claim()).isEqualTo(first);
    assertThat(get(1).attemptRows()).hasSize(1);
  }

  @Test
  void insert_knownKeyWithOtherParameters_isLeftForFindToTell() {
    store().insert(List.of(Fixture.intent(1)), claimId(), OWNER, ALL_TERMS);
    NewIntent changed = Fixture.intent(1, OTHER_PROVIDER, "other params", true, null);
    assertThat(store().insert(List.of(changed), claimId(), OWNER, ALL_TERMS)).isEmpty();
    KnownIntent known = store().find(List.of(key(1))).getFirst();
    assertThat(known.requestHash())
        .isEqualTo(Fixture.intent(1).requestHash())
        .isNotEqualTo(changed.requestHash());
    assertThat(known.state()).isEqualTo(OperationState.PREPARED);
  }

  @Test
  void find_tellsStateFenceAndClaim_andNothingOfOtherKeys() {
    Claim claim = sending(1);
    insertPrepared(1);
    List<KnownIntent> known = store().find(List.of(key(0), key(1), key(7)));
    assertThat(known).extracting(KnownIntent::key).containsExactlyInAnyOrder(key(0), key(1));
    KnownIntent sent = known.stream().filter(k -> k.key().equals(key(1))).findFirst().orElseThrow();
    assertThat(sent.state()).isEqualTo(OperationState.SENDING);
    assertThat(sent.fence()).isEqualTo(1);
    assertThat(sent.claim()).isEqualTo(claim.claim());
    assertThat(store().find(List.of())).isEmpty();
  }

  @Test
  void insert_repeatAfterALostAnswer_findsWhatTheFirstTryStored() {
    UUID claim = claimId();
    List<NewIntent> batch = List.of(Fixture.sendNow(1), Fixture.intent(2));
    store().insert(batch, claim, OWNER, ALL_TERMS);
    assertThat(store().insert(batch, claim, OWNER, ALL_TERMS)).isEmpty();
    assertThat(store().claimed(PROVIDER, claim)).extracting(Claim::key).containsExactly(key(1));
    assertThat(get(1).attemptRows()).hasSize(1);
  }

  @Test
  void insert_givesThePayloadBackWithTheClaim() {
    Claim claim = sending(3);
    assertThat(claim.params()).isEqualTo(Fixture.sendNow(3).params());
    assertThat(claim.submissionKey()).isEqualTo(Fixture.sendNow(3).submissionKey());
    assertThat(claim.attempts()).isEqualTo(1);
    assertThat(claim.earlierUnresolved()).isFalse();
  }

  @Test
  void insert_aKeyTwiceOrNoTerms_isRefusedBeforeAnythingIsStored() {
    assertThatThrownBy(
            () ->
                store()
                    .insert(
                        List.of(Fixture.intent(1), Fixture.sendNow(1)),
                        claimId(),
                        OWNER,
                        ALL_TERMS))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                store().insert(List.of(Fixture.intent(1)), claimId(), OWNER, List.of(OTHER_TERMS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(PROVIDER);
    assertThat(harness().read(key(1))).isEmpty();
    assertThat(store().insert(List.of(), claimId(), OWNER, ALL_TERMS)).isEmpty();
  }

  @Test
  void insert_byTwoProcessesAtOnce_eachKeyIsNewToOne() {
    List<NewIntent> batch = Fixture.intents(100);
    Together.Both<Set<OperationKey>> both =
        Together.run(
            () -> store().insert(batch, claimId(), "w1", ALL_TERMS),
            () -> harness().another().insert(batch.reversed(), claimId(), "w2", ALL_TERMS));
    assertThat(Together.all(both)).doesNotHaveDuplicates().hasSize(100);
  }
}
