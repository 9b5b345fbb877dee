package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** The compare-and-set of rule 4 and what belongs to it. Thread-safe. */
final class ChangeStatements {
  private static final String CHANGES =
      Input.of(
          "seq int8",
          "op_key bytea",
          "provider text",
          "fence int4",
          "claim uuid",
          "from_state text",
          "to_state text",
          "reason text",
          "review text",
          "remote_id text",
          "wake_ms int8",
          "address text",
          "sha256 bytea",
          "length int8",
          "content_type text");

  private static final String EVIDENCE =
      Input.of(
          "seq int8",
          "op_key bytea",
          "id int8",
          "fence int4",
          "source text",
          "code text",
          "status int4",
          "truncated bool",
          "remote_id text",
          "note text",
          "headers text",
          "body bytea");

  /*
   * `moved` carries every column that the later steps need, so none of them joins the input again. The evidence comes from
   * arrays of its own: it is kept whether or not its change took place (rule 9), and one wide input that both read would be
   * written to memory and read back twice. What was `sending` had a lease and no wake row. Each operation leaves `sending`
   * under a claim once, so the count of its lease is exact. Leases are locked after operations, in one order. Events that
   * came before their task was known are read now; nobody waits for one that somebody has in hand, who sees to it.
   */
  private static final String APPLY =
      """
      WITH moved AS (
        UPDATE operation o
        SET state = i.to_state::operation_state, reason = i.reason, review = i.review, lease_until = NULL,
            remote_id = CASE WHEN i.to_state IN ('accepted', 'failed') THEN coalesce(o.remote_id, i.remote_id)
                             ELSE o.remote_id END,
            looks = CASE WHEN i.from_state = 'unknown' THEN o.looks ELSE 0 END,
            version = o.version + 1,
            changed_at = CASE WHEN i.from_state = i.to_state THEN o.changed_at ELSE now() END
        FROM %1$s AS i
        WHERE o.seq = i.seq AND o.op_key = i.op_key AND o.fence = i.fence AND o.claim = i.claim
          AND o.state = i.from_state::operation_state
        RETURNING o.seq, o.op_key, o.state, o.reason, o.review, o.version, o.fence, o.remote_id, o.claim, i.provider,
                  i.from_state, i.wake_ms, i.address, i.sha256, i.length, i.content_type
      ), tasks AS (
        INSERT INTO remote_task (provider, remote_id, op_key, known_at)
        SELECT provider, remote_id, op_key, now() FROM moved
        WHERE remote_id IS NOT NULL AND state IN ('accepted', 'failed') AND from_state <> 'accepted'
        RETURNING provider, remote_id
      ), awaited AS MATERIALIZED (
        SELECT x.provider, x.event_id
        FROM tasks t, LATERAL ( -- for each on its own, so that no plan goes through all that wait
          SELECT provider, event_id FROM inbox
          WHERE remote_id = t.remote_id AND provider = t.provider AND op_key IS NULL AND due > now()
          FOR UPDATE SKIP LOCKED) AS x
      ), read AS (
        UPDATE inbox x SET due = now() FROM awaited a WHERE x.provider = a.provider AND x.event_id = a.event_id
      ), outputs AS (
        INSERT INTO output (op_key, address, sha256, length, content_type, stored_at)
        SELECT op_key, address, sha256, length, content_type, now() FROM moved WHERE state = 'complete'
      ), next AS (
        SELECT seq, op_key, provider, from_state, state,
               CASE WHEN review IS NOT NULL THEN 'person' WHEN state = 'prepared' THEN 'claim'
                    WHEN state = 'unknown' THEN 'look' ELSE 'follow' END::wake_role AS role,
               CASE WHEN review IS NOT NULL THEN now() ELSE now() + wake_ms * interval '1 millisecond' END AS at,
               CASE WHEN state = 'prepared' AND reason NOT IN ('PROTECTED_RESEND', 'RISK_ACCEPTED')
                    THEN (SELECT n.deadline FROM intent n WHERE n.op_key = moved.op_key) END AS deadline,
               CASE WHEN (state <> 'prepared' AND review IS NOT NULL
                          AND review NOT IN ('OUTPUT_GONE', 'OUTPUT_UNAVAILABLE', 'OUTPUT_INVALID', 'CHECKSUM_MISMATCH',
                                             'STREAM_CUT', 'STREAM_CONFLICT'))
                       OR (state = 'prepared' AND reason IN ('PROTECTED_RESEND', 'RISK_ACCEPTED'))
                    THEN true END AS occupies
        FROM moved WHERE state IN ('prepared', 'unknown', 'accepted')
      ), woken AS (
        INSERT INTO wake (seq, op_key, at, role, provider, deadline, occupies)
        SELECT seq, op_key, at, role, provider, deadline, occupies FROM next WHERE from_state = 'sending'
        %5$s
      ), rewoken AS (
        UPDATE wake w SET role = n.role, at = n.at, deadline = n.deadline, occupies = n.occupies,
                          since = CASE WHEN n.from_state = n.state::text THEN w.since ELSE now() END
        FROM next n WHERE n.from_state <> 'sending' AND w.seq = n.seq AND w.op_key = n.op_key
      ), rested AS (
        DELETE FROM wake w USING moved m
        WHERE m.from_state <> 'sending' AND m.state IN ('failed', 'complete') AND w.seq = m.seq AND w.op_key = m.op_key
      ), answered AS (
        SELECT claim, provider, count(*) AS many FROM moved WHERE from_state = 'sending' GROUP BY claim, provider
      ), counted AS (
        SELECT l.claim, l.provider, l.open, a.many
        FROM answered a JOIN lease l ON l.claim = a.claim AND l.provider = a.provider
        ORDER BY l.claim, l.provider FOR UPDATE OF l
      ), lowered AS (
        UPDATE lease l SET open = l.open - c.many
        FROM counted c WHERE l.claim = c.claim AND l.provider = c.provider AND c.open > c.many
      ), ended AS (
        DELETE FROM lease l USING counted c WHERE l.claim = c.claim AND l.provider = c.provider AND c.open <= c.many
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, status, truncated, remote_id, note, headers, body)
        SELECT seq, op_key, id, now(), fence, source, code, status, truncated, remote_id, note, headers, body
        FROM %2$s AS e
        %3$s
      ), told AS (
        %4$s
      )
      SELECT op_key FROM moved
      """;

