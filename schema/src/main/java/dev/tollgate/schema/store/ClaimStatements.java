package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;

/** Statements that give the right to send, and those that end it without a send. Thread-safe. */
final class ClaimStatements {
  /*
   * What a statement that takes operations starts with: due rows, each with the fence that its operation had then. A row is
   * locked in its newest version, and everything else is seen as it was when the statement began. An operation that was
   * claimed and given back in between looks the same, but it has another wake row, which the statement cannot see and
   * would leave behind: so the fence must still be the same.
   */
  static final String DUE =
      """
      due AS MATERIALIZED (
        SELECT w.seq, w.op_key, w.provider, seen.fence FROM (
          %s
        ) AS w
        CROSS JOIN LATERAL (SELECT o.fence FROM operation o WHERE o.seq = w.seq AND o.op_key = w.op_key OFFSET 0) AS seen
      )""";

  /* Reads the operation as it is now, if nobody had it since. */
  static final String STILL =
      "JOIN operation o ON o.seq = due.seq AND o.op_key = due.op_key AND o.fence = due.fence";

  /*
   * The attempts of an operation, and whether each may have created something. One whose own outcome says otherwise is a
   * matter of what it cost alone: it says nothing about what is to be looked for, and where.
   */
  static final String ATTEMPTS_OF =
      """
      (
        SELECT a.*, (SELECT bool_and(e.code IN ('NOT_SENT', 'PROVIDER_THROTTLED', 'ACCOUNT_REFUSED', 'PROVIDER_REJECTED'))
                     FROM evidence e
                     WHERE e.seq = a.seq AND e.op_key = a.op_key AND e.fence = a.fence AND e.source = 'submit') IS NOT TRUE AS open
        FROM attempts a WHERE a.seq = %1$s.seq AND a.op_key = %1$s.op_key
      ) AS a
      """;

  /*
   * More due rows are read than are wanted: those that another worker is claiming at this moment are passed over. The
   * operation is locked first, then its wake row: the order of every statement. From here until its outcome it is found by
   * the lease. A repeat under a claim that took something takes nothing more.
   */
  private static final String CLAIM =
      """
      WITH %s, held AS (
        SELECT o.seq, o.op_key FROM due %s
        WHERE o.state = 'prepared' AND o.review IS NULL
          AND NOT EXISTS (SELECT FROM lease l WHERE l.claim = ? AND l.provider = due.provider)
        LIMIT ? FOR UPDATE OF o SKIP LOCKED
      ), claimed AS (
        UPDATE operation o
        SET state = 'sending', claim = ?, fence = o.fence + 1, attempts = o.attempts + 1,
            lease_until = now() + ? * interval '1 millisecond', changed_at = now()
        FROM held WHERE o.seq = held.seq AND o.op_key = held.op_key
        RETURNING o.seq, o.op_key, o.fence, o.claim, o.attempts, o.reason
      ), begun AS (
        INSERT INTO attempt (seq, op_key, fence, claim, owner, began_at, send_deadline, absent_after, carried, sent_to)
        SELECT seq, op_key, fence, claim, ?, now(), now() + ? * interval '1 millisecond', now() + ? * interval '1 millisecond',
               ?, ?
        FROM claimed
      ), leased AS (
        INSERT INTO lease (claim, provider, until, open, seqs, op_keys)
        SELECT claim, ?, now() + ? * interval '1 millisecond', count(*), array_agg(seq), array_agg(op_key)
        FROM claimed GROUP BY claim
      ), taken AS (
        DELETE FROM wake w USING claimed WHERE w.seq = claimed.seq AND w.op_key = claimed.op_key
      )
      SELECT c.op_key, i.provider, c.fence, c.claim, c.attempts, c.reason IN ('PROTECTED_RESEND', 'RISK_ACCEPTED'), i.params, i.submission_key,
             -- rule 6, at the moment of the send: the operation may have waited long since the reconciler judged, and be sent
             -- by a worker that is configured otherwise
             CASE WHEN c.reason = 'PROTECTED_RESEND'
                  THEN (SELECT min(a.began_at) + ? * interval '1 millisecond' <= now() + ? * interval '1 millisecond'
                               OR coalesce(bit_and(a.carried) FILTER (WHERE a.open), 0) & 1 = 0
                               OR bool_or(a.sent_to <> ?) FILTER (WHERE a.open)
                        FROM %s) END,
             c.seq
      FROM claimed c JOIN intent i ON i.op_key = c.op_key
      """
          .formatted(
              DUE.formatted(
                  """
                  SELECT seq, op_key, provider FROM wake
                  WHERE role = 'claim' AND provider = ? AND at <= now() AND (deadline IS NULL OR deadline > now())
                  ORDER BY at LIMIT ?
                  """),
              STILL,
              ATTEMPTS_OF.formatted("c"));

