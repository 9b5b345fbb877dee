package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;

/** Statements of the reconciler, and of following accepted tasks. Thread-safe. */
final class LookStatements {
  private static final String HOLD =
      """
      , held AS (
        SELECT o.seq, o.op_key FROM due %s
        WHERE o.state = 'unknown' AND o.review IS NULL AND (o.lease_until IS NULL OR o.lease_until <= now())
        FOR UPDATE OF o SKIP LOCKED
      ), claimed AS (
        UPDATE operation o
        SET claim = ?, fence = o.fence + 1, looks = least(o.looks + 1, 32000),
            lease_until = now() + ? * interval '1 millisecond'
        FROM held WHERE o.seq = held.seq AND o.op_key = held.op_key
        RETURNING o.seq, o.op_key, o.fence, o.claim, o.attempts, o.looks
      ), later AS (
        -- should this reconciler die, the operation is due again when its lease ends
        UPDATE wake w SET at = now() + ? * interval '1 millisecond'
        FROM claimed WHERE w.seq = claimed.seq AND w.op_key = claimed.op_key
      )
      SELECT c.op_key, i.provider, c.fence, c.claim, c.attempts, c.looks, a.first_began, a.last_began, a.absent_after,
             now(), i.params, i.submission_key, c.seq, a.carried, a.sent_to, a.lost,
             i.price, i.deadline
      FROM claimed c
      JOIN intent i ON i.op_key = c.op_key
      CROSS JOIN LATERAL (
        SELECT min(began_at) AS first_began, max(began_at) AS last_began, max(absent_after) AS absent_after,
               coalesce(bit_and(carried) FILTER (WHERE open), 0)::int4 AS carried,
               CASE WHEN min(sent_to) FILTER (WHERE open) = max(sent_to) FILTER (WHERE open) THEN min(sent_to) FILTER (WHERE open) END AS sent_to,
               count(*) FILTER (WHERE open)::int4 AS lost
        FROM %s
      ) AS a
      """
          .formatted(ClaimStatements.STILL, ClaimStatements.ATTEMPTS_OF.formatted("c"));

  private static final String LOOK =
      "WITH "
          + ClaimStatements.DUE.formatted(
              """
              SELECT i.source_offset AS seq, i.op_key, i.provider
              FROM unnest(?::bytea[]) AS k(op_key) JOIN intent i ON i.op_key = k.op_key
              WHERE i.provider NOT IN (SELECT unnest(?::text[]))
              """)
          + HOLD;

  private static final String LOOK_DUE =
      "WITH "
          + ClaimStatements.DUE.formatted(
              """
              SELECT seq, op_key, provider FROM wake WHERE role = 'look' AND provider = ? AND at <= now()
              ORDER BY at LIMIT ?
              """)
          + HOLD;

  private static final String REMOTE_IDS_SEEN =
      """
      SELECT e.op_key, e.remote_id FROM unnest(?::bytea[]) AS k(op_key)
      JOIN intent i ON i.op_key = k.op_key
      JOIN evidence e ON e.seq = i.source_offset AND e.op_key = i.op_key
      WHERE e.remote_id IS NOT NULL AND e.source IN ('submit', 'webhook')
      """;

  /* LATERAL with LIMIT: as a plain join it got a plan that reads all tasks of the provider. */
  private static final String OWNERS =
      """
      SELECT t.remote_id, t.op_key FROM unnest(?::text[]) AS k(remote_id)
      CROSS JOIN LATERAL (
        SELECT remote_id, op_key FROM remote_task WHERE remote_id = k.remote_id AND provider = ? LIMIT 1
      ) AS t
      """;

  /* Reads what is open at one provider (sending, unknown, waiting for a person): bounded by what was claimed lately. */
  private static final String RIVALS =
      """
      SELECT r.op_key
      FROM intent me CROSS JOIN (
        SELECT op_key FROM wake WHERE role IN ('look', 'person') AND provider = ?
        UNION ALL
        SELECT o.op_key
        FROM lease l
        %s
        WHERE l.provider = ?
      ) AS open CROSS JOIN LATERAL (
        SELECT op_key FROM intent
        WHERE op_key = open.op_key AND op_key <> me.op_key AND request_hash = me.request_hash OFFSET 0
      ) AS r
      WHERE me.op_key = ?
      LIMIT 16
      """
          .formatted(ClaimStatements.SENDING_UNDER.formatted("l"));

  /* Locks wake rows alone and waits for none, so it needs no place in the order of locks. */
  private static final String FOLLOW =
      """
      WITH due AS (
        SELECT seq, op_key FROM wake WHERE role = 'follow' AND provider = ? AND at <= now() ORDER BY at LIMIT ?
        FOR UPDATE SKIP LOCKED
      ), seen AS (
        SELECT o.seq, o.op_key, o.fence, o.claim, o.remote_id, o.changed_at
        FROM due JOIN operation o ON o.seq = due.seq AND o.op_key = due.op_key
        WHERE o.state = 'accepted' AND o.review IS NULL
      ), later AS (
        UPDATE wake w
        SET at = now() + greatest(? * interval '1 millisecond',
                                  least(? * interval '1 millisecond', (now() - seen.changed_at) / 8))
        FROM seen WHERE w.seq = seen.seq AND w.op_key = seen.op_key
      )
      SELECT op_key, fence, claim, remote_id, seq,
             (SELECT a.sent_to FROM attempts a WHERE a.seq = seen.seq AND a.op_key = seen.op_key ORDER BY a.fence DESC LIMIT 1)
      FROM seen
      """;

