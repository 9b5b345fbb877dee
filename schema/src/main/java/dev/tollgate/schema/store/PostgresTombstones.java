package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.SqlErrors.run;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Tombstones on PostgreSQL. Thread-safe. */
public final class PostgresTombstones implements Tombstones {
  /**
   * An outbox row is of the moment of the change that it tells of, and their ids may be out of the
   * order of their moments by as long as a statement takes: this is more.
   */
  private static final String OUT_OF_ORDER = "interval '1 hour'";

  /*
   * Reads operation_pkey from a place on and each old intent by its key; locks intents alone, which nothing but another
   * burial does, and passes over what that has. What ended never changes again, so nothing read here can have changed since.
   */
  private static final String BURY =
      """
      WITH page AS MATERIALIZED (
        SELECT seq, op_key, state, reason, remote_id, changed_at FROM operation
        WHERE (seq, op_key) > (?::int8, ?::bytea) ORDER BY seq, op_key LIMIT ?
      ), old AS MATERIALIZED (
        SELECT p.*, i.ended_at
        FROM page p JOIN intent i ON i.op_key = p.op_key
        WHERE p.state IN ('failed', 'complete')
          AND p.changed_at < now() - ?::int8 * interval '1 millisecond'
          AND p.changed_at < now() - interval '1 millisecond' * coalesce(
                (SELECT t.keep_ms FROM unnest(?::text[], ?::int8[]) AS t(provider, keep_ms) WHERE t.provider = i.provider), ?::int8)
          AND NOT EXISTS (
            SELECT FROM evidence e
            WHERE e.seq = p.seq AND e.op_key = p.op_key AND %s)
          AND NOT EXISTS (SELECT FROM regeneration r WHERE r.op_key = p.op_key)
          AND NOT EXISTS (SELECT FROM inbox n WHERE n.op_key = p.op_key AND n.due IS NOT NULL)
          AND p.changed_at < coalesce((SELECT b.at FROM outbox b ORDER BY b.id LIMIT 1), 'infinity') - %s
          AND p.changed_at < coalesce((SELECT b.at FROM chunk_outbox b ORDER BY b.id LIMIT 1), 'infinity') - %s
        FOR UPDATE OF i SKIP LOCKED
      ), buried AS (
        UPDATE intent i
        SET params = '', dimensions = '{}', deadline = NULL, producer = NULL, retry_of = NULL, retry_by = NULL, retry_why = NULL,
            by_reference = NULL, first_claim = NULL, first_owner = NULL, first_send_deadline = NULL, first_absent_after = NULL,
            first_carried = NULL, first_sent_to = NULL,
            ended_at = o.changed_at, ended_state = o.state, ended_reason = o.reason, ended_remote_id = o.remote_id,
            ended_address = (SELECT p.address FROM output p WHERE p.op_key = o.op_key)
        FROM old o WHERE i.op_key = o.op_key AND o.ended_at IS NULL
        RETURNING o.seq, i.op_key
      )
      SELECT 'buried', seq, op_key FROM buried
      UNION ALL
      SELECT 'emptied', seq, op_key FROM old WHERE ended_at IS NOT NULL
      UNION ALL
      (SELECT 'last', seq, op_key FROM page ORDER BY seq DESC, op_key DESC LIMIT 1)
      UNION ALL
      SELECT 'read', count(*), NULL FROM page
      """
          .formatted(Suspicion.open("e"), OUT_OF_ORDER, OUT_OF_ORDER);

