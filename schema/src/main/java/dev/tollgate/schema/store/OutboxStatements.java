package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Statements of the relay. Thread-safe. */
final class OutboxStatements {
  /* Whole rows, as many as hold the wanted number of changes; at least one. */
  private static final String OUTBOX =
      """
      SELECT b.id, e.op_key, e.reconcile, e.state::text, e.version, e.fence, e.provider, e.reason, e.remote_id, b.at,
             o.address, o.sha256, o.length, o.content_type
      FROM (
        SELECT *, sum(cardinality(op_key)) OVER (ORDER BY id) - cardinality(op_key) AS before
        FROM outbox ORDER BY id LIMIT ?
      ) AS b
      CROSS JOIN LATERAL unnest(b.reconcile, b.op_key, b.version, b.fence, b.state, b.provider, b.reason, b.remote_id)
        WITH ORDINALITY AS e(reconcile, op_key, version, fence, state, provider, reason, remote_id, n)
      LEFT JOIN output o ON e.state = 'complete' AND o.op_key = e.op_key
      WHERE b.before < ?
      ORDER BY b.id, e.n
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
    return db.resultQuery(OUTBOX, DSL.val(atLeast), DSL.val(atLeast))
        .fetch(OutboxStatements::toRow);
  }

  private static OutboxRow toRow(Record row) {
    String reason = (String) row.get(7);
    return new OutboxRow(
        Rows.bigint(row, 0),
        Rows.key(row, 1),
        Boolean.TRUE.equals(row.get(2)),
        OperationState.of(Rows.text(row, 3)),
        Rows.integer(row, 4),
        Rows.integer(row, 5),
        Rows.text(row, 6),
        reason == null ? null : Code.valueOf(reason),
        (String) row.get(8),
        Rows.instant(row, 9),
        output(row));
  }

  private static @Nullable StoredOutput output(Record row) {
    return row.get(10) == null
        ? null
        : new StoredOutput(
            Rows.text(row, 10), Rows.bytes(row, 11), Rows.bigint(row, 12), (String) row.get(13));
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
