package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.OTHER_TERMS;
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
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Claiming where the fleet has limits. */
public abstract class LimitContract extends StoreContract {
  /** So slow that no token comes while a test runs. */
  private static final long PER_MINUTE = 1;

  /** More than anybody needs who claims beside others, so that what is wrong ends too. */
  private static final int ROUNDS = 10_000;

  /** Makes it as if the bucket had been filled up so much longer ago; negative: later. */
  protected abstract void fillEarlier(Duration by);

  private static Limits rate(int burst) {
    return new Limits(OptionalLong.of(PER_MINUTE), burst, OptionalInt.empty(), List.of());
  }

  private static Limits tasks(int most) {
    return new Limits(OptionalLong.empty(), 1, OptionalInt.of(most), List.of());
  }

  private List<Claim> claim(int limit, Limits limits) {
    return store().claimLimited(limit, claimId(), OWNER, TERMS, limits).claims();
  }

  @Test
  void claim_isAsAnyClaim() {
    insertPrepared(3);
    Grant grant = store().claimLimited(10, claimId(), OWNER, TERMS, rate(10));
    assertThat(grant.drained()).isTrue();
    assertThat(grant.claims()).hasSize(3);
    for (Claim claim : grant.claims()) {
      assertThat(claim.fence()).isEqualTo(1);
      assertThat(claim.params()).isNotEmpty();
      apply(Fixture.accepted(claim, "job-" + claim.key()));
    }
    assertThat(harness().leases()).isZero();
  }

  @Test
  void rate_aBucketBeginsFull_andGivesNoMoreThanItHolds() {
    insertPrepared(10);
    assertThat(claim(3, rate(5))).hasSize(3);
    Grant rest = store().claimLimited(10, claimId(), OWNER, TERMS, rate(5));
    assertThat(rest.claims()).hasSize(2);
    assertThat(rest.drained()).as("five still wait").isFalse();
    assertThat(claim(10, rate(5))).isEmpty();
  }

  @Test
  void rate_tokensComeWithTime_upToTheBurst() {
    insertPrepared(20);
    assertThat(claim(10, rate(5))).hasSize(5);
    fillEarlier(Duration.ofSeconds(119));
    assertThat(claim(10, rate(5))).as("one a minute").hasSize(1);
    fillEarlier(Duration.ofSeconds(30));
    assertThat(claim(10, rate(5))).as("what was left of the second minute counts").hasSize(1);
    fillEarlier(Duration.ofDays(400));
    assertThat(claim(10, rate(5))).hasSize(5);
  }

  @Test
  void rate_aClockThatStepsBack_givesNothing_andGoesOnFromThere() {
    insertPrepared(20);
    assertThat(claim(2, rate(5))).hasSize(2);
    fillEarlier(Duration.ofHours(-1));
    assertThat(claim(1, rate(5))).as("of the three that are left").hasSize(1);
    fillEarlier(Duration.ofSeconds(61));
    assertThat(claim(10, rate(5))).as("two left, one for a minute").hasSize(3);
    fillEarlier(Duration.ofHours(-1));
    assertThat(claim(10, rate(5))).isEmpty();
  }

  @Test
  void rate_ofOneProvider_isNotAnothers() {
    insertPrepared(2);
    insertForOtherProvider(9);
    assertThat(claim(10, rate(1))).hasSize(1);
    assertThat(store().claimLimited(10, claimId(), OWNER, OTHER_TERMS, rate(1)).claims())
        .hasSize(1);
  }

  @Test
  void tasks_whatIsSendingAcceptedOrUnknown_countsUntilItIsFinal() {
    insertPrepared(10);
    List<Claim> sending = claim(10, tasks(3));
    assertThat(sending).hasSize(3);
    assertThat(claim(10, tasks(3))).as("sending").isEmpty();
    apply(Fixture.accepted(sending.get(0), "job-0"));
    apply(Fixture.unknown(sending.get(1)));
    assertThat(claim(10, tasks(3))).as("one each").isEmpty();
    apply(Fixture.sent(sending.get(2), OperationState.FAILED, Code.PROVIDER_REJECTED, null));
    assertThat(claim(10, tasks(3))).as("a rejected one is no task").hasSize(1);
    harness().letTimePass();
    Follow done = store().follow(PROVIDER, 1, Duration.ofDays(1), Duration.ofDays(1)).getFirst();
    apply(Fixture.complete(done, Fixture.output(1)));
    assertThat(claim(10, tasks(3))).as("a complete one is over").hasSize(1);
    assertThat(claim(10, tasks(4))).hasSize(1);
  }

