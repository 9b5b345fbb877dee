package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.RequestHash;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Statements of the relay. Thread-safe. */
final class OutboxStatements {
  /* Whole rows, as many as hold the wanted number of changes, at least one; arrays as they are. */
  private static final String OUTBOX =
      """
      SELECT b.id, b.at, b.op_key, b.reconcile, b.state::text[], b.version, b.fence, b.provider, b.reason, b.remote_id
      FROM (
        SELECT *, sum(cardinality(op_key)) OVER (ORDER BY id) - cardinality(op_key) AS before
        FROM outbox ORDER BY id LIMIT ?
      ) AS b
      WHERE b.before < ?
      ORDER BY b.id
      """;

  /*
   * A probe of each table's key; evidence is asked for by those that failed alone. The sentence is that of the evidence which
   * the same statement wrote, so that a repeat of the event says the same, whatever evidence came since.
   */
  private static final String ENDINGS =
      """
      SELECT k.op_key, i.request_hash, i.production_task, i.price, o.address, o.sha256, o.length, o.content_type, e.note, i.created_at
      FROM unnest(?::bytea[], ?::bool[]) AS k(op_key, failed)
      JOIN intent i ON i.op_key = k.op_key
      LEFT JOIN output o ON o.op_key = k.op_key
      LEFT JOIN LATERAL (
        SELECT left(v.note, ?) AS note
        FROM operation p JOIN evidence v ON v.seq = p.seq AND v.op_key = p.op_key
        WHERE k.failed AND p.seq = i.source_offset AND p.op_key = k.op_key
          AND v.at = p.changed_at AND v.code = p.reason AND v.note IS NOT NULL
        ORDER BY v.id LIMIT 1
      ) AS e ON true
      """;

  private static final String RELAYED = "DELETE FROM outbox WHERE id = ANY (?::int8[])";

  private static final String DUTY =
      """
      INSERT INTO duty (name, holder, until) VALUES (?, ?, now() + ? * interval '1 millisecond')
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
      WHERE duty.holder = excluded.holder OR duty.until <= now()
      RETURNING 1
      """;

  private final DSLContext db;

  OutboxStatements(DSLContext db) {
    this.db = db;
  }

  List<OutboxRow> outbox(int atLeast) {
    List<OutboxRow> rows = new ArrayList<>();
    db.resultQuery(OUTBOX, DSL.val(atLeast), DSL.val(atLeast))
        .fetch()
        .forEach(row -> addChanges(row, rows));
    return rows;
  }

  private static void addChanges(Record row, List<OutboxRow> rows) {
    long id = Rows.bigint(row, 0);
    Instant at = Rows.instant(row, 1);
    Object[] keys = Rows.array(row, 2);
    Object[] reconcile = Rows.array(row, 3);
    Object[] states = Rows.array(row, 4);
    Object[] versions = Rows.array(row, 5);
    Object[] fences = Rows.array(row, 6);
    Object[] providers = Rows.array(row, 7);
    @Nullable Object[] reasons = Rows.array(row, 8);
    @Nullable Object[] remoteIds = Rows.array(row, 9);
    for (int i = 0; i < keys.length; i++) {
      OperationKey key = OperationKey.fromBytes((byte[]) keys[i]);
      String reason = (String) reasons[i];
      rows.add(
          new OutboxRow(
              id,
              key,
              (Boolean) reconcile[i],
              OperationState.of((String) states[i]),
              (Integer) versions[i],
              (Integer) fences[i],
              (String) providers[i],
              reason == null ? null : Code.valueOf(reason),
              (String) remoteIds[i],
              at));
    }
  }

  Map<OperationKey, Ending> endings(Collection<OutboxRow> finished) {
    Map<OperationKey, Ending> endings = new HashMap<>();
    db.resultQuery(
            ENDINGS,
            PgArray.bytea(finished, row -> row.key().bytes()),
            PgArray.bool(finished, row -> row.state() == OperationState.FAILED),
            DSL.val(Ending.WHY_CHARS_MAX))
        .fetch()
        .forEach(row -> endings.put(Rows.key(row, 0), ending(row)));
    return endings;
  }

  private static Ending ending(Record row) {
    return new Ending(
        RequestHash.fromBytes(Rows.bytes(row, 1)),
        (String) row.get(2),
        (Long) row.get(3),
        row.get(4) == null
            ? null
            : new StoredOutput(
                Rows.text(row, 4), Rows.bytes(row, 5), Rows.bigint(row, 6), (String) row.get(7)),
        (String) row.get(8),
        Rows.instant(row, 9));
  }

  void relayed(List<Long> ids) {
    db.query(RELAYED, PgArray.ids(ids)).execute();
  }

  boolean duty(String name, UUID holder, Duration ttl) {
    return !db.resultQuery(DUTY, DSL.val(name), DSL.val(holder), DSL.val(ttl.toMillis()))
        .fetch()
        .isEmpty();
  }
}
