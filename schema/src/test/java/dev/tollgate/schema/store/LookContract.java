package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.OTHER_PROVIDER;
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
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Looking for what became of an unknown operation. */
public abstract class LookContract extends StoreContract {
  @Test
  void look_claimsWhetherDueOrNot_withANewFence() {
    Claim sent = unknown(1);
    Look look = look(1);
    assertThat(look.fence()).isEqualTo(sent.fence() + 1);
    assertThat(look.claim()).isNotEqualTo(sent.claim());
    assertThat(look.attempts()).isEqualTo(1);
    assertThat(look.looks()).isEqualTo(1);
    assertThat(look.provider()).isEqualTo(PROVIDER);
    assertThat(look.params()).isEqualTo(sent.params());
    assertThat(look.submissionKey()).isEqualTo(sent.submissionKey());
    assertThat(look.firstBegan()).isEqualTo(look.lastBegan()).isBeforeOrEqualTo(look.now());
    assertThat(look.absentAfter())
        .isEqualTo(look.lastBegan().plus(TERMS.sendWithin()).plus(TERMS.absentAfter()));
    assertThat(look.pastHorizon()).isFalse();
    StoredOperation stored = get(1);
    assertThat(stored.state()).isEqualTo(OperationState.UNKNOWN);
    assertThat(stored.leased()).isTrue();
    assertThat(stored.claim()).isEqualTo(look.claim());
    assertDueIn(stored, LEASE);
  }

  @Test
  void look_whileAnotherHoldsIt_getsNothingUntilTheLeaseEnds() {
    Look first = looking(1);
    assertThat(harness().another().look(List.of(key(1)), Set.of(), claimId(), LEASE)).isEmpty();
    assertThat(harness().another().lookDue(PROVIDER, 10, claimId(), LEASE)).isEmpty();
    harness().letTimePass();
    Look second = harness().another().lookDue(PROVIDER, 10, claimId(), LEASE).getFirst();
    assertThat(second.fence()).isEqualTo(first.fence() + 1);
    assertThat(second.looks()).isEqualTo(2);
    applyInVain(Fixture.found(first, "job-1"));
    apply(Fixture.found(second, "job-1"));
  }

  @Test
  void look_passesOverProvidersThatAreExcepted() {
    apply(Fixture.unknown(sending(1)));
    List<OperationKey> keys = List.of(key(1));
    assertThat(store().look(keys, Set.of("another", PROVIDER), claimId(), LEASE)).isEmpty();
    assertThat(store().look(keys, Set.of("another"), claimId(), LEASE)).hasSize(1);
  }

  @Test
  void look_onlyUnknownOnesThatWaitForNobody() {
    sending(1);
    accepted(2);
    insertPrepared(1);
    apply(
        Fixture.sent(
            sending(3), OperationState.UNKNOWN, Code.OUTCOME_UNKNOWN, Code.NO_WAY_TO_KNOW));
    List<OperationKey> all = List.of(key(0), key(1), key(2), key(3), key(9));
    assertThat(store().look(all, Set.of(), claimId(), LEASE)).isEmpty();
    assertThat(store().look(List.of(), Set.of(), claimId(), LEASE)).isEmpty();
  }

  @Test
  void lookDue_takesDueOnesOfItsProviderUpToItsLimit() {
    unknown(1);
    unknown(2);
    assertThat(store().lookDue(PROVIDER, 10, claimId(), LEASE)).isEmpty();
    harness().letTimePass();
    assertThat(store().lookDue(OTHER_PROVIDER, 10, claimId(), LEASE)).isEmpty();
    assertThat(store().lookDue(PROVIDER, 0, claimId(), LEASE)).isEmpty();
    assertThat(store().lookDue(PROVIDER, 1, claimId(), LEASE)).hasSize(1);
    assertThat(store().lookDue(PROVIDER, 10, claimId(), LEASE)).hasSize(1);
  }

  @Test
  void look_byTwoProcessesAtOnce_sharesNothing() {
    List<OperationKey> keys = new java.util.ArrayList<>();
    for (int n = 0; n < 20; n++) {
      unknown(n);
      keys.add(key(n));
    }
    Together.Both<List<Look>> both =
        Together.run(
            () -> store().look(keys, Set.of(), claimId(), LEASE),
            () -> harness().another().look(keys.reversed(), Set.of(), claimId(), LEASE));
    assertThat(Together.all(both)).extracting(Look::key).doesNotHaveDuplicates().hasSize(20);
  }

  @Test
  void look_theHorizonIsThatOfTheNewestAttempt() {
    Terms quick =
        Fixture.terms(PROVIDER, Duration.ofMillis(1), Duration.ofSeconds(2), Duration.ZERO);
    preparedAgain(1, Code.PROVIDER_THROTTLED);
    harness().letTimePass();
    Claim second = store().claim(1, claimId(), OWNER, quick).getFirst();
    apply(Fixture.unknown(second));
    Look look = look(1);
    assertThat(look.lastBegan()).isAfter(look.firstBegan());
    assertThat(look.attempts()).isEqualTo(2);
    // the first attempt's longer horizon still counts
    assertThat(look.absentAfter())
        .isEqualTo(look.firstBegan().plus(TERMS.sendWithin()).plus(TERMS.absentAfter()));
  }