  private static final String TOLD =
      Tell.of(
          """
          SELECT t.reconcile, op_key, version, fence, state, provider, reason, remote_id
          FROM moved, unnest(ARRAY[false, true]) AS t(reconcile)
          WHERE from_state <> state::text AND state <> 'prepared'
            AND (NOT t.reconcile OR state = 'unknown' AND review IS NULL)
          """);

  /** What a row that is there already violates. */
  private static final List<String> EXPECTED_NEW = List.of("evidence_pkey", "wake_pkey");

  private static final String FIRST = APPLY.formatted(CHANGES, EVIDENCE, "", TOLD, "");

  /*
   * The same, where some of the evidence may be stored already, or a hand left a wake row. Only a repeat after a lost answer
   * needs it, and looking for the conflict takes a second probe of a large index for each row.
   */
  private static final String AGAIN =
      APPLY.formatted(
          CHANGES,
          EVIDENCE,
          "ON CONFLICT (seq, op_key, id) DO NOTHING",
          TOLD,
          """
          ON CONFLICT (seq, op_key) DO UPDATE
          SET role = excluded.role, at = excluded.at, deadline = excluded.deadline, occupies = excluded.occupies
          """);

  private static final String EFFECTIVE =
      """
      SELECT o.op_key
      FROM unnest(?::bytea[], ?::int4[], ?::uuid[], ?::text[]) AS i(op_key, fence, claim, from_state)
      JOIN intent n ON n.op_key = i.op_key
      JOIN operation o ON o.seq = n.source_offset AND o.op_key = n.op_key
      WHERE o.fence = i.fence AND o.claim = i.claim
        AND (o.state::text <> i.from_state OR (o.state = 'unknown' AND o.lease_until IS NULL))
        -- the sweep leaves fence and claim as they were: that it was swept is not the change's doing
        AND o.reason IS DISTINCT FROM 'LEASE_LOST'
      """;