  /*
   * What is still `sending` under a row of `lease`. One look-up for each place: as a plain join it got a plan that reads
   * all operations.
   */
  static final String SENDING_UNDER =
      """
      CROSS JOIN unnest(%1$s.seqs, %1$s.op_keys) AS place(seq, op_key) CROSS JOIN LATERAL (
        SELECT * FROM operation o
        WHERE o.seq = place.seq AND o.op_key = place.op_key AND o.claim = %1$s.claim AND o.state = 'sending' OFFSET 0
      ) AS o
      """;

  /* Gives a right to send on the strength of an earlier commit, so it does not answer before that is replicated. */
  private static final String CLAIMED =
      "WITH durable AS MATERIALIZED ("
          + Rows.AWAIT_REPLICATION
          + ")\n"
          + """
            , held AS MATERIALIZED (
              SELECT o.seq, o.op_key, o.fence, o.claim, o.attempts, o.reason
              FROM lease l
              %s
              WHERE l.claim = ? AND l.provider = ?
            )
            SELECT h.op_key, i.provider, h.fence, h.claim, h.attempts, h.reason IN ('PROTECTED_RESEND', 'RISK_ACCEPTED'), i.params, i.submission_key,
                   h.reason = 'PROTECTED_RESEND', h.seq
            FROM durable CROSS JOIN held h
            CROSS JOIN LATERAL (SELECT * FROM intent WHERE op_key = h.op_key OFFSET 0) AS i
            """
              .formatted(SENDING_UNDER.formatted("l"));

