package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.OTHER_PROVIDER;
import static dev.tollgate.schema.store.Fixture.OTHER_TERMS;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PRODUCER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.BudgetConfig.Per;
import dev.tollgate.schema.config.BudgetConfig.Scope;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claiming where money is counted. */
public abstract class BudgetContract extends StoreContract {
  private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06Z");

  /** What is booked now in the budgets of somebody, refunds taken off. */
  protected abstract long booked(String who);

  /** Makes it as if a new period had begun. */
  protected abstract void nextPeriod();

  private static Budget ofProvider(long micros) {
    return new Budget(Scope.PROVIDER, PROVIDER, Per.DAY, micros, false);
  }

  private static Budget ofProducer(long micros) {
    return new Budget(Scope.PRODUCER, PRODUCER, Per.MONTH, micros, false);
  }

  private static Budget refusing(long micros) {
    return new Budget(Scope.PROVIDER, PROVIDER, Per.DAY, micros, true);
  }

  private static Limits limits(Budget... budgets) {
    return new Limits(OptionalLong.empty(), 1, OptionalInt.empty(), List.of(budgets));
  }

  private void insert(int n, @Nullable String producer, @Nullable Long price) {
    insert(n, PROVIDER, producer, price, null);
  }

  private void insert(
      int n,
      String provider,
      @Nullable String producer,
      @Nullable Long price,
      @Nullable Instant deadline) {
    NewIntent i = Fixture.intent(n, provider, "params", false, deadline);
    NewIntent priced =
        new NewIntent(
            i.key(),
            provider,
            i.requestHash(),
            i.submissionKey(),
            false,
            deadline,
            null,
            i.dimensions(),
            i.params(),
            0,
            n,
            producer,
            price);
    store().insert(List.of(priced), claimId(), OWNER, ALL_TERMS);
  }

  private Grant grant(Budget... budgets) {
    return store().claimLimited(100, claimId(), OWNER, TERMS, limits(budgets));
  }

  private List<OperationKey> claim(Budget... budgets) {
    return grant(budgets).claims().stream().map(Claim::key).toList();
  }

  private List<OperationKey> keys(int... numbers) {
    return IntStream.of(numbers).mapToObj(Fixture::key).toList();
  }

  @Test
  void claim_booksWhatItClaims_andPutsOffTheRest() {
    IntStream.range(0, 5).forEach(n -> insert(n, null, 30L));
    Grant grant = grant(ofProvider(100));
    assertThat(grant.claims())
        .extracting(Claim::key)
        .containsExactlyInAnyOrderElementsOf(keys(0, 1, 2));
    assertThat(grant.waiting()).as("the others are looked at by the next").isPositive();
    grant(ofProvider(100));
    assertThat(booked(PROVIDER)).isEqualTo(90);
    StoredOperation waiting = get(4);
    assertThat(waiting.state()).isEqualTo(OperationState.PREPARED);
    assertThat(waiting.reason()).isEqualTo(Code.BUDGET_EXHAUSTED);
    assertThat(waiting.review()).isNull();
    StoredOperation.Wake wake = waiting.wake();
    assertThat(wake == null ? Duration.ZERO : wake.in())
        .isPositive()
        .isLessThanOrEqualTo(Duration.ofMinutes(15));
    assertThat(told(4)).isEmpty();
  }

  @Test
  void whatWaits_isSentInTheNextPeriod_orWhenMoreIsAllowed() {
    IntStream.range(0, 3).forEach(n -> insert(n, null, 60L));
    assertThat(claim(ofProvider(100))).hasSize(1);
    claim(ofProvider(100));
    harness().letTimePass();
    assertThat(claim(ofProvider(130))).as("more is allowed").hasSize(1);
    nextPeriod();
    harness().letTimePass();
    assertThat(claim(ofProvider(100))).hasSize(1);
    assertThat(booked(PROVIDER)).as("in the new period").isEqualTo(60);
    assertThat(get(2).reason()).as("it does not wait any more").isNull();
  }

