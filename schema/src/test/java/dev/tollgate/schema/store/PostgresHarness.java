package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** The store on PostgreSQL with a database of its own. */
public final class PostgresHarness implements StoreHarness {
  /** Every table of the schema that holds operations. */
  static final String TABLES =
      "intent, operation, attempt, evidence, remote_task, output, wake, lease, outbox, duty, allowance, budget, refund, inbox, regeneration, chunk, chunk_outbox, dead_letter, dead_letter_run, history, history_lost, intake_progress";

  /* "Is anything forgotten?", and the ties between rows that no foreign key holds. */
  private static final String BROKEN =
      """
      SELECT coalesce(encode(o.op_key, 'hex'), encode(w.op_key, 'hex')) || ' is ' || coalesce(o.state::text, 'missing')
             || ', review ' || coalesce(o.review, 'none') || ', next ' || coalesce(w.role::text, 'none')
             || ', attempts ' || coalesce(o.attempts, 0) || ', rows ' || a.rows
      FROM operation o
      FULL JOIN wake w ON w.op_key = o.op_key
      LEFT JOIN intent i ON i.op_key = o.op_key
      LEFT JOIN output p ON p.op_key = o.op_key
      CROSS JOIN LATERAL (
        SELECT count(*) AS rows, max(fence) AS newest FROM attempts WHERE attempts.op_key = o.op_key
      ) AS a
      -- what is buried is on its way out
      WHERE (i.ended_at IS NULL) AND (o.op_key IS NULL OR i.op_key IS NULL
         OR w.role::text IS DISTINCT FROM CASE
              WHEN o.state IN ('failed', 'complete') THEN NULL
              WHEN o.review IS NOT NULL THEN 'person'
              WHEN o.state = 'prepared' THEN 'claim'
              WHEN o.state = 'sending' THEN NULL
              WHEN o.state = 'unknown' THEN 'look'
              WHEN o.state = 'accepted' THEN 'follow' END
         OR w.provider <> i.provider
         OR coalesce(w.occupies, false) <> (
              (o.review IS NOT NULL AND (o.state <> 'prepared' OR o.review = 'SUSPECTED_DUPLICATE')
                AND o.review NOT IN ('OUTPUT_GONE', 'OUTPUT_UNAVAILABLE', 'OUTPUT_INVALID', 'CHECKSUM_MISMATCH', 'STREAM_CUT', 'STREAM_CONFLICT'))
              OR (o.state = 'prepared' AND coalesce(o.reason, '') IN ('PROTECTED_RESEND', 'RISK_ACCEPTED')))
         OR o.state = 'sending' AND NOT EXISTS (
              SELECT FROM lease l
              WHERE l.claim = o.claim AND l.provider = i.provider AND o.op_key = ANY (l.op_keys) AND o.seq = ANY (l.seqs))
         OR a.rows <> o.attempts OR a.newest > o.fence
         OR (o.state = 'complete') <> (p.op_key IS NOT NULL)
         OR (o.state IN ('accepted', 'complete') AND NOT EXISTS (
              SELECT FROM remote_task t
              WHERE t.provider = i.provider AND t.remote_id = o.remote_id AND t.op_key = o.op_key)))
      UNION ALL
      SELECT 'intent without operation ' || encode(i.op_key, 'hex') FROM intent i
      WHERE i.ended_at IS NULL AND NOT EXISTS (SELECT FROM operation o WHERE o.op_key = i.op_key)
      """;

  private final Database database;
  private final OperationStore store;
  private final OperationStore another;

  public PostgresHarness(DatabaseSettings settings) {
    this.database = new Database(settings, "store-under-test", 4, null);
    this.store = new PostgresOperationStore(database.dsl());
    this.another = new PostgresOperationStore(database.dsl());
  }

  @Override
  public OperationStore store() {
    return store;
  }

  @Override
  public OperationStore another() {
    return another;
  }

  public DSLContext sql() {
    return database.dsl();
  }

  @Override
  public void reset() {
    sql().execute("TRUNCATE " + TABLES);
  }