  /*
   * Each table by its key, at most so many rows. Only what a tombstone's trigger lets go, so a wrong list deletes nothing.
   */
  private static final String CLEAR =
      """
      WITH gone AS MATERIALIZED (
        SELECT g.seq, g.op_key, i.provider, i.ended_remote_id
        FROM unnest(?::int8[], ?::bytea[]) AS g(seq, op_key) JOIN intent i ON i.op_key = g.op_key
        WHERE i.ended_at IS NOT NULL
      ), evidences AS (
        DELETE FROM evidence e USING (
          SELECT v.seq, v.op_key, v.id FROM gone g JOIN evidence v ON v.seq = g.seq AND v.op_key = g.op_key LIMIT ?) AS v
        WHERE e.seq = v.seq AND e.op_key = v.op_key AND e.id = v.id RETURNING 1
      ), chunks AS (
        DELETE FROM chunk c USING (
          SELECT v.seq, v.op_key, v.pos FROM gone g JOIN chunk v ON v.seq = g.seq AND v.op_key = g.op_key LIMIT ?) AS v
        WHERE c.seq = v.seq AND c.op_key = v.op_key AND c.pos = v.pos RETURNING 1
      ), attempts AS (
        DELETE FROM attempt a USING (
          SELECT v.seq, v.op_key, v.fence FROM gone g JOIN attempt v ON v.seq = g.seq AND v.op_key = g.op_key LIMIT ?) AS v
        WHERE a.seq = v.seq AND a.op_key = v.op_key AND a.fence = v.fence RETURNING 1
      ), outputs AS (
        DELETE FROM output p USING gone g WHERE p.op_key = g.op_key RETURNING 1
      ), tasks AS (
        DELETE FROM remote_task r USING gone g
        WHERE r.remote_id = g.ended_remote_id AND r.provider = g.provider AND r.op_key = g.op_key RETURNING 1
      )
      SELECT (SELECT count(*) FROM evidences), (SELECT count(*) FROM chunks), (SELECT count(*) FROM attempts),
             (SELECT count(*) FROM outputs), (SELECT count(*) FROM tasks)
      """;

  private static final String REMOVE =
      """
      DELETE FROM operation o USING unnest(?::int8[], ?::bytea[]) AS g(seq, op_key), intent i
      WHERE o.seq = g.seq AND o.op_key = g.op_key AND i.op_key = g.op_key AND i.ended_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM evidence e WHERE e.seq = g.seq AND e.op_key = g.op_key)
        AND NOT EXISTS (SELECT FROM chunk c WHERE c.seq = g.seq AND c.op_key = g.op_key)
        AND NOT EXISTS (SELECT FROM attempt a WHERE a.seq = g.seq AND a.op_key = g.op_key)
      """;

  private static final String READ =
      """
      SELECT i.op_key, i.provider, i.ended_state::text, i.ended_reason, i.ended_remote_id, i.ended_address, i.production_task,
             i.price, i.created_at, i.ended_at
      FROM unnest(?::bytea[]) AS k(op_key) JOIN intent i ON i.op_key = k.op_key WHERE i.ended_at IS NOT NULL
      """;

  /*
   * A budget goes when the last of its refunds did; a claim that books in it holds it, and is passed over. A run goes when
   * nothing is on record as decided by it.
   */
  private static final String FORGET_BOOKS =
      """
      WITH over AS MATERIALIZED (
        SELECT id FROM budget
        WHERE period + CASE per WHEN 'month' THEN interval '1 month' ELSE interval '1 day' END
              <= now() AT TIME ZONE 'UTC' - ?::int8 * interval '1 millisecond'
        ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED
      ), refunds AS (
        DELETE FROM refund f USING (SELECT r.budget, r.op_key FROM over o JOIN refund r ON r.budget = o.id LIMIT ?) AS r
        WHERE f.budget = r.budget AND f.op_key = r.op_key RETURNING 1
      ), budgets AS (
        DELETE FROM budget b USING over o
        WHERE b.id = o.id AND NOT EXISTS (SELECT FROM refund r WHERE r.budget = o.id) RETURNING 1
      ), ended AS MATERIALIZED (
        SELECT id FROM dead_letter_run WHERE ended_at < now() - ?::int8 * interval '1 millisecond' ORDER BY id LIMIT ?
      ), runs AS (
        -- a letter that a person decided on stays so for as long as Kafka has it; later runs delete what it forgot

        DELETE FROM dead_letter_run r USING ended e
        WHERE r.id = e.id AND NOT EXISTS (SELECT FROM dead_letter d WHERE d.run = e.id) RETURNING 1
      )
      SELECT (SELECT count(*) FROM refunds) + (SELECT count(*) FROM budgets) + (SELECT count(*) FROM runs)
      """;

  private final DSLContext db;