  @Test
  void whatWouldBreakABudgetThatRefuses_ends_andItsProducerHears() {
    insert(0, null, 60L);
    insert(1, null, 60L);
    Grant grant = grant(refusing(100));
    assertThat(grant.claims()).extracting(Claim::key).containsExactly(key(0));
    assertThat(grant.refused()).isEqualTo(1);
    StoredOperation refused = get(1);
    assertThat(refused.state()).isEqualTo(OperationState.FAILED);
    assertThat(refused.reason()).isEqualTo(Code.BUDGET_EXHAUSTED);
    assertThat(refused.evidenceOf(Code.BUDGET_EXHAUSTED)).isEqualTo(1);
    assertThat(refused.attempts()).isZero();
    assertThat(told(1)).containsExactly("events failed");
    assertThat(booked(PROVIDER)).isEqualTo(60);
  }

  @Test
  void unknownPrice_whereABudgetApplies_isRefused_howeverLargeTheBudget() {
    insert(0, PRODUCER, null);
    insert(1, "/another", null);
    Grant grant = grant(ofProducer(1_000_000));
    assertThat(grant.claims())
        .extracting(Claim::key)
        .as("no budget applies")
        .containsExactly(key(1));
    assertThat(get(0).state()).isEqualTo(OperationState.FAILED);
    assertThat(get(0).reason()).isEqualTo(Code.PRICE_UNKNOWN);
    assertThat(told(0)).containsExactly("events failed");
  }

  @Test
  void everyBudgetThatApplies_mustHold() {
    insert(0, PRODUCER, 30L);
    insert(1, PRODUCER, 30L);
    insert(2, "/another", 30L);
    insert(3, null, 30L);
    Budget[] budgets = {ofProvider(80), ofProducer(40)};
    assertThat(claim(budgets)).containsExactly(key(0));
    assertThat(get(1).reason()).isEqualTo(Code.BUDGET_EXHAUSTED);
    assertThat(claim(budgets))
        .as("behind one that only its producer's budget stops")
        .containsExactly(key(2));
    claim(budgets);
    assertThat(get(3).reason()).isEqualTo(Code.BUDGET_EXHAUSTED);
    assertThat(booked(PROVIDER)).isEqualTo(60);
    assertThat(booked(PRODUCER)).isEqualTo(30);
  }

  @Test
  void aProducersBudget_isOneAtAllProviders() {
    insert(0, PROVIDER, PRODUCER, 30L, null);
    insert(1, OTHER_PROVIDER, PRODUCER, 30L, null);
    assertThat(claim(ofProducer(50))).hasSize(1);
    Grant other = store().claimLimited(10, claimId(), OWNER, OTHER_TERMS, limits(ofProducer(50)));
    assertThat(other.claims()).isEmpty();
    assertThat(other.waiting()).isEqualTo(1);
  }

  @Test
  void whatOnlyDoesNotFitBesideOthers_isClaimedByTheNext() {
    insert(0, null, 90L);
    insert(1, null, 50L);
    insert(2, null, 10L);
    assertThat(claim(refusing(100))).containsExactly(key(0));
    assertThat(get(1).state()).isEqualTo(OperationState.FAILED);
    assertThat(get(2).state()).isEqualTo(OperationState.PREPARED);
    assertThat(claim(refusing(100))).containsExactly(key(2));
    assertThat(booked(PROVIDER)).isEqualTo(100);
  }

  @Test
  void anOperation_isBookedOnce_howeverOftenItIsSent() {
    insert(0, null, 60L);
    for (int i = 0; i < 3; i++) {
      Claim claim = grant(ofProvider(60)).claims().getFirst();
      apply(Fixture.sent(claim, OperationState.PREPARED, Code.NOT_SENT, null));
      harness().letTimePass();
      assertThat(booked(PROVIDER)).isEqualTo(60);
    }
  }