  @Test
  void look_knowsWhatEveryAttemptCarriedAndWhereAllWent() {
    unknown(1);
    Look first = look(1);
    assertThat(first.carried()).isEqualTo(Fixture.CARRIES);
    assertThat(first.lost()).isEqualTo(1);
    assertThat(unknownAgain(2, Code.ABSENT, Terms.KEY, SENDS_TO))
        .satisfies(look -> assertThat(look.carried()).isEqualTo(Terms.KEY))
        .satisfies(look -> assertThat(look.sentTo()).hasValue(SENDS_TO))
        .satisfies(look -> assertThat(look.lost()).isEqualTo(2));
    assertThat(unknownAgain(3, Code.ABSENT, 1 << 9 | Fixture.CARRIES, SENDS_TO + 1))
        .satisfies(look -> assertThat(look.carried()).isEqualTo(Fixture.CARRIES))
        .satisfies(look -> assertThat(look.sentTo()).isEmpty());
  }

  /** What created nothing need not be looked for. */
  @Test
  void look_doesNotMindWhatAnAttemptCarriedThatCreatedNothing() {
    int n = 1;
    for (Code nothing : List.of(Code.NOT_SENT, Code.PROVIDER_THROTTLED, Code.ACCOUNT_REFUSED)) {
      assertThat(unknownAgain(n, nothing, 1 << 9, SENDS_TO + 1))
          .satisfies(look -> assertThat(look.carried()).isEqualTo(1 << 9))
          .satisfies(look -> assertThat(look.sentTo()).hasValue(SENDS_TO + 1))
          .satisfies(look -> assertThat(look.lost()).isEqualTo(1))
          .satisfies(look -> assertThat(look.attempts()).isEqualTo(2));
      n++;
    }
  }

  private Look unknownAgain(int n, Code first, int carries, long sendsTo) {
    if (first == Code.ABSENT) {
      unknown(n);
      apply(Fixture.looked(look(n), OperationState.PREPARED, Code.ABSENT, null));
    } else {
      preparedAgain(n, first);
    }
    harness().letTimePass();
    Terms other =
        new Terms(
            PROVIDER,
            TERMS.sendWithin(),
            TERMS.lease(),
            TERMS.absentAfter(),
            TERMS.promise(),
            carries,
            sendsTo);
    apply(Fixture.unknown(store().claim(1, claimId(), OWNER, other).getFirst()));
    return look(n);
  }

  @Test
  void remoteIdsSeen_areThoseOfTheSendsAlone() {
    Claim claim = sending(1);
    apply(
        Change.ofSend(
            claim,
            OperationState.UNKNOWN,
            Code.OUTCOME_UNKNOWN,
            null,
            null,
            Duration.ZERO,
            Fixture.evidence(Code.OUTCOME_UNKNOWN, "job-1")));
    Evidence listed =
        new Evidence(
            Evidence.newId(),
            Evidence.Source.LOOKUP,
            Code.UNDECIDED,
            200,
            "job-7",
            null,
            null,
            null,
            false);
    apply(
        Change.ofLook(
            look(1), OperationState.UNKNOWN, Code.UNDECIDED, null, null, Duration.ZERO, listed));
    unknown(2);
    assertThat(store().remoteIdsSeen(List.of(key(1), key(2), key(3))))
        .isEqualTo(java.util.Map.of(key(1), Set.of("job-1")));
    assertThat(store().remoteIdsSeen(List.of())).isEmpty();
  }

  @Test
  void owners_areToldByProvider() {
    accepted(1);
    assertThat(owners("job-1", "job-2")).isEqualTo(java.util.Map.of("job-1", key(1)));
    assertThat(store().owners(OTHER_PROVIDER, List.of("job-1"))).isEmpty();
    assertThat(store().owners(PROVIDER, List.of())).isEmpty();
  }

  @Test
  void rivals_areOpenOperationsWithTheSameRequestThatWereSent() {
    for (int n : List.of(1, 2, 3)) {
      var claim = claimId();
      store()
          .insert(
              List.of(Fixture.intent(n, PROVIDER, "same", true, null)), claim, OWNER, ALL_TERMS);
      Claim held = store().claimed(PROVIDER, claim).getFirst();
      switch (n) {
        case 2 -> apply(Fixture.unknown(held));
        case 3 -> apply(Fixture.accepted(held, "job-3"));
        default -> {}
      }
    }
    store()
        .insert(
            List.of(
                Fixture.intent(4, PROVIDER, "same", false, null),
                Fixture.intent(5, OTHER_PROVIDER, "same", true, null)),
            claimId(),
            OWNER,
            ALL_TERMS);
    sending(6);
    assertThat(store().rivals(key(1), PROVIDER)).containsExactly(key(2));
    assertThat(store().rivals(key(2), PROVIDER)).containsExactly(key(1));
    assertThat(store().rivals(key(6), PROVIDER)).isEmpty();
  }
}
