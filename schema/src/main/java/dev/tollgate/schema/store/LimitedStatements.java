package dev.tollgate.schema.store;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Claims where the fleet has a limit. A class of its own, so that the claim without limits stays as
 * narrow as it is. Thread-safe.
 */
final class LimitedStatements {
  /*
   * The provider's allowance is locked first, and only if it is as the statement saw it when it began: then every grant
   * that was ever made is seen by what is counted below, since each made a new version. Where another claim is at it, or
   * was since, nothing is granted, and nobody waits: a claimer serves other providers too. That what is in flight may have
   * ended since only leaves room unused.
   *
   * A database clock that stepped back gives no tokens for the time that comes a second time. Small steps back (a
   * transaction that began before another and locks after it) are not worth a new start.
   */
  private static final String ROOM =
      """
      known AS MATERIALIZED (
        SELECT version FROM allowance WHERE provider = ?
      ), locked AS MATERIALIZED (
        SELECT a.provider, a.tokens, a.filled_at
        FROM known JOIN allowance a ON a.version = known.version
        WHERE a.provider = ?
        FOR UPDATE OF a SKIP LOCKED
      ), filled AS MATERIALIZED (
        SELECT provider,
               CASE WHEN filled_at - now() BETWEEN interval '0' AND interval '1 second' THEN filled_at ELSE now() END AS filled_at,
               least(?::int8, tokens
                 + least(?::int8, greatest(0, (extract(epoch FROM now() - filled_at) * 1000000)::int8)) * ?::int8 / 60) AS tokens
        FROM locked
      ), room AS MATERIALIZED (
        SELECT provider, filled_at, tokens,
               CASE WHEN ?::int8 IS NULL THEN ?::int8 ELSE least(?::int8, tokens / 1000000) END AS creates,
               CASE WHEN ?::int8 IS NULL THEN ?::int8 ELSE greatest(0, ?::int8
                 - (SELECT coalesce(sum(open), 0) FROM (SELECT open FROM lease WHERE limited AND provider = ? LIMIT ?) AS l)
                 - (SELECT count(*) FROM (SELECT FROM wake WHERE role = 'look' AND provider = ? LIMIT ?) AS w)
                 - (SELECT count(*) FROM (SELECT FROM wake WHERE role = 'follow' AND provider = ? LIMIT ?) AS w)
                 - (SELECT count(*) FROM (SELECT FROM wake WHERE occupies AND provider = ? LIMIT ?) AS w)) END AS tasks
        FROM filled
      )""";

  /*
   * A protected resend takes a create and no task: its task is counted already. It goes first, since it settles something.
   * The fence keeps the server from reading all that is due to find one.
   */
  private static final String DUE =
      ClaimStatements.DUE.formatted(
          """
          SELECT seq, op_key, provider FROM (
            (SELECT seq, op_key, provider
             FROM (SELECT * FROM wake WHERE occupies AND provider = ? OFFSET 0) AS o
             WHERE role = 'claim' AND at <= now()
             LIMIT (SELECT coalesce(max(creates), 0) FROM room))
            UNION ALL
            (SELECT seq, op_key, provider FROM wake
             WHERE role = 'claim' AND provider = ? AND at <= now() AND (deadline IS NULL OR deadline > now())
               AND occupies IS NOT TRUE
             ORDER BY at LIMIT (SELECT coalesce(max(least(creates, tasks)), 0) FROM room))
          ) AS both_kinds
          LIMIT (SELECT coalesce(max(creates), 0) FROM room)
          """);

