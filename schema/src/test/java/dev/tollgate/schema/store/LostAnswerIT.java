package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.embedded.PostgresServer;
import dev.tollgate.embedded.SharedServices;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.PgProxy.Fault;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A connection cut before a statement reaches the server (FC-18), or after it committed and before
 * its answer arrives (FC-19), at each statement that gives or uses a right to send.
 */
final class LostAnswerIT {
  private static final String INTAKE = "INSERT INTO intent";
  private static final String CLAIM = "SET state = 'sending'";
  private static final String APPLY = "INSERT INTO remote_task";

  private static PostgresHarness direct;
  private static PgProxy proxy;
  private static Database database;
  private static OperationStore store;

  @BeforeAll
  static void open() throws IOException {
    PostgresServer server = SharedServices.postgres();
    DatabaseSettings settings = TestDatabase.migrated(LostAnswerIT.class);
    direct = new PostgresHarness(settings);
    proxy = new PgProxy(server.host(), server.port());
    database = new Database(proxy.through(settings), "through-proxy", 1, null);
    store = new PostgresOperationStore(database.dsl());
  }

  @AfterAll
  static void close() {
    database.close();
    proxy.close();
    direct.close();
  }

  @BeforeEach
  void forget() {
    direct.reset();
  }

  @AfterEach
  void nothingIsForgotten() {
    assertThat(direct.broken()).isEmpty();
  }

  private static void cut(Fault fault, String sqlPart, Runnable statement) {
    int before = proxy.fired();
    proxy.arm(fault, sqlPart);
    assertThatThrownBy(statement::run)
        .isInstanceOfSatisfying(
            StoreUnavailable.class, e -> assertThat(e.sqlState()).startsWith("08"));
    assertThat(proxy.fired()).isEqualTo(before + 1);
  }

  @Test
  void fc18_p6_cutBeforeIntakeReachesTheServer_nothingIsStoredAndARepeatStoresIt() {
    UUID claim = claimId();
    List<NewIntent> batch = List.of(Fixture.sendNow(1), Fixture.intent(2));
    cut(Fault.BEFORE_STATEMENT, INTAKE, () -> store.insert(batch, claim, OWNER, ALL_TERMS));
    assertThat(store.find(List.of(key(1), key(2)))).isEmpty();
    assertThat(store.claimed(PROVIDER, claim)).isEmpty();
    assertThat(store.insert(batch, claim, OWNER, ALL_TERMS)).hasSize(2);
    assertThat(direct.get(key(1)).attemptRows()).hasSize(1);
  }

  @Test
  void fc19_p6_intakeCommittedButItsAnswerIsLost_isFoundByItsClaim() {
    UUID claim = claimId();
    List<NewIntent> batch = List.of(Fixture.sendNow(1), Fixture.intent(2));
    cut(Fault.AFTER_COMMIT, INTAKE, () -> store.insert(batch, claim, OWNER, ALL_TERMS));
    assertThat(store.find(List.of(key(1), key(2)))).hasSize(2);
    assertThat(store.insert(batch, claim, OWNER, ALL_TERMS)).isEmpty();
    Claim held = store.claimed(PROVIDER, claim).getFirst();
    assertThat(held.key()).isEqualTo(key(1));
    assertThat(direct.get(key(1)).attemptRows())
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.claim()).isEqualTo(claim));
  }

  @Test
  void fc18_p10_cutBeforeTheClaimReachesTheServer_noAttemptExistsAndARepeatClaims() {
    store.insert(List.of(Fixture.intent(1)), claimId(), OWNER, ALL_TERMS);
    UUID claim = claimId();
    cut(Fault.BEFORE_STATEMENT, CLAIM, () -> store.claim(5, claim, OWNER, TERMS));
    assertThat(store.claimed(PROVIDER, claim)).isEmpty();
    assertThat(direct.get(key(1)).state()).isEqualTo(OperationState.PREPARED);
    assertThat(store.claim(5, claim, OWNER, TERMS)).hasSize(1);
    assertThat(direct.get(key(1)).attemptRows()).hasSize(1);
  }

  @Test
  void fc19_p10_claimCommittedButItsAnswerIsLost_goesOnWithTheSameAttempt() {
    store.insert(List.of(Fixture.intent(1)), claimId(), OWNER, ALL_TERMS);
    UUID claim = claimId();
    cut(Fault.AFTER_COMMIT, CLAIM, () -> store.claim(5, claim, OWNER, TERMS));
    Claim held = store.claimed(PROVIDER, claim).getFirst();
    assertThat(held.fence()).isEqualTo(1);
    assertThat(store.claim(5, claim, OWNER, TERMS)).isEmpty();
    assertThat(direct.get(key(1)).attemptRows()).hasSize(1);
    assertThat(store.apply(List.of(Fixture.accepted(held, "job-1")))).hasSize(1);
  }

  @Test
  void fc18_p20_cutBeforeTheOutcomeReachesTheServer_isNotInEffectAndARepeatApplies() {
    Change accepted = Fixture.accepted(sending(), "job-1");
    cut(Fault.BEFORE_STATEMENT, APPLY, () -> store.apply(List.of(accepted)));
    assertThat(store.effective(List.of(accepted))).isEmpty();
    assertThat(direct.get(key(1)).evidence()).isEmpty();
    assertThat(store.apply(List.of(accepted))).hasSize(1);
    assertThat(direct.get(key(1)).evidence()).hasSize(1);
  }

  @Test
  void fc19_p20_outcomeCommittedButItsAnswerIsLost_isInEffectAndARepeatAddsNothing() {
    Change accepted = Fixture.accepted(sending(), "job-1");
    cut(Fault.AFTER_COMMIT, APPLY, () -> store.apply(List.of(accepted)));
    assertThat(store.effective(List.of(accepted))).containsExactly(key(1));
    assertThat(store.apply(List.of(accepted))).isEmpty();
    StoredOperation stored = direct.get(key(1));
    assertThat(stored.state()).isEqualTo(OperationState.ACCEPTED);
    assertThat(stored.evidenceOf(Code.PROVIDER_ACCEPTED)).isEqualTo(1);
    assertThat(stored.attemptRows()).hasSize(1);
    assertThat(store.outbox(10)).hasSize(1);
  }

  private static Claim sending() {
    UUID claim = claimId();
    store.insert(List.of(Fixture.sendNow(1)), claim, OWNER, ALL_TERMS);
    return store.claimed(PROVIDER, claim).getFirst();
  }

  @Test
  void noServerAtAll_isUnavailable() throws IOException {
    try (PgProxy dead = new PgProxy("127.0.0.1", 1);
        Database nowhere =
            new Database(
                dead.through(TestDatabase.migrated(LostAnswerIT.class)), "nowhere", 1, null)) {
      OperationStore lost = new PostgresOperationStore(nowhere.dsl());
      assertThatThrownBy(() -> lost.find(List.of(key(1)))).isInstanceOf(StoreUnavailable.class);
    }
  }
}