  @Override
  public void letTimePass() {
    sql()
        .execute(
            "UPDATE operation SET lease_until = now() - interval '1 s' WHERE lease_until > now()");
    sql().execute("UPDATE wake SET at = now() - interval '1 s' WHERE at > now()");
    sql().execute("UPDATE lease SET until = now() - interval '1 s' WHERE until > now()");
    sql().execute("UPDATE inbox SET due = now() - interval '1 s' WHERE due > now()");
    sql().execute("UPDATE duty SET until = now() - interval '1 s' WHERE until > now()");
  }

  @Override
  public void age(OperationKey key, Duration by) {
    sql()
        .execute(
            "UPDATE operation SET changed_at = changed_at - ? * interval '1 ms' WHERE op_key = ?",
            by.toMillis(),
            key.bytes());
    sql()
        .execute(
            "UPDATE wake SET since = since - ? * interval '1 ms' WHERE op_key = ?",
            by.toMillis(),
            key.bytes());
  }

  @Override
  public int leases() {
    return sql().fetchCount(org.jooq.impl.DSL.table("lease"));
  }

  @Override
  public int count(OperationState state) {
    return Rows.integer(
        sql()
            .fetchSingle(
                "SELECT count(*) FROM operation WHERE state = ?::operation_state", state.word()),
        0);
  }

  @Override
  public List<String> broken() {
    return sql().fetch(BROKEN).map(row -> Rows.text(row, 0));
  }

  @Override
  public Optional<StoredOperation> read(OperationKey key) {
    return sql()
        .fetchOptional(
            """
            SELECT o.state::text, o.reason, o.review, o.remote_id, o.fence, o.claim, o.attempts, o.looks, o.version,
                   o.lease_until IS NOT NULL, CASE WHEN o.state = 'sending' THEN 'sweep' ELSE w.role::text END,
                   (extract(epoch FROM coalesce(w.at, o.lease_until) - now()) * 1000)::int8,
                   p.address, p.sha256, p.length, p.content_type
            FROM operation o LEFT JOIN wake w USING (op_key) LEFT JOIN output p USING (op_key) WHERE op_key = ?
            """,
            key.bytes())
        .map(row -> stored(key, row));
  }

  private StoredOperation stored(OperationKey key, Record row) {
    return new StoredOperation(
        OperationState.of(Rows.text(row, 0)),
        code(row.get(1)),
        code(row.get(2)),
        (String) row.get(3),
        Rows.integer(row, 4),
        (UUID) row.get(5),
        Rows.integer(row, 6),
        Rows.integer(row, 7),
        Rows.integer(row, 8),
        Boolean.TRUE.equals(row.get(9)),
        row.get(10) == null
            ? null
            : new StoredOperation.Wake(Rows.text(row, 10), Duration.ofMillis(Rows.bigint(row, 11))),
        attempts(key),
        evidence(key),
        row.get(12) == null
            ? null
            : new StoredOutput(
                Rows.text(row, 12),
                Rows.bytes(row, 13),
                Rows.bigint(row, 14),
                (String) row.get(15)));
  }

  private List<StoredOperation.Attempt> attempts(OperationKey key) {
    return sql()
        .fetch(
            """
            SELECT fence, claim, owner, (extract(epoch FROM send_deadline - began_at) * 1000)::int8,
                   (extract(epoch FROM absent_after - send_deadline) * 1000)::int8
            FROM attempts WHERE op_key = ? ORDER BY fence
            """,
            key.bytes())
        .map(
            row ->
                new StoredOperation.Attempt(
                    Rows.integer(row, 0),
                    Rows.uuid(row, 1),
                    Rows.text(row, 2),
                    Duration.ofMillis(Rows.bigint(row, 3)),
                    Duration.ofMillis(Rows.bigint(row, 4))));
  }

  private List<StoredOperation.Seen> evidence(OperationKey key) {
    return sql()
        .fetch(
            "SELECT source, code, fence, status, remote_id, note FROM evidence WHERE op_key = ? ORDER BY at, id",
            key.bytes())
        .map(
            row ->
                new StoredOperation.Seen(
                    Rows.text(row, 0),
                    Code.valueOf(Rows.text(row, 1)),
                    Rows.integer(row, 2),
                    row.get(3) == null ? null : Rows.integer(row, 3),
                    (String) row.get(4),
                    (String) row.get(5)));
  }

  private static @Nullable Code code(@Nullable Object name) {
    return name == null ? null : Code.valueOf((String) name);
  }

  @Override
  public void close() {
    database.close();
  }
}