  /*
   * An unknown operation is looked at again. One that waits to be sent again, because it was proved that no task exists,
   * is held back: the proof was wrong. So is one that was never sent, as far as a database that lost commits knows. (A resend under a promise needs no such care: the provider answers it with the
   * task that exists.) The id of a suspicion follows from the remote id, so that a repeat adds nothing.
   */
  private static final String LATE =
      """
      WITH input AS (
        SELECT n.source_offset AS seq, n.op_key, n.provider, i.remote_id
        FROM unnest(?::bytea[], ?::text[]) AS i(op_key, remote_id) JOIN intent n ON n.op_key = i.op_key
      ), open AS (
        UPDATE operation o SET review = CASE WHEN o.state = 'prepared' THEN 'SUSPECTED_DUPLICATE' END
        FROM input i
        WHERE o.seq = i.seq AND o.op_key = i.op_key
          AND (o.state = 'unknown'
            OR o.state = 'prepared' AND i.remote_id IS NOT NULL
               AND o.reason IS DISTINCT FROM 'PROTECTED_RESEND')
        RETURNING o.seq, o.op_key, o.fence, o.version, o.reason, o.state, o.lease_until, i.provider
      ), woken AS (
        UPDATE wake w
        SET role = CASE WHEN open.state = 'prepared' THEN 'person' ELSE 'look' END::wake_role,
            -- not before a look that is under way ends: what is due and cannot be held stands in the way of others
            at = CASE WHEN open.state = 'prepared' THEN now() ELSE least(w.at, greatest(now(), open.lease_until)) END,
            occupies = CASE WHEN open.state = 'prepared' THEN true END
        FROM open WHERE w.seq = open.seq AND w.op_key = open.op_key
        RETURNING w.seq, w.op_key
      ), told AS (
        %s
      ), suspected AS (
        SELECT o.seq, o.op_key, o.fence, i.remote_id FROM input i JOIN operation o ON o.seq = i.seq AND o.op_key = i.op_key
        WHERE i.remote_id IS NOT NULL
          AND (o.remote_id <> i.remote_id
            OR o.remote_id IS NULL AND o.state <> 'unknown' AND o.reason IS DISTINCT FROM 'PROTECTED_RESEND')
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, remote_id, note)
        SELECT seq, op_key, hashtextextended(remote_id, 0), now(), fence, 'submit', 'SUSPECTED_DUPLICATE', false, remote_id,
               'a claim that was no longer the newest reports a remote task that this operation does not have'
        FROM suspected
        ON CONFLICT (seq, op_key, id) DO NOTHING
      )
      SELECT op_key, false FROM suspected
      UNION ALL
      SELECT op_key, true FROM open WHERE (seq, op_key) NOT IN (SELECT seq, op_key FROM woken)
      """
          .formatted(
              Tell.of(
                  """
                  SELECT true, op_key, version, fence, state, provider, reason, NULL::text
                  FROM open WHERE state = 'unknown'
                  """));

  private static final int LATE_TRIES = 3;

  private final DSLContext db;

  ChangeStatements(DSLContext db) {
    this.db = db;
  }

  Set<OperationKey> apply(List<Change> changes) {
    List<Change> sorted = sorted(changes);
    try {
      return apply(FIRST, sorted);
    } catch (DataAccessException e) {
      if (EXPECTED_NEW.stream().noneMatch(constraint -> SqlErrors.violates(constraint, e))) {
        throw e;
      }
      return apply(AGAIN, sorted);
    }
  }

