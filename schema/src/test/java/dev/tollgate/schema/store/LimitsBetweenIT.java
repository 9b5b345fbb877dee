package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.OTHER_TERMS;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.config.BudgetConfig.Per;
import dev.tollgate.schema.config.BudgetConfig.Scope;
import dev.tollgate.schema.state.OperationState;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A claim under limits is held up after it saw what is in flight and before it locks the allowance:
 * it runs as a role whose every look at the allowance waits at a gate. Others do not meet the gate.
 */
final class LimitsBetweenIT extends StoreContract {
  private static final String ROLE = "held_up_at_the_allowance";
  private static PostgresHarness harness;
  private static Gate gate;
  private static Database heldUp;

  @BeforeAll
  static void open() {
    DatabaseSettings settings = TestDatabase.migrated(LimitsBetweenIT.class);
    harness = new PostgresHarness(settings);
    DSLContext sql = harness.sql();
    if (sql.fetch("SELECT FROM pg_roles WHERE rolname = ?", ROLE).isEmpty()) {
      sql.execute("CREATE ROLE " + ROLE + " LOGIN PASSWORD 'gate'");
    }
    sql.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO " + ROLE);
    gate = Gate.create(sql, "boolean", "true");
    sql.execute("ALTER TABLE allowance ENABLE ROW LEVEL SECURITY");
    sql.execute("CREATE POLICY gate ON allowance TO " + ROLE + " USING (wait_at_the_gate())");
    heldUp = new Database(new DatabaseSettings(settings.url(), ROLE, "gate"), "held-up", 1, null);
  }

  @AfterAll
  static void close() {
    heldUp.close();
    harness.sql().execute("DROP OWNED BY " + ROLE);
    harness.sql().execute("DROP ROLE " + ROLE);
    harness.close();
  }

  @Override
  protected StoreHarness harness() {
    return harness;
  }

  @Test
  void claim_whereAnotherWasGrantedSinceItBegan_grantsNothing() {
    insertPrepared(4);
    Limits two = new Limits(OptionalLong.empty(), 1, OptionalInt.of(2), List.of());
    assertThat(store().claimLimited(1, claimId(), OWNER, TERMS, two).claims()).hasSize(1);
    OperationStore slow = new PostgresOperationStore(heldUp.dsl());
    Grant grant =
        gate.holdUp(
            () -> slow.claimLimited(2, claimId(), OWNER, TERMS, two),
            () -> {
              // else both would come to the same one, which the fence alone would notice
              harness.sql().execute("UPDATE wake SET at = at - interval '1 h' WHERE seq = 3");
              assertThat(store().claimLimited(2, claimId(), OWNER, TERMS, two).claims())
                  .extracting(Claim::key)
                  .containsExactly(key(3));
            });
    assertThat(grant.claims()).isEmpty();
    assertThat(grant.drained()).as("more waits").isFalse();
    assertThat(harness.count(OperationState.SENDING)).isEqualTo(2);
  }

  @Test
  void claim_whereNothingWasGrantedSinceItBegan_grants() {
    insertPrepared(4);
    Limits two = new Limits(OptionalLong.empty(), 1, OptionalInt.of(2), List.of());
    assertThat(store().claimLimited(1, claimId(), OWNER, TERMS, two).claims()).hasSize(1);
    OperationStore slow = new PostgresOperationStore(heldUp.dsl());
    Grant grant = gate.holdUp(() -> slow.claimLimited(2, claimId(), OWNER, TERMS, two), () -> {});
    assertThat(grant.claims()).hasSize(1);
  }

  @Test
  void claim_whereABudgetWasSpentSinceItBegan_grantsNothing() {
    Budget budget = new Budget(Scope.PRODUCER, Fixture.PRODUCER, Per.DAY, 2 * Fixture.PRICE, false);
    Limits limits = new Limits(OptionalLong.empty(), 1, OptionalInt.empty(), List.of(budget));
    // makes the rows that are locked
    store().insert(List.of(Fixture.intent(9)), claimId(), OWNER, Fixture.ALL_TERMS);
    assertThat(store().claimLimited(1, claimId(), OWNER, TERMS, limits).claims()).hasSize(1);
    insertPrepared(4); // of which 1 and 2 are the producer's
    insertForOtherProvider(5); // and so is this one
    OperationStore slow = new PostgresOperationStore(heldUp.dsl());
    Grant grant =
        gate.holdUp(
            () -> slow.claimLimited(10, claimId(), OWNER, TERMS, limits),
            () ->
                assertThat(store().claimLimited(10, claimId(), OWNER, OTHER_TERMS, limits).claims())
                    .hasSize(1));
    assertThat(grant.claims()).isEmpty();
    assertThat(store().claimLimited(10, claimId(), OWNER, TERMS, limits).claims())
        .extracting(Claim::key)
        .as("one of the producer's, and those that are nobody's")
        .containsExactlyInAnyOrder(key(0), key(1), key(3));
  }
}