  /**
   * @param db made by {@link Database#dsl()}
   */
  public PostgresTombstones(DSLContext db) {
    this.db = db;
  }

  @Override
  public Page bury(@Nullable Place after, int most, Keep keep) {
    Collection<Map.Entry<String, Duration>> terms = keep.byProvider().entrySet();
    return run(
        "burying ended operations",
        () ->
            page(
                db.resultQuery(
                        BURY,
                        DSL.val(after == null ? Long.MIN_VALUE : after.seq()),
                        DSL.val(
                            after == null ? new byte[0] : after.key().bytes(),
                            SQLDataType.VARBINARY),
                        DSL.val(most),
                        DSL.val(keep.least().toMillis()),
                        PgArray.text(terms, Map.Entry::getKey),
                        PgArray.bigint(terms, term -> term.getValue().toMillis()),
                        DSL.val(keep.otherwise().toMillis()))
                    .fetch()));
  }

  private static Page page(List<Record> rows) {
    List<Place> buried = new ArrayList<>();
    List<Place> emptied = new ArrayList<>();
    Place last = null;
    int read = 0;
    for (Record row : rows) {
      switch (Rows.text(row, 0)) {
        case "buried" -> buried.add(place(row));
        case "emptied" -> emptied.add(place(row));
        case "last" -> last = place(row);
        default -> read = Rows.integer(row, 1);
      }
    }
    return new Page(read, last, buried, emptied);
  }

  private static Place place(Record row) {
    return new Place(Rows.bigint(row, 1), Rows.key(row, 2));
  }

  @Override
  public Cleared clear(List<Place> buried, int most) {
    if (buried.isEmpty()) {
      return new Cleared(0, 0);
    }
    Record counts =
        run(
            "clearing tombstones",
            () ->
                db.resultQuery(
                        CLEAR,
                        seqs(buried),
                        keys(buried),
                        DSL.val(most),
                        DSL.val(most),
                        DSL.val(most))
                    .fetchSingle());
    int rows = 0;
    int largest = 0;
    for (int i = 0; i < counts.size(); i++) {
      int one = Rows.integer(counts, i);
      rows += one;
      largest = Math.max(largest, one);
    }
    return new Cleared(rows, largest);
  }

  @Override
  public int remove(List<Place> buried) {
    return buried.isEmpty()
        ? 0
        : run(
            "removing forgotten operations",
            () -> db.query(REMOVE, seqs(buried), keys(buried)).execute());
  }

  @Override
  public Map<OperationKey, Tombstone> read(Set<OperationKey> keys) {
    Map<OperationKey, Tombstone> tombstones = new HashMap<>();
    if (keys.isEmpty()) {
      return tombstones;
    }
    run(
            "reading tombstones",
            () -> db.resultQuery(READ, PgArray.bytea(keys, OperationKey::bytes)).fetch())
        .forEach(row -> tombstones.put(Rows.key(row, 0), tombstone(row)));
    return tombstones;
  }

  private static Tombstone tombstone(Record row) {
    String reason = (String) row.get(3);
    return new Tombstone(
        Rows.key(row, 0),
        Rows.text(row, 1),
        OperationState.of(Rows.text(row, 2)),
        reason == null ? null : Code.valueOf(reason),
        (String) row.get(4),
        (String) row.get(5),
        (String) row.get(6),
        (Long) row.get(7),
        ((OffsetDateTime) Objects.requireNonNull(row.get(8))).toInstant(),
        Rows.instant(row, 9));
  }

  @Override
  public int forgetBooks(Duration keptFor, int most) {
    long millis = keptFor.toMillis();
    return run(
        "forgetting old books",
        () ->
            Rows.integer(
                db.resultQuery(
                        FORGET_BOOKS,
                        DSL.val(millis),
                        DSL.val(most),
                        DSL.val(most),
                        DSL.val(millis),
                        DSL.val(most))
                    .fetchSingle(),
                0));
  }

  private static Field<?> seqs(List<Place> places) {
    return PgArray.bigint(places, Place::seq);
  }

  private static Field<?> keys(List<Place> places) {
    return PgArray.bytea(places, place -> place.key().bytes());
  }
}