  @Test
  void tasks_whatWasLostInSending_countsOnce_whenItsLeaseIsOver() {
    insertPrepared(4);
    assertThat(claim(2, tasks(3))).hasSize(2);
    harness().letTimePass();
    while (!store().sweep(10, Duration.ofHours(1)).lost().isEmpty()) {
      // until nothing is left of the lease
    }
    assertThat(claim(10, tasks(3))).hasSize(1);
  }

  @Test
  void tasks_aResendUnderAPromise_countsWhileItWaits_andNeedsNoRoomOfItsOwn() {
    preparedAgain(7, Code.PROTECTED_RESEND);
    insertPrepared(3);
    harness().letTimePass();
    assertThat(claim(10, tasks(1))).extracting(Claim::key).containsExactly(key(7));
    assertThat(claim(10, tasks(1))).isEmpty();
    assertThat(claim(10, tasks(2))).hasSize(1);
  }

  @Test
  void tasks_whatWaitsForAPerson_countsIfATaskMayExist() {
    apply(Fixture.sent(sending(7), OperationState.PREPARED, Code.NOT_SENT, Code.ATTEMPT_LIMIT));
    apply(Fixture.looked(looking(8), OperationState.UNKNOWN, Code.AMBIGUOUS, Code.AMBIGUOUS));
    insertPrepared(3);
    assertThat(claim(10, tasks(2))).hasSize(1);
  }

  @Test
  void tasks_whoseOutputAloneIsMissing_isOverOnceAPersonWaitsForIt() {
    insertPrepared(2);
    apply(Fixture.accepted(claim(1, tasks(1)).getFirst(), "job-0"));
    harness().letTimePass();
    Follow gone = store().follow(PROVIDER, 1, Duration.ofDays(1), Duration.ofDays(1)).getFirst();
    apply(Fixture.troubled(gone, Code.OUTPUT_GONE, null));
    assertThat(claim(1, tasks(1))).as("its address may be another at the next question").isEmpty();
    apply(Fixture.troubled(gone, Code.OUTPUT_GONE, Code.OUTPUT_GONE));
    assertThat(claim(1, tasks(1))).hasSize(1);
  }

  @Test
  void tasks_provedAbsent_isOver() {
    preparedAgain(7, Code.ABSENT);
    insertPrepared(2);
    assertThat(claim(10, tasks(1))).hasSize(1);
  }

  @Test
  void claim_byManyAtOnce_givesExactlyTheRate_andLosesNothing() {
    insertPrepared(60);
    Limits limits = rate(40);
    Set<OperationKey> claimed = race(limits, 40);
    assertThat(claimed).hasSize(40);
    assertThat(claim(100, limits)).isEmpty();
  }

  @Test
  void claim_byManyAtOnce_neverHasMoreTasksThanMayBe() {
    insertPrepared(60);
    Limits limits = tasks(7);
    Set<OperationKey> claimed = race(limits, 7);
    assertThat(claimed).hasSize(7);
    assertThat(claim(100, limits)).isEmpty();
  }

  @Test
  void claim_byManyAtOnce_whileTasksEnd_neverHasMoreThanMayBe_andGetsThroughAll() {
    insertPrepared(60);
    Limits limits = tasks(5);
    Set<OperationKey> ended = ConcurrentHashMap.newKeySet();
    Set<String> tooMany = ConcurrentHashMap.newKeySet();
    Together.run(
        8,
        n -> {
          for (int i = 0; i < ROUNDS && ended.size() < 60; i++) {
            OperationStore store = n % 2 == 0 ? store() : harness().another();
            List<Claim> claims = store.claimLimited(3, claimId(), OWNER, TERMS, limits).claims();
            int sending = harness().count(OperationState.SENDING);
            if (sending > 5) {
              tooMany.add(sending + " at once");
            }
            for (Claim claim : claims) {
              assertThat(ended.add(claim.key())).isTrue();
              store.apply(
                  List.of(
                      Fixture.sent(claim, OperationState.FAILED, Code.PROVIDER_REJECTED, null)));
            }
          }
        });
    assertThat(tooMany).isEmpty();
    assertThat(ended).hasSize(60);
  }

  /** Eight claim until so many are claimed; returns all that they got. */
  private Set<OperationKey> race(Limits limits, int enough) {
    Set<OperationKey> all = ConcurrentHashMap.newKeySet();
    List<OperationKey> twice = new ArrayList<>();
    Together.run(
        8,
        n -> {
          OperationStore store = n % 2 == 0 ? store() : harness().another();
          for (int i = 0; i < ROUNDS && all.size() < enough; i++) {
            for (Claim claim : store.claimLimited(3, claimId(), "w" + n, TERMS, limits).claims()) {
              if (!all.add(claim.key())) {
                synchronized (twice) {
                  twice.add(claim.key());
                }
              }
            }
          }
        });
    assertThat(twice).isEmpty();
    return all;
  }
}