  private static final String WAITING =
      """
      SELECT provider, role, unknown, count(*), greatest(0, extract(epoch FROM now() - min(since)) * 1000)::bigint,
             count(*) FILTER (WHERE at <= now()),
             count(*) FILTER (WHERE since > now() - interval '1 minute'),
             count(*) FILTER (WHERE since > now() - interval '10 minutes'),
             count(*) FILTER (WHERE since > now() - interval '1 hour'),
             count(*) FILTER (WHERE since > now() - interval '1 day')
      FROM (
        SELECT provider, role::text, role = 'look' AS unknown, at, since FROM wake WHERE role <> 'person'
        UNION ALL
        -- these are few, and may be in any open state
        SELECT w.provider, w.role::text, o.state = 'unknown', w.at, w.since
        FROM wake w JOIN operation o ON o.seq = w.seq AND o.op_key = w.op_key WHERE w.role = 'person'
      ) AS w GROUP BY provider, role, unknown
      UNION ALL
      SELECT '', 'relay', false, coalesce(sum(cardinality(reconcile)), 0)::bigint,
             coalesce(greatest(0, extract(epoch FROM now() - min(at)) * 1000), 0)::bigint, 0, 0, 0, 0, 0
      FROM outbox
      """;

  private final DSLContext db;

  LookStatements(DSLContext db) {
    this.db = db;
  }

  List<Look> look(Collection<OperationKey> keys, Set<String> except, UUID claim, Duration lease) {
    return looks(
        LOOK,
        List.of(PgArray.bytea(keys, OperationKey::bytes), PgArray.text(except, name -> name)),
        claim,
        lease);
  }

  List<Look> lookDue(String provider, int limit, UUID claim, Duration lease) {
    return looks(LOOK_DUE, List.of(DSL.val(provider), DSL.val(limit)), claim, lease);
  }

  private List<Look> looks(String sql, List<Field<?>> due, UUID claim, Duration lease) {
    Field<Long> leaseMillis = DSL.val(lease.toMillis());
    Object[] binds = new Object[due.size() + 3];
    for (int i = 0; i < due.size(); i++) {
      binds[i] = due.get(i);
    }
    binds[due.size()] = DSL.val(claim);
    binds[due.size() + 1] = leaseMillis;
    binds[due.size() + 2] = leaseMillis;
    return db.resultQuery(sql, binds).fetch(LookStatements::toLook);
  }

  private static Look toLook(Record row) {
    return new Look(
        Rows.key(row, 0),
        Rows.text(row, 1),
        Rows.integer(row, 2),
        Rows.uuid(row, 3),
        Rows.integer(row, 4),
        Rows.integer(row, 5),
        Rows.instant(row, 6),
        Rows.instant(row, 7),
        Rows.instant(row, 8),
        Rows.instant(row, 9),
        Rows.bytes(row, 10),
        Rows.bytes(row, 11),
        Rows.bigint(row, 12),
        Rows.integer(row, 13),
        row.get(14) == null ? OptionalLong.empty() : OptionalLong.of(Rows.bigint(row, 14)),
        Rows.integer(row, 15),
        row.get(16, Long.class),
        row.get(17) == null ? null : Rows.instant(row, 17));
  }

  Map<OperationKey, Set<String>> remoteIdsSeen(Collection<OperationKey> keys) {
    Map<OperationKey, Set<String>> seen = new HashMap<>();
    db.resultQuery(REMOTE_IDS_SEEN, PgArray.bytea(keys, OperationKey::bytes))
        .fetch()
        .forEach(
            row ->
                seen.computeIfAbsent(Rows.key(row, 0), _ -> new HashSet<>())
                    .add(Rows.text(row, 1)));
    return seen;
  }

  Map<String, OperationKey> owners(String provider, Collection<String> remoteIds) {
    Map<String, OperationKey> owners = new HashMap<>();
    db.resultQuery(OWNERS, PgArray.text(remoteIds, id -> id), DSL.val(provider))
        .fetch()
        .forEach(row -> owners.put(Rows.text(row, 0), Rows.key(row, 1)));
    return owners;
  }

  List<OperationKey> rivals(OperationKey key, String provider) {
    return db.resultQuery(RIVALS, DSL.val(provider), DSL.val(provider), DSL.val(key.bytes()))
        .fetch(row -> Rows.key(row, 0));
  }

  List<Waiting> waiting() {
    return db.resultQuery(WAITING)
        .fetch(
            row ->
                new Waiting(
                    Rows.text(row, 0),
                    Rows.text(row, 1),
                    Boolean.TRUE.equals(row.get(2, Boolean.class)),
                    Rows.bigint(row, 3),
                    Duration.ofMillis(Rows.bigint(row, 4)),
                    Rows.bigint(row, 5),
                    List.of(
                        Rows.bigint(row, 6),
                        Rows.bigint(row, 7),
                        Rows.bigint(row, 8),
                        Rows.bigint(row, 9))));
  }

  List<Follow> follow(String provider, int limit, Duration atLeast, Duration atMost) {
    return db.resultQuery(
            FOLLOW,
            DSL.val(provider),
            DSL.val(limit),
            DSL.val(atLeast.toMillis()),
            DSL.val(atMost.toMillis()))
        .fetch(
            row ->
                new Follow(
                    Rows.key(row, 0),
                    provider,
                    Rows.integer(row, 1),
                    Rows.uuid(row, 2),
                    Rows.text(row, 3),
                    Rows.bigint(row, 4),
                    Rows.bigint(row, 5)));
  }
}