  /*
   * The last outcome ends a lease; one whose time is over still holds what was never heard of. It ends when nothing is
   * `sending` under it any more: in the round after the one that found what was left. What another transaction holds locked
   * may be rolled back, so it keeps the lease.
   */
  private static final String SWEEP =
      """
      WITH due AS (
        SELECT claim, provider, seqs, op_keys FROM lease WHERE until <= now() ORDER BY until LIMIT ? FOR UPDATE SKIP LOCKED
      ), unheard AS (
        SELECT o.seq, o.op_key, o.claim, due.provider
        FROM due
        %s
      ), over AS (
        DELETE FROM lease l USING due
        WHERE l.claim = due.claim AND l.provider = due.provider
          AND (due.claim, due.provider) NOT IN (SELECT claim, provider FROM unheard)
        RETURNING 1
      ), held AS (
        SELECT o.seq, o.op_key, u.provider, o.changed_at AS since,
               -- under a claim of a history before this one
               coalesce((SELECT h.began_at >= o.changed_at AND h.n > (SELECT min(n) FROM history)
                         FROM history h ORDER BY h.n DESC LIMIT 1), false)::int AS doubt
        FROM unheard u JOIN operation o ON o.seq = u.seq AND o.op_key = u.op_key
        WHERE o.state = 'sending' AND o.claim = u.claim AND o.lease_until <= now()
        LIMIT ? FOR UPDATE OF o SKIP LOCKED
      ), lost AS (
        UPDATE operation o
        SET state = 'unknown', reason = 'LEASE_LOST', lease_until = NULL, looks = 0, changed_at = now(),
            version = o.version + 1 + held.doubt * 1000, fence = o.fence + held.doubt, attempts = o.attempts + held.doubt
        FROM held WHERE o.seq = held.seq AND o.op_key = held.op_key
        RETURNING o.seq, o.op_key, o.fence, o.claim, o.version, held.provider, held.doubt, held.since
      ), doubted AS (
        -- it may have been given back and sent again in commits that are missing: see Histories
        INSERT INTO attempt (seq, op_key, fence, claim, owner, began_at, send_deadline, absent_after, carried, sent_to)
        SELECT l.seq, l.op_key, l.fence, l.claim, 'history ' || h.id, least(l.since, now()), now(),
               now() + (a.absent_after - a.began_at), a.carried, a.sent_to
        FROM lost l CROSS JOIN LATERAL (
          SELECT * FROM attempts WHERE seq = l.seq AND op_key = l.op_key ORDER BY fence DESC LIMIT 1
        ) AS a CROSS JOIN (SELECT id FROM history ORDER BY n DESC LIMIT 1) AS h
        WHERE l.doubt = 1
      ), woken AS (
        INSERT INTO wake (seq, op_key, at, role, provider)
        SELECT seq, op_key, now() + ? * interval '1 millisecond', 'look', provider FROM lost
        -- one that a hand left there must not keep what was lost from being found
        ON CONFLICT (seq, op_key) DO UPDATE SET role = excluded.role, at = excluded.at, deadline = NULL, occupies = NULL
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, note)
        SELECT seq, op_key, (random() * 9e18)::int8, now(), fence, 'sweep', 'LEASE_LOST', false,
               'the lease ran out before an outcome was recorded'
        FROM lost
      ), told AS (
        %s
      )
      SELECT op_key, NULL::int8, NULL::int8 FROM lost
      UNION ALL
      SELECT NULL, (SELECT count(*) FROM due), (SELECT count(*) FROM over)
      """
          .formatted(
              SENDING_UNDER.formatted("due"),
              Tell.of(
                  """
                  SELECT t.reconcile, op_key, version, fence, 'unknown'::operation_state, provider, 'LEASE_LOST', NULL::text
                  FROM lost, unnest(ARRAY[false, true]) AS t(reconcile)
                  """));

  private static final String EXPIRE =
      """
      WITH %s, held AS (
        SELECT o.seq, o.op_key, due.provider FROM due %s
        WHERE o.state = 'prepared'
        FOR UPDATE OF o SKIP LOCKED
      ), ended AS (
        UPDATE operation o
        SET state = 'failed', reason = 'DEADLINE_EXPIRED', review = NULL, version = o.version + 1, changed_at = now()
        FROM held WHERE o.seq = held.seq AND o.op_key = held.op_key
        RETURNING o.seq, o.op_key, o.fence, o.version, held.provider
      ), done AS (
        DELETE FROM wake w USING ended WHERE w.seq = ended.seq AND w.op_key = ended.op_key
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, note)
        SELECT seq, op_key, (random() * 9e18)::int8, now(), fence, 'sweep', 'DEADLINE_EXPIRED', false,
               'the producer''s deadline passed before anything was sent'
        FROM ended
      ), told AS (
        %s
      )
      SELECT op_key FROM ended
      """
          .formatted(
              DUE.formatted(
                  """
                  SELECT seq, op_key, provider FROM wake WHERE role = 'claim' AND deadline <= now()
                  ORDER BY deadline LIMIT ?
                  """),
              STILL,
              Tell.of(
                  """
                  SELECT false, op_key, version, fence, 'failed'::operation_state, provider, 'DEADLINE_EXPIRED', NULL::text
                  FROM ended
                  """));

  private static final String BACKLOG =
      """
      SELECT p.provider, (
        SELECT count(*) FROM (
          SELECT 1 FROM wake w WHERE w.role = 'claim' AND w.provider = p.provider LIMIT ?
        ) AS bounded)
      FROM unnest(?::text[]) AS p(provider)
      """;

