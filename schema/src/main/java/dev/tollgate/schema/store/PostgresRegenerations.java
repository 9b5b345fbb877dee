package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.SqlErrors.run;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.NextGeneration;
import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The failed operations that a policy decides on, on PostgreSQL. Thread-safe. */
public final class PostgresRegenerations implements Regenerations {
  private static final Logger log = LoggerFactory.getLogger(PostgresRegenerations.class);

  /* In the order of keys, so that two relays cannot wait for each other's rows. */
  private static final String NOTE =
      """
      INSERT INTO regeneration (op_key, at)
      SELECT op_key, now() + pause_ms * interval '1 millisecond'
      FROM unnest(?::bytea[], ?::int8[]) AS k(op_key, pause_ms)
      ORDER BY op_key
      ON CONFLICT (op_key) DO NOTHING
      """;

  /*
   * Locks its own rows alone and waits for none. What it reads beside them never changes any more, but for evidence, which may
   * still come: the pause before is for that. A row whose operation is gone, or has not failed, would never be decided on: it
   * is deleted, and comes back as a key alone.
   *
   * A code of doubt is any that says that nobody knew, for a time, whether a task existed, that one exists which the operation
   * does not have, or that the provider had told of an output before it told of the failure. Of an event, the word that the
   * provider used stands at the end.
   */
  private static final String TAKE =
      """
      WITH taken AS MATERIALIZED (
        SELECT op_key FROM regeneration WHERE at <= now() ORDER BY at LIMIT ? FOR UPDATE SKIP LOCKED
      ), failed AS MATERIALIZED (
        SELECT i.op_key, i.dimensions, i.provider, i.params, i.deadline, i.production_task, i.producer,
               o.seq, o.reason, o.changed_at
        FROM taken t
        JOIN intent i ON i.op_key = t.op_key
        JOIN operation o ON o.seq = i.source_offset AND o.op_key = i.op_key
        WHERE o.state = 'failed'
      ), held AS (
        UPDATE regeneration r SET at = now() + ? * interval '1 millisecond' FROM failed f WHERE r.op_key = f.op_key
      ), dropped AS (
        DELETE FROM regeneration r USING taken t
        WHERE r.op_key = t.op_key AND NOT EXISTS (SELECT FROM failed f WHERE f.op_key = t.op_key)
      )
      SELECT t.op_key, f.dimensions, f.provider, f.params, f.deadline, f.production_task, f.producer, f.reason, e.note,
             (SELECT v.code FROM evidence v
              WHERE v.seq = f.seq AND v.op_key = f.op_key
                AND (v.code IN ('OUTCOME_UNKNOWN', 'LEASE_LOST', 'STALE_FENCE', 'AMBIGUOUS', 'NO_WAY_TO_KNOW',
                                'REMOTE_ID_TAKEN', 'CONTRADICTED', 'SUSPECTED_DUPLICATE', 'STREAM_CUT', 'STREAM_CONFLICT',
                                'OUTPUT_GONE', 'OUTPUT_UNAVAILABLE', 'OUTPUT_INVALID', 'CHECKSUM_MISMATCH')
                     OR v.code = 'EVENT_RECEIVED' AND v.note LIKE '%: succeeded')
              ORDER BY v.at DESC, v.id LIMIT 1),
             now()
      FROM taken t
      LEFT JOIN failed f ON f.op_key = t.op_key
      LEFT JOIN LATERAL (
        SELECT left(v.note, ?) AS note FROM evidence v
        WHERE v.seq = f.seq AND v.op_key = f.op_key AND v.at = f.changed_at AND v.code = f.reason AND v.note IS NOT NULL
        ORDER BY v.id LIMIT 1
      ) AS e ON true
      """;

  private static final String DONE = "DELETE FROM regeneration WHERE op_key = ANY (?::bytea[])";

  private final DSLContext db;

  /**
   * @param db made by {@link Database#dsl()}
   */
  public PostgresRegenerations(DSLContext db) {
    this.db = db;
  }

  @Override
  public void note(Map<OperationKey, Duration> pauses) {
    if (!pauses.isEmpty()) {
      run(
          "noting failed operations",
          () ->
              db.execute(
                  NOTE,
                  PgArray.bytea(pauses.keySet(), OperationKey::bytes),
                  PgArray.bigint(pauses.values(), Duration::toMillis)));
    }
  }

  @Override
  public List<Due> take(int limit, Duration lease) {
    Result<Record> taken =
        run(
            "taking failed operations",
            () -> db.fetch(TAKE, limit, lease.toMillis(), Ending.WHY_CHARS_MAX));
    List<Due> due = new ArrayList<>(taken.size());
    for (Record row : taken) {
      if (row.get(1) == null) {
        log.warn(
            "{} was noted as failed, and is not stored as that; the note is dropped",
            Rows.key(row, 0));
      } else {
        due.add(due(row));
      }
    }
    return due;
  }

  private static Due due(Record row) {
    OffsetDateTime deadline = (OffsetDateTime) row.get(4);
    return new Due(
        new NextGeneration.Earlier(
            Rows.key(row, 0),
            Rows.text(row, 1),
            Rows.text(row, 2),
            Rows.bytes(row, 3),
            deadline == null ? null : deadline.toInstant(),
            (String) row.get(5),
            (String) row.get(6)),
        code(row.get(7)),
        (String) row.get(8),
        code(row.get(9)),
        Rows.instant(row, 10));
  }

  private static @Nullable Code code(@Nullable Object name) {
    return name == null ? null : Code.valueOf((String) name);
  }

  @Override
  public void done(Collection<OperationKey> keys) {
    if (!keys.isEmpty()) {
      run(
          "forgetting failed operations",
          () -> db.execute(DONE, PgArray.bytea(keys, OperationKey::bytes)));
    }
  }
}
