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
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A statement sees everything as it was when it began, and locks rows as they are now. In each case
 * it is held up at operation 0 while operation 1 is claimed and given back: that looks as before,
 * but has another wake row.
 */
final class BetweenIT extends StoreContract {
  private static PostgresHarness harness;
  private static Gate gate;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(BetweenIT.class));
    gate = Gate.create(harness.sql(), "trigger", "NEW");
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  @AfterEach
  void openTheGate() {
    harness.sql().execute("DROP TRIGGER IF EXISTS gate ON operation");
  }

  @Override
  protected StoreHarness harness() {
    return harness;
  }

  /** Runs a statement that waits when it changes operation 0, and something else meanwhile. */
  private static <T> T heldUpAtTheFirst(Supplier<T> statement, Runnable meanwhile) {
    return heldUpAt(0, statement, meanwhile);
  }

  private static <T> T heldUpAt(int n, Supplier<T> statement, Runnable meanwhile) {
    harness
        .sql()
        .execute(
            """
            CREATE TRIGGER gate BEFORE UPDATE ON operation FOR EACH ROW
            WHEN (OLD.op_key = decode('%s', 'hex')) EXECUTE FUNCTION wait_at_the_gate()
            """
                .formatted(HexFormat.of().formatHex(key(n).bytes())));
    return gate.holdUp(statement, meanwhile);
  }

  /** Makes operation 0 the one that statements come to first. */
  private static void firstIsDueFirst() {
    harness
        .sql()
        .execute(
            "UPDATE wake SET at = at - interval '10 s', deadline = deadline - interval '10 s' WHERE op_key = ?",
            (Object) key(0).bytes());
  }

  private void claimAndGiveBackTheSecond() {
    Claim taken = harness.another().claim(1, claimId(), "another", TERMS).getFirst();
    assertThat(taken.key()).isEqualTo(key(1));
    apply(Fixture.sent(taken, OperationState.PREPARED, Code.NOT_SENT, null));
  }

  @Test
  void claim_leavesAloneWhatWasGivenBackSinceItBegan() {
    insertPrepared(2);
    firstIsDueFirst();
    List<Claim> claims =
        heldUpAtTheFirst(
            () -> store().claim(2, claimId(), OWNER, TERMS), this::claimAndGiveBackTheSecond);
    assertThat(claims).extracting(Claim::key).containsExactly(key(0));
    assertThat(harness.broken()).isEmpty();
  }

  @Test
  void expire_leavesAloneWhatWasGivenBackSinceItBegan() {
    Instant soon = Instant.parse("2001-02-03T04:05:06Z");
    store()
        .insert(
            List.of(
                Fixture.intent(0, PROVIDER, "params", false, soon),
                Fixture.intent(1, PROVIDER, "params", false, soon)),
            claimId(),
            OWNER,
            ALL_TERMS);
    firstIsDueFirst();
    List<OperationKey> expired =
        heldUpAtTheFirst(
            () -> store().expire(2),
            () -> {
              harness
                  .sql()
                  .execute(
                      "UPDATE wake SET deadline = NULL WHERE op_key = ?", (Object) key(1).bytes());
              claimAndGiveBackTheSecond();
            });
    assertThat(expired).containsExactly(key(0));
    assertThat(harness.broken()).isEmpty();
    assertThat(store().expire(2)).containsExactly(key(1));
  }

  @Test
  void look_leavesAloneWhatWasSentAgainSinceItBegan() {
    unknown(0);
    unknown(1);
    harness.letTimePass();
    firstIsDueFirst();
    List<Look> looks =
        heldUpAtTheFirst(
            () -> store().lookDue(PROVIDER, 2, claimId(), LEASE),
            () -> {
              apply(Fixture.looked(look(1), OperationState.PREPARED, Code.ABSENT, null));
              harness.letTimePass();
              apply(Fixture.unknown(claimOne()));
            });
    assertThat(looks).extracting(Look::key).containsExactly(key(0));
    assertThat(harness.broken()).isEmpty();
  }

  @Test
  void lateEvidence_holdsBackWhatWasGivenBackSinceItBegan() {
    preparedAgain(0, Code.NOT_SENT);
    preparedAgain(1, Code.NOT_SENT);
    harness.letTimePass();
    // the statement goes by keys
    int first = key(0).compareTo(key(1)) < 0 ? 0 : 1;
    OperationKey second = key(1 - first);
    Set<OperationKey> suspected =
        heldUpAt(
            first,
            () -> store().lateEvidence(Map.of(key(0), "job-0", key(1), "job-1")),
            () -> {
              Claim taken = harness.another().claim(2, claimId(), "another", TERMS).getFirst();
              assertThat(taken.key()).isEqualTo(second);
              apply(Fixture.sent(taken, OperationState.PREPARED, Code.NOT_SENT, null));
            });
    assertThat(suspected).containsExactlyInAnyOrder(key(0), key(1));
    assertThat(get(1 - first).review()).isEqualTo(Code.SUSPECTED_DUPLICATE);
    assertThat(harness.broken()).isEmpty();
  }

  /** By hand, or by a fault that nobody has found yet. */
  private static void strayWakeRow(int n) {
    harness
        .sql()
        .execute(
            """
            INSERT INTO wake (seq, op_key, at, role, provider)
            SELECT source_offset, op_key, now(), 'claim', provider FROM intent WHERE op_key = ?
            """,
            (Object) key(n).bytes());
  }

  @Test
  void outcome_isStoredWhereAStrayWakeRowStands() {
    Claim claim = sending(1);
    strayWakeRow(1);
    apply(Fixture.accepted(claim, "job-1"));
    assertThat(harness.broken()).isEmpty();
  }

  @Test
  void sweep_goesOnWhereAStrayWakeRowStands() {
    sending(1);
    sending(2);
    strayWakeRow(1);
    harness.letTimePass();
    assertThat(store().sweep(10, LEASE).lost()).containsExactlyInAnyOrder(key(1), key(2));
    assertThat(harness.broken()).isEmpty();
  }
}
