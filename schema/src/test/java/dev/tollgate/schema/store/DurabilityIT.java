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
import dev.tollgate.embedded.Services;
import dev.tollgate.embedded.ServicesOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Rule 14, on a server of its own: it runs with fsync off, and is told to wait for a standby that
 * does not exist.
 */
final class DurabilityIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static Services services;
  private static Database admin;
  private static Database database;
  private static OperationStore store;

  @BeforeAll
  static void open() {
    services =
        Services.embedded(ServicesOptions.temporary().withPostgresSettings(Map.of("fsync", "off")));
    PostgresServer server = services.postgres();
    DatabaseSettings settings =
        new DatabaseSettings(server.createDatabase("durability"), server.user(), server.password());
    Database.migrate(settings);
    admin = new Database(settings, "durability-admin", 1, null);
    database = new Database(settings, "durability", 3, null);
    store = new PostgresOperationStore(database.dsl());
  }

  @AfterAll
  static void close() {
    database.close();
    admin.close();
    services.close();
  }

  private static DSLContext sql() {
    return admin.dsl();
  }

  @BeforeEach
  void forget() {
    sql().execute("TRUNCATE " + PostgresHarness.TABLES);
  }

  @AfterEach
  void noStandby() {
    standbys("");
  }

  /** Takes hold of every session before this returns. */
  private static void standbys(String names) {
    sql().execute("SET synchronous_commit = local");
    sql().execute("ALTER SYSTEM SET synchronous_standby_names = '" + names + "'");
    sql().fetch("SELECT pg_reload_conf()");
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                names.equals(
                    sql()
                        .fetchSingle("SELECT current_setting('synchronous_standby_names')")
                        .get(0, String.class)));
    if (!names.isEmpty()) {
      // whether commits wait is said by the checkpointer, which hears of the setting in its own
      // time
      Awaitility.await().atMost(PATIENCE).until(DurabilityIT::commitsWait);
    }
  }

  /** Whether a commit, tried now, waits for the standby. Its wait is cancelled. */
  private static boolean commitsWait() {
    var probe = begin(() -> store.duty("probe", UUID.randomUUID(), Duration.ofMillis(1)));
    boolean waits = false;
    long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    while (!probe.isDone() && System.nanoTime() - until < 0) {
      // one question: a wait that begins between seeing and cancelling would be cancelled unseen
      waits |= cancelTheWait();
    }
    return waits;
  }

  private static <T> CompletableFuture<T> begin(Supplier<T> statement) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                result.complete(statement.get());
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private static <T> CompletableFuture<T> waitingForTheStandby(Supplier<T> statement) {
    CompletableFuture<T> result = begin(statement);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              assertThat(result).as("it must wait, not end").isNotDone();
              return waiting() == 1;
            });
    return result;
  }

  private static int waiting() {
    return sql()
        .fetchSingle(
            "SELECT count(*)::int FROM pg_stat_activity"
                + " WHERE application_name = 'durability' AND wait_event = 'SyncRep'")
        .get(0, Integer.class);
  }

  /** Whether there was one. */
  private static boolean cancelTheWait() {
    return sql()
        .fetch(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                + " WHERE application_name = 'durability' AND wait_event = 'SyncRep'")
        .isNotEmpty();
  }

  @Test
  void fc21_intakeWhoseWaitForTheStandbyWasCancelled_mayNotBeSent() {
    standbys("*");
    UUID claim = claimId();
    List<NewIntent> batch = List.of(Fixture.sendNow(1));
    var insert = waitingForTheStandby(() -> store.insert(batch, claim, OWNER, ALL_TERMS));
    cancelTheWait();
    assertThatThrownBy(insert::join).hasCauseInstanceOf(CommitNotReplicated.class);
    // it is committed here, and the re-read does not say so before the standby has it
    assertThat(sql().fetchCount(org.jooq.impl.DSL.table("attempts"))).isEqualTo(1);
    var repeat = waitingForTheStandby(() -> store.insert(batch, claim, OWNER, ALL_TERMS));
    cancelTheWait();
    assertThatThrownBy(repeat::join).hasCauseInstanceOf(CommitNotReplicated.class);
    var reread = waitingForTheStandby(() -> store.claimed(PROVIDER, claim));
    standbys("");
    assertThat(reread.join()).extracting(Claim::key).containsExactly(key(1));
  }

  @Test
  void fc21_claimWhoseWaitForTheStandbyWasCancelled_mayNotBeSent() {
    store.insert(List.of(Fixture.intent(1)), claimId(), OWNER, ALL_TERMS);
    standbys("*");
    UUID claim = claimId();
    var claiming = waitingForTheStandby(() -> store.claim(5, claim, OWNER, TERMS));
    cancelTheWait();
    assertThatThrownBy(claiming::join).hasCauseInstanceOf(CommitNotReplicated.class);
    var reread = waitingForTheStandby(() -> store.claimed(PROVIDER, claim));
    standbys("");
    assertThat(reread.join()).hasSize(1);
    assertThat(sql().fetchCount(org.jooq.impl.DSL.table("attempts"))).isEqualTo(1);
  }

  @Test
  void rule14_aServerThatLosesCommits_isRefusedWithOneMessage() {
    assertThatThrownBy(admin::requireDurable)
        .isInstanceOf(UnsafeDatabase.class)
        .hasMessageContaining("fsync is off")
        .hasMessageNotContaining("synchronous_commit is");
    PostgresServer server = services.postgres();
    sql().execute("ALTER DATABASE durability SET synchronous_commit = off");
    try (Database unsafe =
        new Database(
            new DatabaseSettings(server.jdbcUrl("durability"), server.user(), server.password()),
            "unsafe",
            1,
            null)) {
      assertThatThrownBy(unsafe::requireDurable)
          .isInstanceOf(UnsafeDatabase.class)
          .hasMessageContaining("fsync is off; synchronous_commit is off; ");
      // who goes on all the same, since it was set after the start, loses nothing
      assertThat(unsafe.dsl().fetchValue("SELECT current_setting('synchronous_commit')"))
          .isEqualTo("on");
    } finally {
      sql().execute("ALTER DATABASE durability RESET synchronous_commit");
    }
  }

  /** A pooler in transaction mode drops them too: it can keep no options of a session. */
  @Test
  void fc94_aSessionWhoseOptionsDoNotArrive_isRefused() {
    DatabaseSettings plain = TestDatabase.migrated(DurabilityIT.class);
    DatabaseSettings other =
        new DatabaseSettings(plain.url() + "?options=-c%20jit=on", plain.user(), plain.password());
    try (Database unsafe = new Database(other, "unsafe", 1, null)) {
      assertThatThrownBy(unsafe::requireDurable)
          .isInstanceOf(UnsafeDatabase.class)
          .hasMessageContaining("options of a session do not arrive");
    }
  }

  @Test
  void rule14_aServerThatKeepsCommits_isTaken() {
    try (Database safe = new Database(TestDatabase.migrated(DurabilityIT.class), "safe", 1, null)) {
      safe.requireDurable();
      History history = new Histories(safe.dsl()).begin("test", List.of());
      assertThat(history.place()).matches("\\d+-[0-9A-F]{8}-\\d+-\\d+-0");
      assertThat(safe.incarnation(history)).startsWith(history.id() + "-").matches(".*-\\d+");
      assertThat(safe.submissionSecret()).hasSize(32);
      Database.migrate(TestDatabase.migrated(DurabilityIT.class));
    }
  }
}
