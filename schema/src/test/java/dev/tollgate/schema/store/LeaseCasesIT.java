package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Field cases about leases and what is picked up after them. */
final class LeaseCasesIT extends StoreContract {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static PostgresHarness harness;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(LeaseCasesIT.class));
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  @Override
  protected StoreHarness harness() {
    return harness;
  }

  @Test
  void fc11_theStoreTakesNoInstantOfAProcess() {
    Set<Type> clocks =
        Set.of(Instant.class, OffsetDateTime.class, Clock.class, InstantSource.class);
    for (Method method : OperationStore.class.getMethods()) {
      if (method.getName().equals("insertPossiblySent")) {
        continue; // the database's own word, or the log's: it tells from where a list is searched
      }
      assertThat(Arrays.asList(method.getGenericParameterTypes()))
          .as("%s", method)
          .doesNotContainAnyElementsOf(clocks);
    }
    for (Class<?> record : List.of(Terms.class, Change.class, Claim.class, Follow.class)) {
      assertThat(record.getRecordComponents())
          .as("%s", record)
          .noneMatch(component -> clocks.contains(component.getGenericType()));
    }
  }

  @Test
  void fc11_theSecondClaimer_getsNothingUntilTheLeaseEndsByTheDatabasesClock() {
    insertPrepared(1);
    Claim first = claimOne();
    OperationStore second = harness.another();
    harness.sql().execute("UPDATE operation SET lease_until = now() + interval '1 s'");
    assertThat(second.claim(10, claimId(), "w2", TERMS)).isEmpty();
    assertThat(second.sweep(10, Duration.ZERO).lost()).isEmpty();
    harness.letTimePass();
    assertThat(second.claim(10, claimId(), "w2", TERMS)).isEmpty();
    assertThat(second.sweep(10, Duration.ZERO).lost()).containsExactly(first.key());
  }

  /**
   * FC-17: a render that lasts ten leases. Whoever follows it holds none, so there is none to be
   * renewed or to run out; two may ask at once, and nobody sends again.
   */
  @Test
  void fc17_followingForTenLeases_needsNone_andNobodySendsAgain() {
    insertPrepared(1);
    Claim sent = claimOne();
    store().apply(List.of(Fixture.accepted(sent, "job-1")));
    OperationStore second = harness.another();
    Follow last = null;
    for (int lease = 0; lease < 10; lease++) {
      harness.letTimePass();
      assertThat(second.sweep(10, Duration.ZERO).lost()).isEmpty();
      assertThat(second.claim(10, claimId(), "w2", TERMS)).isEmpty();
      List<Follow> asked = (lease % 2 == 0 ? store() : second).follow(PROVIDER, 10, SECOND, SECOND);
      assertThat(asked).hasSize(1);
      last = asked.getFirst();
      assertThat(harness.get(sent.key()).leased()).isFalse();
      assertThat(last.fence()).as("one claim, one send").isEqualTo(sent.fence());
    }
    Change complete = Fixture.complete(Objects.requireNonNull(last), Fixture.output(1));
    assertThat(store().apply(List.of(complete))).hasSize(1);
    assertThat(harness.get(sent.key()).state()).isEqualTo(OperationState.COMPLETE);
    assertThat(harness.get(sent.key()).attempts()).isEqualTo(1);
  }

  @Test
  void fc13_anOutcomeAfterTheSweep_isKeptAsEvidenceAndWinsByReconciliation() {
    Claim slow = sending(1);
    harness.letTimePass();
    assertThat(store().sweep(10, LEASE).lost()).containsExactly(key(1));
    Change late = Fixture.accepted(slow, "job-1");
    applyInVain(late);
    assertThat(get(1).state()).isEqualTo(OperationState.UNKNOWN);
    assertThat(get(1).evidenceOf(Code.PROVIDER_ACCEPTED)).isEqualTo(1);
    assertThat(store().lookDue(PROVIDER, 10, claimId(), LEASE)).isEmpty();
    assertThat(store().lateEvidence(Map.of(key(1), "job-1"))).isEmpty();
    Look look = store().lookDue(PROVIDER, 10, claimId(), LEASE).getFirst();
    assertThat(store().remoteIdsSeen(List.of(key(1))).get(key(1))).containsExactly("job-1");
    apply(Fixture.found(look, "job-1"));
    assertThat(told(1)).doesNotContain("events failed").last().isEqualTo("events accepted");
  }

  /** The owner gets no processor for three leases, and then goes on as if nothing had been. */
  @Test
  void fc04_ownerIsStarvedForThreeLeases_anotherIsTheNewest_andItsWritesChangeNothing() {
    Claim starved = sending(1);
    for (int lease = 0; lease < 3; lease++) {
      harness.letTimePass();
      harness.another().sweep(10, Duration.ZERO);
    }
    Look look = harness.another().lookDue(PROVIDER, 10, claimId(), LEASE).getFirst();
    apply(Fixture.looked(look, OperationState.PREPARED, Code.ABSENT, null));
    harness.letTimePass();
    Claim newest = harness.another().claim(10, claimId(), "w2", TERMS).getFirst();
    assertThat(newest.fence()).isGreaterThan(starved.fence());
    applyInVain(Fixture.accepted(starved, "job-1"));
    applyInVain(Fixture.sent(starved, OperationState.PREPARED, Code.NOT_SENT, null));
    assertThat(get(1).state()).isEqualTo(OperationState.SENDING);
    apply(Fixture.accepted(newest, "job-2"));
    assertThat(get(1).attempts()).isEqualTo(2);
  }

  /** No claim outlives its release, whatever interrupts the thread between the two. */
  @Test
  void fc05_claimIsInterruptedAndReleased_thousandTimes_noLeaseIsLeftAlive() throws Exception {
    insertPrepared(500);
    for (int n = 0; n < 1000; n++) {
      Thread owner = Thread.ofVirtual().unstarted(LeaseCasesIT::claimAndRelease);
      owner.start();
      boolean over = owner.join(Duration.ofMillis(n % 6));
      owner.interrupt();
      assertThat(over || owner.join(Duration.ofSeconds(30))).isTrue();
    }
    for (int lease = 0; lease < 2; lease++) {
      harness.letTimePass();
      store().sweep(500, Duration.ofHours(1));
    }
    assertThat(harness.sql().fetch("SELECT op_key FROM operation WHERE lease_until IS NOT NULL"))
        .isEmpty();
    assertThat(harness.sql().fetch("SELECT op_key FROM operation WHERE state = 'sending'"))
        .isEmpty();
    assertThat(harness.sql().fetchCount(org.jooq.impl.DSL.table("attempts"))).isPositive();
  }

  private static void claimAndRelease() {
    try {
      List<Claim> claims = harness.another().claim(1, claimId(), OWNER, TERMS);
      harness
          .another()
          .apply(
              claims.stream()
                  .map(c -> Fixture.sent(c, OperationState.PREPARED, Code.NOT_SENT, null))
                  .toList());
    } catch (StoreUnavailable _) {
      // interrupted at the database: what it claimed is swept when its lease ends
    }
  }

  /** Somebody's next step, for every role; due times lie in the past. */
  private Set<OperationKey> selected() {
    Set<OperationKey> keys = new HashSet<>(store().sweep(100, LEASE).lost());
    store().claim(100, claimId(), OWNER, TERMS).forEach(c -> keys.add(c.key()));
    store().lookDue(PROVIDER, 100, claimId(), LEASE).forEach(l -> keys.add(l.key()));
    store().follow(PROVIDER, 100, SECOND, LEASE).forEach(f -> keys.add(f.key()));
    return keys;
  }

  @Test
  void fc14_everyOpenStateWithAnExpiredOrNoLease_isPickedUp_andALiveOneIsNot() {
    sending(1);
    insertPrepared(1);
    preparedAgain(2, Code.NOT_SENT);
    preparedAgain(3, Code.ABSENT);
    unknown(4);
    looking(5);
    accepted(6);
    harness.letTimePass();
    sending(11);
    looking(12);
    assertThat(selected())
        .containsExactlyInAnyOrder(key(0), key(1), key(2), key(3), key(4), key(5), key(6));
  }

  @Test
  void fc14_finishedOperationsAndThoseOfAPerson_arePickedUpByNobody() {
    apply(Fixture.sent(sending(1), OperationState.FAILED, Code.PROVIDER_REJECTED, null));
    apply(Fixture.complete(accepted(2), Fixture.output(2)));
    apply(
        Fixture.sent(
            sending(3), OperationState.UNKNOWN, Code.OUTCOME_UNKNOWN, Code.NO_WAY_TO_KNOW));
    harness.letTimePass();
    assertThat(selected()).isEmpty();
  }

  private record Partial(String state, boolean claim, boolean fence, boolean lease) {}

  private static List<Partial> partials(String state) {
    List<Partial> all = new ArrayList<>();
    for (int bits = 0; bits < 8; bits++) {
      all.add(new Partial(state, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0));
    }
    return all;
  }

  @Test
  void fc15_everyPartialRow_isRefusedByANamedConstraintOrPickedUp() {
    List<String> pickedUp = new ArrayList<>();
    for (String state : List.of("prepared", "sending", "unknown", "accepted")) {
      for (Partial partial : partials(state)) {
        String refusal = insertByHand(partial);
        if (refusal.equals("nobody")) {
          assertThat(selected()).as("%s is picked up", partial).containsExactly(key(1));
          pickedUp.add(partial.toString());
        } else {
          assertThat(refusal).as("%s", partial).startsWith("operation_");
        }
        harness.reset();
      }
    }
    assertThat(pickedUp)
        .containsExactlyInAnyOrder(
            new Partial("prepared", false, false, false).toString(),
            new Partial("prepared", true, true, false).toString(),
            new Partial("sending", true, true, true).toString(),
            new Partial("unknown", true, true, false).toString(),
            new Partial("unknown", true, true, true).toString(),
            new Partial("accepted", true, true, false).toString());
  }

  /** The row as a crash or a hand could leave it; what depends on it is as it should be. */
  private String insertByHand(Partial partial) {
    UUID claim = claimId();
    NewIntent intent = partial.fence() ? Fixture.sendNow(1) : Fixture.intent(1);
    store().insert(List.of(intent), claim, OWNER, ALL_TERMS);
    harness.sql().execute("TRUNCATE operation");
    harness.sql().execute("DELETE FROM wake");
    harness.sql().execute("DELETE FROM lease");
    harness
        .sql()
        .execute(
            """
            INSERT INTO wake (seq, op_key, at, role, provider)
            SELECT source_offset, op_key, now() - interval '1 s',
                   CASE ? WHEN 'prepared' THEN 'claim' WHEN 'unknown' THEN 'look' ELSE 'follow' END::wake_role, provider
            FROM intent WHERE ? <> 'sending'
            """,
            partial.state(),
            partial.state());
    harness
        .sql()
        .execute(
            """
            INSERT INTO lease (claim, provider, until, open, seqs, op_keys)
            SELECT ?, provider, now() - interval '1 s', 1, ARRAY[source_offset], ARRAY[op_key] FROM intent WHERE ? = 'sending'
            """,
            claim,
            partial.state());
    return TransitionTableIT.refusal(
        harness.sql(),
        """
        INSERT INTO operation (seq, op_key, claim, lease_until, changed_at, fence, version, attempts, looks, state, reason, remote_id)
        SELECT source_offset, op_key, %s, %s, now(), %s, 1, %s, 0, '%s', 'NOT_SENT', %s FROM intent
        """
            .formatted(
                partial.claim() ? "'" + claim + "'" : "NULL",
                partial.lease() ? "now() - interval '1 s'" : "NULL",
                partial.fence() ? "1" : "0",
                partial.fence() ? "1" : "0",
                partial.state(),
                partial.state().equals("accepted") ? "'job-1'" : "NULL"));
  }
}
