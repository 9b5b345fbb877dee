package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
  /* Whole rows, as many as hold the wanted number of changes, at least one; arrays as they are, with those of outputs. */
  private static final String OUTBOX =
      """
      SELECT b.id, b.at, b.op_key, b.reconcile, b.state::text[], b.version, b.fence, b.provider, b.reason, b.remote_id,
             o.op_key, o.address, o.sha256, o.length, o.content_type
      FROM (
        SELECT *, sum(cardinality(op_key)) OVER (ORDER BY id) - cardinality(op_key) AS before
        FROM outbox ORDER BY id LIMIT ?
      ) AS b
      CROSS JOIN LATERAL (
        SELECT array_agg(o.op_key) AS op_key, array_agg(o.address) AS address, array_agg(o.sha256) AS sha256,
               array_agg(o.length) AS length, array_agg(o.content_type) AS content_type
        FROM unnest(b.op_key, b.state) AS e(op_key, state) JOIN output o ON o.op_key = e.op_key
        WHERE e.state = 'complete' AND 'complete' = ANY (b.state)
      ) AS o
      WHERE b.before < ?
      ORDER BY b.id
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
    Map<OperationKey, StoredOutput> outputs = row.get(10) == null ? Map.of() : outputs(row);
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
              at,
              outputs.get(key)));
    }
  }

  private static Map<OperationKey, StoredOutput> outputs(Record row) {
    Map<OperationKey, StoredOutput> outputs = new HashMap<>();
    Object[] keys = Rows.array(row, 10);
    for (int i = 0; i < keys.length; i++) {
      outputs.put(
          OperationKey.fromBytes((byte[]) keys[i]),
          new StoredOutput(
              (String) Rows.array(row, 11)[i],
              (byte[]) Rows.array(row, 12)[i],
              (Long) Rows.array(row, 13)[i],
              (String) Rows.array(row, 14)[i]));
    }
    return outputs;
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
