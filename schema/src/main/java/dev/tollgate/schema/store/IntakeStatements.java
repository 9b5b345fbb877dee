package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** Statements of intake: storing intents and telling known ones. Thread-safe. */
final class IntakeStatements {
  /*
   * `intent` is inserted first and alone decides what is new; the other rows follow from what it returns. Expected plan:
   * function scan, insert with one index probe a row; nested loops over the few terms.
   */
  private static final String INSERT =
      """
      WITH input AS (
        SELECT * FROM unnest(?::bytea[], ?::text[], ?::bytea[], ?::bytea[], ?::bool[], ?::int8[], ?::text[], ?::text[],
                             ?::bytea[], ?::int4[], ?::int8[])
          AS i(op_key, provider, request_hash, submission_key, send_now, deadline_ms, production_task, dimensions,
               params, source_partition, source_offset)
      ), terms AS (
        SELECT * FROM unnest(?::text[], ?::int8[], ?::int8[], ?::int8[])
          AS t(provider, send_within_ms, lease_ms, absent_after_ms)
      ), stored AS (
        INSERT INTO intent (op_key, provider, request_hash, submission_key, first_claim, deadline, created_at,
                            source_partition, source_offset, production_task, dimensions, params)
        SELECT op_key, provider, request_hash, submission_key, CASE WHEN send_now THEN ?::uuid END,
               timestamptz 'epoch' + deadline_ms * interval '1 millisecond', now(),
               source_partition, source_offset, production_task, dimensions, params
        FROM input
        ON CONFLICT (op_key) DO NOTHING
        RETURNING seq, op_key, provider, first_claim, deadline
      ), operations AS (
        INSERT INTO operation (seq, op_key, claim, lease_until, changed_at, fence, version, attempts, looks, state)
        SELECT s.seq, s.op_key, s.first_claim,
               CASE WHEN s.first_claim IS NOT NULL THEN now() + t.lease_ms * interval '1 millisecond' END,
               now(), CASE WHEN s.first_claim IS NULL THEN 0 ELSE 1 END, 1,
               CASE WHEN s.first_claim IS NULL THEN 0 ELSE 1 END, 0,
               CASE WHEN s.first_claim IS NULL THEN 'prepared' ELSE 'sending' END::operation_state
        FROM stored s JOIN terms t ON t.provider = s.provider
      ), attempts AS (
        INSERT INTO attempt (seq, op_key, fence, claim, owner, began_at, send_deadline, absent_after)
        SELECT s.seq, s.op_key, 1, s.first_claim, ?, now(), now() + t.send_within_ms * interval '1 millisecond',
               now() + (t.send_within_ms + t.absent_after_ms) * interval '1 millisecond'
        FROM stored s JOIN terms t ON t.provider = s.provider
        WHERE s.first_claim IS NOT NULL
      ), wakes AS (
        INSERT INTO wake (seq, op_key, at, role, provider, deadline)
        SELECT s.seq, s.op_key,
               CASE WHEN s.first_claim IS NULL THEN now() ELSE now() + t.lease_ms * interval '1 millisecond' END,
               CASE WHEN s.first_claim IS NULL THEN 'claim' ELSE 'sweep' END::wake_role, s.provider, s.deadline
        FROM stored s JOIN terms t ON t.provider = s.provider
      )
      SELECT op_key FROM stored
      """;

  private static final String FIND =
      """
      SELECT i.op_key, i.request_hash, o.state::text, o.fence, o.claim
      FROM unnest(?::bytea[]) AS k(op_key)
      JOIN intent i ON i.op_key = k.op_key
      JOIN operation o ON o.seq = i.seq AND o.op_key = i.op_key
      """;

  private final DSLContext db;

  IntakeStatements(DSLContext db) {
    this.db = db;
  }

  Set<OperationKey> insert(
      List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms) {
    // one order for all workers, so that two of them cannot wait for each other's keys
    List<NewIntent> sorted = intents.stream().sorted((a, b) -> a.key().compareTo(b.key())).toList();
    var stored =
        db.resultQuery(
                INSERT,
                PgArray.bytea(sorted, i -> i.key().bytes()),
                PgArray.text(sorted, NewIntent::provider),
                PgArray.bytea(sorted, NewIntent::requestHash),
                PgArray.bytea(sorted, NewIntent::submissionKey),
                PgArray.bool(sorted, NewIntent::sendNow),
                PgArray.bigint(sorted, IntakeStatements::deadlineMillis),
                PgArray.text(sorted, NewIntent::productionTask),
                PgArray.text(sorted, NewIntent::dimensions),
                PgArray.bytea(sorted, NewIntent::params),
                PgArray.integer(sorted, NewIntent::sourcePartition),
                PgArray.bigint(sorted, NewIntent::sourceOffset),
                PgArray.text(terms, Terms::provider),
                PgArray.bigint(terms, t -> t.sendWithin().toMillis()),
                PgArray.bigint(terms, t -> t.lease().toMillis()),
                PgArray.bigint(terms, t -> t.absentAfter().toMillis()),
                DSL.val(claim),
                DSL.val(owner))
            .fetch();
    Set<OperationKey> keys = HashSet.newHashSet(stored.size());
    stored.forEach(row -> keys.add(Rows.key(row, 0)));
    if (keys.isEmpty()) {
      // nothing was written, so nothing waited: what is known may not be replicated yet
      db.fetch(Rows.AWAIT_REPLICATION);
    }
    return keys;
  }

  private static @org.jspecify.annotations.Nullable Long deadlineMillis(NewIntent intent) {
    Instant deadline = intent.deadline();
    return deadline == null ? null : deadline.toEpochMilli();
  }

  List<KnownIntent> find(Collection<OperationKey> keys) {
    return db.resultQuery(FIND, PgArray.bytea(keys, OperationKey::bytes))
        .fetch(
            row ->
                new KnownIntent(
                    Rows.key(row, 0),
                    Rows.bytes(row, 1),
                    OperationState.of(Rows.text(row, 2)),
                    Rows.integer(row, 3),
                    (UUID) row.get(4)));
  }
}
