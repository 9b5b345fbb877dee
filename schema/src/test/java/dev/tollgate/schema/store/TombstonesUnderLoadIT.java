package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Tombstones.Keep;
import dev.tollgate.schema.store.Tombstones.Page;
import dev.tollgate.schema.store.Tombstones.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgetting beside work: no statement of it reads a whole table, each ends soon, and nothing that
 * works waits for it. Whoever works here waits for no lock for longer than some milliseconds:
 * otherwise its statement fails.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TombstonesUnderLoadIT {
  private static final Logger log = LoggerFactory.getLogger(TombstonesUnderLoadIT.class);
  private static final int ROWS = 30_000;
  private static final int BATCH = 500;
  private static final int RUNS_UNTIL_GENERIC = 12;
  private static final Keep NOTHING = new Keep(Map.of(), Duration.ZERO);

  /* Two thirds of it ended, each with an attempt, three pieces of evidence, a task and an output; the rest waits. */
  private static final String FILL =
      """
      WITH n AS (
        SELECT 1000000 + g AS seq, g, sha256(convert_to('filled ' || g, 'UTF8')) || 'video'::bytea AS op_key, g % 3 = 0 AS open
        FROM generate_series(1, ?) AS g
      ), intents AS (
        INSERT INTO intent (op_key, provider, request_hash, submission_key, created_at, source_partition, source_offset,
                            dimensions, params, producer, price)
        SELECT op_key, 'keyed', sha256(op_key), substring(sha256(op_key) FOR 16), now(), 0, seq,
               repeat('d', 300), convert_to(repeat('p', 600), 'UTF8'), '/shop', 1 FROM n
      ), operations AS (
        INSERT INTO operation (seq, op_key, claim, changed_at, fence, version, attempts, looks, state, reason, remote_id)
        SELECT seq, op_key, CASE WHEN NOT open THEN md5(g::text)::uuid END, now() - interval '1 day', CASE WHEN open THEN 0 ELSE 1 END,
               1, CASE WHEN open THEN 0 ELSE 1 END, 0,
               CASE WHEN open THEN 'prepared' ELSE 'complete' END::operation_state, CASE WHEN NOT open THEN 'OUTPUT_STORED' END,
               CASE WHEN NOT open THEN 'filled-' || g END
        FROM n
      ), attempts AS (
        INSERT INTO attempt (seq, op_key, fence, claim, owner, began_at, send_deadline, absent_after, carried, sent_to)
        SELECT seq, op_key, 1, gen_random_uuid(), 'w1', now(), now(), now(), 1, 0 FROM n WHERE NOT open
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, remote_id, body)
        SELECT seq, op_key, g * 10 + e, now(), 1, 'submit', 'PROVIDER_ACCEPTED', false, 'filled-' || g,
               convert_to(repeat('b', 400), 'UTF8') FROM n, generate_series(1, 3) AS e WHERE NOT open
      ), tasks AS (
        INSERT INTO remote_task (provider, remote_id, op_key, known_at) SELECT 'keyed', 'filled-' || g, op_key, now() FROM n WHERE NOT open
      ), outputs AS (
        INSERT INTO output (op_key, address, sha256, length, stored_at)
        SELECT op_key, 'file:///' || g, sha256(op_key), 1, now() FROM n WHERE NOT open
      )
      INSERT INTO wake (seq, op_key, at, role, provider)
      SELECT seq, op_key, now() + interval '1 day', 'claim', 'keyed' FROM n WHERE open
      """;

  private static Database forgetting;
  private static Database working;
  private static Tombstones tombstones;
  private static OperationStore store;
  private static int worked;

  @BeforeAll
  static void open() {
    DatabaseSettings settings = TestDatabase.migrated(TombstonesUnderLoadIT.class);
    forgetting = new Database(settings, "forgetting", 1, null);
    String impatient =
        settings.url()
            + (settings.url().contains("?") ? "&" : "?")
            + "options="
            + "-c lock_timeout=20 -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off"
                .replace(" ", "%20");
    working =
        new Database(
            new DatabaseSettings(impatient, settings.user(), settings.password()),
            "working",
            2,
            null);
    tombstones = new PostgresTombstones(forgetting.dsl());
    store = new PostgresOperationStore(working.dsl());
    // until the server has settled on plans that it made while the tables were empty
    for (int i = 0; i < RUNS_UNTIL_GENERIC; i++) {
      Place nobody = new Place(i, key(i));
      tombstones.bury(nobody, BATCH, NOTHING);
      tombstones.clear(List.of(nobody), BATCH);
      tombstones.remove(List.of(nobody));
    }
    sql().execute(FILL, ROWS);
  }

  @AfterAll
  static void close() {
    working.close();
    forgetting.close();
  }

  private static DSLContext sql() {
    return forgetting.dsl();
  }

  /** All that a worker does with operations, none of which has ended. */
  private static void work(int from, int many) {
    UUID straight = claimId();
    List<NewIntent> intents =
        IntStream.range(from, from + many)
            .mapToObj(n -> n % 2 == 0 ? Fixture.sendNow(n) : Fixture.intent(n))
            .toList();
    assertThat(store.insert(intents, straight, OWNER, ALL_TERMS)).hasSize(many);
    List<Claim> claims = new ArrayList<>(store.claimed(PROVIDER, straight));
    claims.addAll(store.claim(many, claimId(), OWNER, TERMS));
    assertThat(claims).hasSize(many);
    assertThat(
            store.apply(
                claims.stream()
                    .map(claim -> Fixture.accepted(claim, "job-" + claim.key()))
                    .toList()))
        .hasSize(many);
    store.relayed(store.outbox(10 * many).stream().map(OutboxRow::id).distinct().toList());
    store.sweep(100, Duration.ZERO);
    assertThat(store.find(intents.stream().map(NewIntent::key).toList())).hasSize(many);
  }

  @Test
  @Order(1)
  void work_waitsForNothing_whileABatchIsForgotten() {
    sql()
        .transaction(
            uncommitted -> {
              Tombstones held = new PostgresTombstones(uncommitted.dsl());
              Page page = held.bury(null, BATCH, NOTHING);
              assertThat(page.buried()).hasSizeBetween(300, 350);
              held.clear(page.buried(), 10 * BATCH);
              assertThat(held.remove(page.buried())).isEqualTo(page.buried().size());
              work(0, 100);
            });
  }

  /** The other way round: what work holds is passed over. */
  @Test
  @Order(2)
  void forgetting_waitsForNothing_whileWorkIsUnderWay() {
    working
        .dsl()
        .transaction(
            uncommitted -> {
              OperationStore held = new PostgresOperationStore(uncommitted.dsl());
              held.insert(List.of(Fixture.intent(5000)), claimId(), OWNER, ALL_TERMS);
              List<Claim> claims = held.claim(10, claimId(), OWNER, TERMS);
              assertThat(claims).hasSize(1);
              held.apply(
                  claims.stream()
                      .map(
                          c -> Fixture.sent(c, OperationState.FAILED, Code.PROVIDER_REJECTED, null))
                      .toList());
              sql().execute("SET lock_timeout = 20");
              assertThat(forgetAll(3)).isPositive();
              sql().execute("RESET lock_timeout");
            });
  }

  @Test
  @Order(3)
  void whole_isForgottenInSmallStatements_byItsIndexes_besideWork() {
    Map<String, Long> before = scans();
    long began = System.nanoTime();
    int forgotten = forgetAll(Integer.MAX_VALUE);
    long took = System.nanoTime() - began;
    Map<String, Long> after = scans();
    assertThat(forgotten).isGreaterThan(ROWS / 2);
    after.forEach(
        (table, scans) ->
            assertThat(scans - Objects.requireNonNull(before.get(table)))
                .as("scans of " + table)
                .isZero());
    assertThat(rows("evidence", "seq > 1000000")).isZero();
    assertThat(rows("operation", "seq > 1000000")).isEqualTo(ROWS / 3);
    assertThat(rows("intent", "ended_at IS NOT NULL")).isEqualTo(ROWS - ROWS / 3);
    log.info(
        "{} operations with {} rows each were forgotten in {} ms, {} a second",
        forgotten,
        8,
        took / 1_000_000,
        forgotten * 1_000_000_000L / took);
    began = System.nanoTime();
    assertThat(forgetAll(Integer.MAX_VALUE)).as("what was untold before").isLessThanOrEqualTo(1);
    log.info(
        "a pass over {} operations that stay took {} ms",
        ROWS / 3,
        (System.nanoTime() - began) / 1_000_000);
    log.info(
        "a tombstone takes {} bytes, {} of them in its row",
        sql()
            .fetchSingle(
                "SELECT (avg(pg_column_size(i.*)) + 24 + 4)::int + pg_relation_size('intent_pkey') / (SELECT count(*) FROM intent)"
                    + " FROM intent i WHERE ended_at IS NOT NULL")
            .get(0),
        sql()
            .fetchSingle(
                "SELECT avg(pg_column_size(i.*))::int FROM intent i WHERE ended_at IS NOT NULL")
            .get(0));
  }

  /** With some work after each page; how many operations are gone. */
  private static int forgetAll(int pages) {
    int gone = 0;
    Place after = null;
    Page page;
    int n = 0;
    do {
      page = tombstones.bury(after, BATCH, NOTHING);
      after = page.last();
      Tombstones.Cleared cleared;
      do {
        cleared = tombstones.clear(page.buried(), BATCH);
        assertThat(cleared.most()).isLessThanOrEqualTo(BATCH);
        gone += tombstones.remove(page.buried());
      } while (cleared.most() == BATCH);
      if (++n % 10 == 0) {
        work(10_000 + 10 * worked++, 10);
      }
    } while (page.read() == BATCH && n < pages);
    return gone;
  }

  private static int rows(String table, String condition) {
    return sql()
        .fetchSingle("SELECT count(*)::int FROM " + table + " WHERE " + condition)
        .get(0, Integer.class);
  }

  private static Map<String, Long> scans() {
    sql().fetch("SELECT pg_stat_force_next_flush() IS NULL");
    sql().fetch("SELECT pg_stat_clear_snapshot() IS NULL");
    Map<String, Long> scans = new HashMap<>();
    sql()
        .fetch(
            "SELECT relname::text, seq_scan FROM pg_stat_user_tables WHERE relname IN"
                + " ('intent', 'operation', 'attempt', 'evidence', 'chunk', 'output', 'remote_task', 'inbox', 'outbox', 'regeneration')")
        .forEach(row -> scans.put(Rows.text(row, 0), Rows.bigint(row, 1)));
    return scans;
  }
}
