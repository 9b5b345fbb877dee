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
  private static final String OUTBOX =
      """
      SELECT b.id, b.op_key, b.target::text, b.state::text, b.version, b.fence, b.provider, b.reason, b.remote_id, b.at,
             o.address, o.sha256, o.length, o.content_type
      FROM (SELECT * FROM outbox ORDER BY id LIMIT ?) AS b
      LEFT JOIN output o ON b.state = 'complete' AND o.op_key = b.op_key
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

  List<OutboxRow> outbox(int limit) {
    return db.resultQuery(OUTBOX, DSL.val(limit)).fetch(OutboxStatements::toRow);
  }

  private static OutboxRow toRow(Record row) {
    String reason = (String) row.get(7);
    return new OutboxRow(
        Rows.bigint(row, 0),
        Rows.key(row, 1),
        Rows.text(row, 2).equals("reconcile"),
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