  /* Steps from one provider to the next by the index on due rows; reads one entry for each, however many wait. */
  private static final String OPEN_PROVIDERS =
      """
      SELECT DISTINCT p.provider
      FROM unnest(enum_range(NULL::wake_role)) AS r(role)
      CROSS JOIN LATERAL (
        WITH RECURSIVE step AS (
          (SELECT w.provider FROM wake w WHERE w.role = r.role ORDER BY w.provider LIMIT 1)
          UNION ALL
          SELECT (SELECT w.provider FROM wake w WHERE w.role = r.role AND w.provider > step.provider
                  ORDER BY w.provider LIMIT 1)
          FROM step WHERE step.provider IS NOT NULL
        )
        SELECT provider FROM step WHERE provider IS NOT NULL
      ) AS p
      UNION
      SELECT l.provider
      FROM lease l
      %s
      """
          .formatted(SENDING_UNDER.formatted("l"));

  /** How many due rows are read for each one that is wanted. */
  private static final int CHOICE = 4;

  /** Most leases that one sweep reads; each is of one claim statement. */
  private static final int LEASES = 256;

  private final DSLContext db;

  ClaimStatements(DSLContext db) {
    this.db = db;
  }

  List<Claim> claim(int limit, UUID claim, String owner, Terms terms) {
    long sendWithin = terms.sendWithin().toMillis();
    return db.resultQuery(
            CLAIM,
            DSL.val(terms.provider()),
            DSL.val((long) limit * CHOICE),
            DSL.val(claim),
            DSL.val(limit),
            DSL.val(claim),
            DSL.val(terms.lease().toMillis()),
            DSL.val(owner),
            DSL.val(sendWithin),
            DSL.val(sendWithin + terms.absentAfter().toMillis()),
            DSL.val(terms.carries()),
            DSL.val(terms.sendsTo()),
            DSL.val(terms.provider()),
            DSL.val(terms.lease().toMillis()),
            DSL.val(terms.promise().toMillis()),
            DSL.val(sendWithin),
            DSL.val(terms.sendsTo()))
        .fetch(ClaimStatements::toClaim);
  }

  List<Claim> claimed(String provider, UUID claim) {
    return db.resultQuery(CLAIMED, DSL.val(claim), DSL.val(provider))
        .fetch(ClaimStatements::toClaim);
  }

  static Claim toClaim(Record row) {
    return new Claim(
        Rows.key(row, 0),
        Rows.text(row, 1),
        Rows.integer(row, 2),
        Rows.uuid(row, 3),
        Rows.integer(row, 4),
        Boolean.TRUE.equals(row.get(5)),
        Rows.bytes(row, 6),
        Rows.bytes(row, 7),
        Boolean.TRUE.equals(row.get(8)),
        Rows.bigint(row, 9));
  }

  Swept sweep(int limit, Duration lookAfter) {
    List<OperationKey> lost = new ArrayList<>();
    long due = 0;
    long over = 0;
    for (Record row : db.fetch(SWEEP, LEASES, limit, lookAfter.toMillis())) {
      if (row.get(0) == null) {
        due = Rows.bigint(row, 1);
        over = Rows.bigint(row, 2);
      } else {
        lost.add(Rows.key(row, 0));
      }
    }
    // what another transaction holds keeps its lease: to read that again at once would not help
    boolean movedOn = over > 0 || !lost.isEmpty();
    return new Swept(lost, lost.size() == limit || (due == LEASES && movedOn));
  }

  List<OperationKey> expire(int limit) {
    return db.resultQuery(EXPIRE, DSL.val(limit)).fetch(row -> Rows.key(row, 0));
  }

  Set<String> openProviders() {
    return new HashSet<>(db.resultQuery(OPEN_PROVIDERS).fetch(row -> Rows.text(row, 0)));
  }

  Map<String, Integer> backlog(Collection<String> providers, int bound) {
    Map<String, Integer> counts = new HashMap<>();
    db.resultQuery(BACKLOG, DSL.val(bound), PgArray.text(providers, p -> p))
        .fetch()
        .forEach(row -> counts.put(Rows.text(row, 0), Rows.integer(row, 1)));
    return counts;
  }
}
