package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.claimId;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.BudgetConfig.Per;
import dev.tollgate.schema.config.BudgetConfig.Scope;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The plan that a statement gets while its tables are empty is the one it keeps: on one connection
 * every hot statement runs until the server has settled on a generic plan, then the tables are
 * filled behind its back, then it runs again and the tables are asked whether anybody scanned them.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class HotPathPlansIT {
  private static final int ROWS = 50_000;
  private static final int BATCH = 100;

  /** The driver prepares at the fifth run, the server settles after five more. */
  private static final int RUNS_UNTIL_GENERIC = 12;

  /* Half of it waits, the rest is done or unknown; all of it is due. */
  private static final String FILL =
      """
      WITH n AS (
        SELECT 1000000 + g AS seq, g, sha256(convert_to('filled ' || g, 'UTF8')) || 'video'::bytea AS op_key,
               (ARRAY['prepared', 'prepared', 'complete', 'unknown', 'accepted', 'sending'])[1 + g % 6]::operation_state AS state
        FROM generate_series(1, ?) AS g
      ), intents AS (
        INSERT INTO intent (op_key, provider, request_hash, submission_key, created_at, source_partition, source_offset,
                            dimensions, params, producer, price)
        SELECT op_key, 'keyed', sha256(op_key), substring(sha256(op_key) FOR 16), now(), 0, seq, '{}', '{}', '/shop', 1 FROM n
      ), operations AS (
        INSERT INTO operation (seq, op_key, claim, lease_until, changed_at, fence, version, attempts, looks, state, reason, remote_id)
        SELECT seq, op_key, CASE WHEN state <> 'prepared' THEN md5((g / 600)::text)::uuid END,
               CASE WHEN state = 'sending' THEN now() END, now(),
               CASE WHEN state = 'prepared' THEN 0 ELSE 1 END, 1, CASE WHEN state = 'prepared' THEN 0 ELSE 1 END, 0,
               state, CASE WHEN state = 'unknown' THEN 'OUTCOME_UNKNOWN' END,
               CASE WHEN state IN ('accepted', 'complete') THEN 'filled-' || g END
        FROM n
      ), attempts AS (
        INSERT INTO attempt (seq, op_key, fence, claim, owner, began_at, send_deadline, absent_after, carried, sent_to)
        SELECT seq, op_key, 1, gen_random_uuid(), 'w1', now(), now(), now(), 1, 0 FROM n WHERE state <> 'prepared'
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, remote_id)
        SELECT seq, op_key, g, now(), 1, 'submit', 'PROVIDER_ACCEPTED', false, 'filled-' || g FROM n WHERE state <> 'prepared'
      ), tasks AS (
        INSERT INTO remote_task (provider, remote_id, op_key, known_at)
        SELECT 'keyed', 'filled-' || g, op_key, now() FROM n WHERE state IN ('accepted', 'complete')
      ), outputs AS (
        INSERT INTO output (op_key, address, sha256, length, stored_at)
        SELECT op_key, 'file:///' || g, sha256(op_key), 1, now() FROM n WHERE state = 'complete'
      ), told AS (
        INSERT INTO outbox (at, reconcile, op_key, version, fence, state, provider, reason, remote_id)
        SELECT now(), '{false}', ARRAY[op_key], '{1}', '{1}', ARRAY[state], '{keyed}', '{NULL}', '{NULL}'
        FROM n WHERE state IN ('accepted', 'complete')
      ), events AS (
        INSERT INTO inbox (provider, event_id, received_at, op_key, remote_id, sha256, body, truncated, copies, altered, tries, due)
        SELECT 'keyed', 'filled-' || g, now(), CASE WHEN g % 2 = 0 THEN op_key END, CASE WHEN g % 3 = 0 THEN 'filled-' ELSE 'foreign-' END || g,
               sha256(op_key), '', false, 1, false, 0, CASE WHEN g % 50 < 2 THEN now() ELSE now() + interval '1 hour' END
        FROM n
      ), leases AS (
        INSERT INTO lease (claim, provider, until, open, seqs, op_keys)
        SELECT md5((g / 600)::text)::uuid, 'keyed', now(), count(*), array_agg(seq), array_agg(op_key) FROM n WHERE state = 'sending' GROUP BY g / 600
      )
      INSERT INTO wake (seq, op_key, at, role, provider)
      SELECT seq, op_key, now() - g * interval '1 ms',
             CASE state WHEN 'prepared' THEN 'claim' WHEN 'unknown' THEN 'look' ELSE 'follow' END::wake_role, 'keyed'
      FROM n WHERE state NOT IN ('sending', 'complete')
      """;

  /** More than the tables hold, so that everything is counted. */
  private static final Limits ENOUGH =
      new Limits(
          OptionalLong.of(6_000_000),
          100_000,
          OptionalInt.of(2 * ROWS),
          List.of(
              new Budget(Scope.PROVIDER, PROVIDER, Per.DAY, Long.MAX_VALUE / 2, false),
              new Budget(Scope.PRODUCER, Fixture.PRODUCER, Per.MONTH, Long.MAX_VALUE / 2, true)));

  private static Database database;
  private static OperationStore store;
  private static Regenerations regenerations;
  private static Inbox inbox;
  private static int next;
  private static boolean counting;
  private static final Map<String, Long> READ = new TreeMap<>();

  @BeforeAll
  static void open() {
    database = new Database(TestDatabase.migrated(HotPathPlansIT.class), "plans", 1, null);
    store = counting(OperationStore.class, new PostgresOperationStore(database.dsl()));
    inbox = counting(Inbox.class, new PostgresInbox(database.dsl()));
    regenerations = new PostgresRegenerations(database.dsl());
    for (int i = 0; i < RUNS_UNTIL_GENERIC; i++) {
      everyHotStatement(2);
    }
    sql().execute(FILL, ROWS);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  /** A store that notes how many index entries each method read at most. */
  private static <T> T counting(Class<T> type, T store) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              if (!counting) {
                return method.invoke(store, arguments);
              }
              long before = indexEntriesRead();
              Object result = method.invoke(store, arguments);
              READ.merge(method.getName(), indexEntriesRead() - before, Math::max);
              return result;
            }));
  }

  private static long indexEntriesRead() {
    flushStatistics();
    return Rows.bigint(
        sql().fetchSingle("SELECT sum(idx_tup_read)::int8 FROM pg_stat_user_indexes"), 0);
  }

  private static void flushStatistics() {
    sql().fetch("SELECT pg_stat_force_next_flush() IS NULL");
    sql().fetch("SELECT pg_stat_clear_snapshot() IS NULL");
  }

  private static DSLContext sql() {
    return database.dsl();
  }

  /** Each hot statement once, with a batch that has something to do. */
  private static void everyHotStatement(int batch) {
    UUID claim = claimId();
    int from = next;
    next += 3 * batch;
    List<NewIntent> intents =
        new ArrayList<>(IntStream.range(from, from + batch).mapToObj(Fixture::sendNow).toList());
    IntStream.range(from + batch, next).mapToObj(Fixture::intent).forEach(intents::add);
    assertThat(store.insert(intents, claim, OWNER, ALL_TERMS)).hasSize(3 * batch);
    List<OperationKey> keys = intents.stream().map(NewIntent::key).toList();
    assertThat(store.find(keys)).hasSize(3 * batch);
    for (OperationKey key : keys.subList(0, 3)) { // each is a commit
      inbox.receive(event("address " + key, key));
      inbox.receive(event("task " + key, null));
    }
    List<Inbox.Id> taken = inbox.take(batch, LEASE).stream().map(Inbox.Taken::id).toList();
    assertThat(taken).hasSize(batch);
    inbox.later(taken, new Inbox.Pauses(LEASE, LEASE, LEASE), LEASE);
    Grant grant = store.claimLimited(batch, claimId(), OWNER, TERMS, ENOUGH);
    assertThat(grant.claims()).hasSize(batch);
    store.apply(grant.claims().stream().map(HotPathPlansIT::accepted).toList());
    List<Claim> claims = new ArrayList<>(store.claimed(PROVIDER, claim));
    claims.addAll(store.claim(batch, claimId(), OWNER, TERMS));
    assertThat(claims).hasSize(2 * batch);
    List<Change> changes = new ArrayList<>();
    for (Claim held : claims.subList(0, batch)) {
      changes.add(accepted(held));
    }
    claims.subList(batch, 2 * batch).forEach(held -> changes.add(Fixture.unknown(held)));
    assertThat(store.apply(changes)).hasSize(2 * batch);
    assertThat(store.effective(changes)).hasSize(2 * batch);
    List<OperationKey> unknown = claims.subList(batch, 2 * batch).stream().map(Claim::key).toList();
    List<Look> looks = store.look(unknown, Set.of(), claimId(), LEASE);
    assertThat(looks).hasSize(batch);
    store.apply(
        looks.stream()
            .map(l -> Fixture.looked(l, OperationState.UNKNOWN, Code.UNDECIDED, null))
            .toList());
    rest(batch, unknown);
  }

  /** Of a task that becomes known afterwards. */
  private static Inbox.Event event(String id, @Nullable OperationKey operation) {
    return new Inbox.Event(
        new Inbox.Id(PROVIDER, id),
        operation,
        "job-" + id.substring(id.indexOf(' ') + 1),
        null,
        new byte[32],
        null,
        new byte[0],
        false);
  }

  private static Change accepted(Claim held) {
    return Fixture.accepted(held, "job-" + held.key());
  }

  private static void rest(int batch, List<OperationKey> unknown) {
    Map<OperationKey, String> late = new HashMap<>();
    unknown.forEach(key -> late.put(key, "job-" + key));
    store.lateEvidence(late);
    store.remoteIdsSeen(unknown);
    store.owners(PROVIDER, List.copyOf(late.values()));
    store.lookDue(PROVIDER, batch, claimId(), LEASE);
    store.follow(PROVIDER, batch, Duration.ofSeconds(1), LEASE);
    store.sweep(batch, LEASE);
    store.expire(batch);
    store.backlog(List.of(PROVIDER), 1000);
    store.openProviders();
    store.rivals(unknown.getFirst(), PROVIDER);
    List<OutboxRow> told = store.outbox(batch);
    // whatever is told of them: what it reads is the same
    store.endings(told.stream().filter(row -> !row.reconcile()).limit(batch).toList());
    store.relayed(told.stream().map(OutboxRow::id).toList());
    store.duty("plans", claimId(), LEASE);
    regenerations.note(unknown.stream().collect(Collectors.toMap(key -> key, _ -> Duration.ZERO)));
    assertThat(regenerations.take(batch, LEASE)).as("none of them failed").isEmpty();
    regenerations.done(unknown);
  }

  private record Counts(long scans, long rowsScanned, long updates, long hotUpdates) {
    Counts minus(Counts o) {
      return new Counts(
          scans - o.scans,
          rowsScanned - o.rowsScanned,
          updates - o.updates,
          hotUpdates - o.hotUpdates);
    }
  }

  private static Counts of(Map<String, Counts> counts, String table) {
    return Objects.requireNonNull(counts.get(table));
  }

  private static Map<String, Counts> counts() {
    flushStatistics();
    Map<String, Counts> counts = new HashMap<>();
    sql()
        .fetch(
            "SELECT relname::text, seq_scan, seq_tup_read, n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables")
        .forEach(
            row ->
                counts.put(
                    Rows.text(row, 0),
                    new Counts(
                        Rows.bigint(row, 1),
                        Rows.bigint(row, 2),
                        Rows.bigint(row, 3),
                        Rows.bigint(row, 4))));
    return counts;
  }

  @Test
  @Order(1)
  void noHotStatement_scansATable_onceItsPlanIsGeneric() {
    Map<String, Counts> before = counts();
    for (int i = 0; i < 3; i++) {
      everyHotStatement(BATCH);
    }
    Map<String, Counts> after = counts();
    assertThat(after).hasSizeGreaterThan(9);
    after.remove("lease"); // a row for each claim of the last minutes, and some ask for all of them
    after.forEach(
        (table, counts) -> {
          Counts delta = counts.minus(of(before, table));
          assertThat(delta.scans()).as("scans of %s: %s", table, delta).isZero();
        });
    int generic =
        sql()
            .fetchSingle("SELECT count(*)::int FROM pg_prepared_statements WHERE generic_plans > 0")
            .get(0, Integer.class);
    assertThat(generic).as("statements with a generic plan").isGreaterThan(15);
  }

  /* Reading a whole index is a scan too; it only goes by another name. */
  @Test
  @Order(2)
  void noHotStatement_readsMoreOfAnIndex_thanItsBatchAsksFor() {
    counting = true;
    everyHotStatement(BATCH);
    counting = false;
    assertThat(READ).hasSizeGreaterThan(15);
    READ.forEach(
        (method, entries) -> {
          long allowed =
              switch (method) {
                // look through what is in flight, and rivals through what is unknown besides
                case "claimed", "sweep", "openProviders" -> 3L * ROWS / 6;
                // and what is accepted; bounded by the limit, which is larger than the tables here
                case "claimLimited" -> 3L * ROWS / 6;
                case "rivals" -> 5L * ROWS / 6;
                // counts up to its bound
                case "backlog" -> 1200;
                // and of each operation all attempts, each with its evidence
                case "look", "lookDue" -> 16L * BATCH;
                default -> 8L * BATCH;
              };
          assertThat(entries).as(method).isLessThanOrEqualTo(allowed);
        });
  }

  @Test
  @Order(3)
  void claimUnderALimitThatIsReached_readsAsMuchAsTheLimitAllows() {
    int tasksMax = 10;
    Limits reached = new Limits(OptionalLong.empty(), 1, OptionalInt.of(tasksMax), List.of());
    long before = indexEntriesRead();
    assertThat(store.claimLimited(BATCH, claimId(), OWNER, TERMS, reached).claims()).isEmpty();
    assertThat(indexEntriesRead() - before).isLessThanOrEqualTo(4 * tasksMax + 20);
  }

  @Test
  @Order(4)
  void changesOfAnOperation_areHeapOnly() {
    Map<String, Counts> before = counts();
    for (int i = 0; i < 25; i++) {
      List<Claim> claims = store.claim(BATCH, claimId(), OWNER, TERMS);
      assertThat(claims).hasSize(BATCH);
      store.apply(claims.stream().map(HotPathPlansIT::accepted).toList());
    }
    Counts delta = of(counts(), "operation").minus(of(before, "operation"));
    assertThat(delta.updates()).isGreaterThanOrEqualTo(2 * 25 * BATCH);
    assertThat((double) delta.hotUpdates() / delta.updates()).as("%s", delta).isGreaterThan(0.9);
  }
}