  /* The lock on the allowance keeps other claims out, so no more is read than may be taken. The rest is as in any claim. */
  private static final String CLAIM =
      """
      WITH %s, %s, held AS (
        SELECT o.seq, o.op_key FROM due %s
        WHERE o.state = 'prepared' AND o.review IS NULL
          AND NOT EXISTS (SELECT FROM lease l WHERE l.claim = ? AND l.provider = due.provider)
        FOR UPDATE OF o SKIP LOCKED
      ), claimed AS (
        UPDATE operation o
        SET state = 'sending', claim = ?, fence = o.fence + 1, attempts = o.attempts + 1,
            lease_until = now() + ? * interval '1 millisecond', changed_at = now()
        FROM held WHERE o.seq = held.seq AND o.op_key = held.op_key
        RETURNING o.seq, o.op_key, o.fence, o.claim, o.attempts, o.reason
      ), begun AS (
        INSERT INTO attempt (seq, op_key, fence, claim, owner, began_at, send_deadline, absent_after)
        SELECT seq, op_key, fence, claim, ?, now(), now() + ? * interval '1 millisecond', now() + ? * interval '1 millisecond'
        FROM claimed
      ), leased AS (
        INSERT INTO lease (claim, provider, until, open, seqs, op_keys, limited)
        SELECT claim, ?, now() + ? * interval '1 millisecond', count(*), array_agg(seq), array_agg(op_key), true
        FROM claimed GROUP BY claim
      ), taken AS (
        DELETE FROM wake w USING claimed WHERE w.seq = claimed.seq AND w.op_key = claimed.op_key
      ), granted AS (
        UPDATE allowance a
        SET version = a.version + 1,
            tokens = CASE WHEN ?::int8 IS NULL THEN a.tokens ELSE r.tokens - c.many * 1000000 END,
            filled_at = CASE WHEN ?::int8 IS NULL THEN a.filled_at ELSE r.filled_at END
        FROM room r, (SELECT count(*) AS many FROM claimed) AS c
        WHERE a.provider = r.provider AND c.many > 0
      )
      SELECT c.op_key, i.provider, c.fence, c.claim, c.attempts, c.reason = 'PROTECTED_RESEND', i.params, i.submission_key,
             CASE WHEN c.reason = 'PROTECTED_RESEND'
                  THEN (SELECT min(a.began_at) FROM attempts a WHERE a.seq = c.seq AND a.op_key = c.op_key)
                       + ? * interval '1 millisecond' <= now() + ? * interval '1 millisecond' END,
             c.seq
      FROM claimed c JOIN intent i ON i.op_key = c.op_key
      UNION ALL
      SELECT NULL, NULL, (SELECT count(*) FROM known)::int4, NULL, NULL, NULL, NULL, NULL, NULL,
             (SELECT max(least(creates, tasks)) FROM room)
      """
          .formatted(ROOM, DUE, ClaimStatements.STILL);

  /* A bucket that was never filled is full. */
  private static final String OPEN =
      """
      INSERT INTO allowance (provider, version, tokens, filled_at) VALUES (?, 1, 0, 'epoch')
      ON CONFLICT (provider) DO NOTHING
      """;

  private static final long MICRO = 1_000_000;

  private final DSLContext db;

  LimitedStatements(DSLContext db) {
    this.db = db;
  }

  Grant claim(int limit, UUID claim, String owner, Terms terms, Limits limits) {
    Answer answer = ask(limit, claim, owner, terms, limits);
    if (!answer.known) {
      db.execute(OPEN, terms.provider());
      answer = ask(limit, claim, owner, terms, limits);
    }
    return new Grant(answer.claims, answer.claims.size() < answer.allowed);
  }

  /**
   * What the statement said.
   *
   * @param known whether there is an allowance
   * @param allowed how many the limits let through; zero where another claim was at it
   */
  private record Answer(List<Claim> claims, boolean known, long allowed) {}

  private Answer ask(int limit, UUID claim, String owner, Terms terms, Limits limits) {
    List<Claim> claims = new ArrayList<>();
    boolean known = false;
    long allowed = 0;
    for (Record row : db.fetch(CLAIM, binds(limit, claim, owner, terms, limits))) {
      if (row.get(0) == null) {
        known = Rows.integer(row, 2) > 0;
        allowed = row.get(9) == null ? 0 : Rows.bigint(row, 9);
      } else {
        claims.add(ClaimStatements.toClaim(row));
      }
    }
    return new Answer(claims, known, allowed);
  }

  private static Object[] binds(int limit, UUID claim, String owner, Terms terms, Limits limits) {
    Field<String> provider = DSL.val(terms.provider());
    Field<Long> wanted = DSL.val((long) limit);
    Field<Long> rate =
        optional(limits.perMinute().isPresent() ? limits.perMinute().getAsLong() : null);
    Field<Long> tasks =
        optional(limits.tasksMax().isPresent() ? (long) limits.tasksMax().getAsInt() : null);
    Field<Long> tasksBound = DSL.val((long) limits.tasksMax().orElse(0));
    Field<Long> lease = DSL.val(terms.lease().toMillis());
    long sendWithin = terms.sendWithin().toMillis();
    return new Object[] {
      provider,
      provider,
      DSL.val(limits.burst() * MICRO),
      DSL.val(limits.fillMicros()),
      rate,
      rate,
      wanted,
      wanted,
      tasks,
      wanted,
      tasks,
      provider,
      tasksBound,
      provider,
      tasksBound,
      provider,
      tasksBound,
      provider,
      tasksBound,
      provider,
      provider,
      DSL.val(claim),
      DSL.val(claim),
      lease,
      DSL.val(owner),
      DSL.val(sendWithin),
      DSL.val(sendWithin + terms.absentAfter().toMillis()),
      provider,
      lease,
      rate,
      rate,
      DSL.val(terms.promise().toMillis()),
      DSL.val(sendWithin)
    };
  }

  private static Field<Long> optional(@Nullable Long value) {
    return DSL.val(value, SQLDataType.BIGINT);
  }
}