  @Test
  void rejected_isReleased_andOthersMaySpendIt() {
    insert(0, PRODUCER, 60L);
    insert(1, PRODUCER, 60L);
    Budget[] budgets = {ofProvider(100), ofProducer(100)};
    Claim claim = grant(budgets).claims().getFirst();
    apply(Fixture.sent(claim, OperationState.FAILED, Code.PROVIDER_REJECTED, null));
    assertThat(booked(PROVIDER)).isZero();
    assertThat(booked(PRODUCER)).isZero();
    harness().letTimePass();
    assertThat(claim(budgets)).containsExactly(key(1));
    assertThat(booked(PROVIDER)).as("taken up, and only once").isEqualTo(60);
    assertThat(booked(PRODUCER)).isEqualTo(60);
  }

  @Test
  void deadlineBeforeASend_isReleased() {
    insert(0, null, 60L);
    Claim claim = grant(ofProvider(100)).claims().getFirst();
    apply(Fixture.sent(claim, OperationState.PREPARED, Code.PROVIDER_THROTTLED, null));
    insert(1, PROVIDER, null, 60L, LONG_AGO);
    expireNow(0);
    assertThat(store().expire(10)).containsExactlyInAnyOrder(key(0), key(1));
    assertThat(booked(PROVIDER)).isZero();
  }

  /** Makes it as if the operation's deadline had passed. */
  protected abstract void expireNow(int n);

  @Test
  void whatMayHaveBeenMade_staysBooked() {
    IntStream.range(0, 3).forEach(n -> insert(n, null, 10L));
    List<Claim> claims = grant(ofProvider(100)).claims();
    apply(Fixture.accepted(claims.get(0), "job-0"));
    harness().letTimePass();
    Follow follow = store().follow(PROVIDER, 1, Duration.ofDays(1), Duration.ofDays(1)).getFirst();
    apply(
        Change.ofFollow(
            follow,
            OperationState.FAILED,
            Code.PROVIDER_FAILED,
            null,
            null,
            Duration.ZERO,
            Fixture.evidence(Code.PROVIDER_FAILED)));
    apply(Fixture.unknown(claims.get(1)));
    Look look =
        store().look(List.of(claims.get(1).key()), Set.of(), claimId(), Fixture.LEASE).getFirst();
    apply(Fixture.looked(look, OperationState.FAILED, Code.NO_WAY_TO_KNOW, null));
    assertThat(booked(PROVIDER)).isEqualTo(30);
  }

  @Test
  void aResendUnderAPromise_isNotStopped_andNotBookedAgain() {
    preparedAgain(7, Code.PROTECTED_RESEND);
    harness().letTimePass();
    assertThat(claim(refusing(1))).containsExactly(key(7));
    assertThat(booked(PROVIDER)).isZero();
  }

  @Test
  void claim_byManyAtOnce_neverSpendsMoreThanThereIs_andAllOfIt() {
    IntStream.range(0, 60).forEach(n -> insert(n, PRODUCER, 10L));
    Limits limits = limits(ofProvider(1000), ofProducer(395));
    Set<OperationKey> claimed = ConcurrentHashMap.newKeySet();
    Together.run(
        8,
        n -> {
          OperationStore store = n % 2 == 0 ? store() : harness().another();
          for (int i = 0; i < 10_000 && claimed.size() < 39; i++) {
            for (Claim claim : store.claimLimited(4, claimId(), "w" + n, TERMS, limits).claims()) {
              assertThat(claimed.add(claim.key())).isTrue();
            }
          }
        });
    assertThat(claimed).hasSize(39);
    assertThat(claim(limits.budgets().toArray(Budget[]::new))).isEmpty();
    assertThat(booked(PRODUCER)).isEqualTo(390);
    assertThat(booked(PROVIDER)).isEqualTo(390);
  }
}