  private Set<OperationKey> apply(String statement, List<Change> sorted) {
    Field<?> places = PgArray.bigint(sorted, Change::seq);
    Field<?> keys = PgArray.bytea(sorted, c -> c.key().bytes());
    Field<?> fences = PgArray.integer(sorted, Change::fence);
    return keys(
        db.resultQuery(
                statement,
                places,
                keys,
                PgArray.text(sorted, Change::provider),
                fences,
                PgArray.uuid(sorted, Change::claim),
                PgArray.text(sorted, c -> c.from().word()),
                PgArray.text(sorted, c -> c.to().word()),
                PgArray.text(sorted, c -> c.reason().name()),
                PgArray.text(sorted, c -> name(c.review())),
                PgArray.text(sorted, Change::remoteId),
                PgArray.bigint(sorted, c -> c.wakeAfter().toMillis()),
                PgArray.text(sorted, c -> c.output() == null ? null : c.output().address()),
                PgArray.bytea(sorted, c -> c.output() == null ? null : c.output().sha256()),
                PgArray.bigint(sorted, c -> c.output() == null ? null : c.output().length()),
                PgArray.text(sorted, c -> c.output() == null ? null : c.output().contentType()),
                places,
                keys,
                PgArray.bigint(sorted, c -> c.evidence().id()),
                fences,
                PgArray.text(sorted, c -> c.evidence().source().word()),
                PgArray.text(sorted, c -> c.evidence().code().name()),
                PgArray.integer(sorted, c -> c.evidence().status()),
                PgArray.bool(sorted, c -> c.evidence().truncated()),
                PgArray.text(sorted, c -> printable(c.evidence().remoteId())),
                PgArray.text(sorted, c -> printable(c.evidence().note())),
                PgArray.text(sorted, c -> printable(c.evidence().headers())),
                PgArray.bytea(sorted, c -> c.evidence().body()))
            .fetch());
  }

  Set<OperationKey> effective(List<Change> changes) {
    return keys(
        db.resultQuery(
                EFFECTIVE,
                PgArray.bytea(changes, c -> c.key().bytes()),
                PgArray.integer(changes, Change::fence),
                PgArray.uuid(changes, Change::claim),
                PgArray.text(changes, c -> c.from().word()))
            .fetch());
  }

  Set<OperationKey> late(Map<OperationKey, String> remoteIds) {
    List<Map.Entry<OperationKey, String>> entries =
        remoteIds.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList();
    Set<OperationKey> suspected = new HashSet<>();
    for (int i = 0; i < LATE_TRIES && !entries.isEmpty(); i++) {
      Set<OperationKey> unseen = new HashSet<>();
      db.resultQuery(
              LATE,
              PgArray.bytea(entries, e -> e.getKey().bytes()),
              PgArray.text(entries, e -> e.getValue().isEmpty() ? null : e.getValue()))
          .fetch()
          .forEach(
              row -> (Boolean.TRUE.equals(row.get(1)) ? unseen : suspected).add(Rows.key(row, 0)));
      // given back since the statement began: its new wake row is seen by the next one
      entries = entries.stream().filter(e -> unseen.contains(e.getKey())).toList();
    }
    return suspected;
  }

  private static List<Change> sorted(List<Change> changes) {
    Set<OperationKey> seen = new HashSet<>();
    for (Change change : changes) {
      if (!seen.add(change.key())) {
        throw new IllegalArgumentException("two changes of " + change.key() + " in one batch");
      }
    }
    return changes.stream().sorted((a, b) -> a.key().compareTo(b.key())).toList();
  }

  private static Set<OperationKey> keys(org.jooq.Result<org.jooq.Record> rows) {
    Set<OperationKey> keys = HashSet.newHashSet(rows.size());
    rows.forEach(row -> keys.add(Rows.key(row, 0)));
    return keys;
  }

  private static @Nullable String name(@Nullable Enum<?> code) {
    return code == null ? null : code.name();
  }

  /** PostgreSQL's text cannot hold U+0000; the raw bytes keep it. */
  private static @Nullable String printable(@Nullable String text) {
    return text == null ? null : text.replace('\u0000', '\uFFFD');
  }
}
