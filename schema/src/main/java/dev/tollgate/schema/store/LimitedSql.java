package dev.tollgate.schema.store;

/** The text of a claim under limits, in the order in which it takes place. */
final class LimitedSql {
  /** What is given to it; used by name from here on. */
  private static final String ASK =
      """
      ask AS MATERIALIZED (
        SELECT ?::text AS provider, ?::int8 AS wanted, ?::int8 AS rate, ?::int8 AS burst, ?::int8 AS fill_micros,
               ?::int8 AS tasks_max, ?::uuid AS claim, ?::text AS owner, ?::int8 AS lease_ms, ?::int8 AS send_ms,
               ?::int8 AS absent_ms, ?::int8 AS promise_ms, ?::int2 AS carries, ?::int8 AS sends_to
      ), ask_budgets AS MATERIALIZED (
        SELECT scope, who, per, amount, refuse,
               date_trunc(per, now() AT TIME ZONE 'UTC')::date AS period,
               -- it may go on when the next period begins; sooner, should somebody allow more
               least(now() + interval '15 minutes',
                     (date_trunc(per, now() AT TIME ZONE 'UTC') + ('1 ' || per)::interval) AT TIME ZONE 'UTC') AS look_again
        FROM unnest(?::text[], ?::text[], ?::text[], ?::int8[], ?::bool[]) AS b(scope, who, per, amount, refuse)
      )""";

  /*
   * Whatever bounds the claim is locked before anything is counted, and only if it is as the statement saw it when it
   * began: then every grant that was ever made is seen by what is counted below, since each made a new version. Where
   * another claim is at it, or was since, nothing is granted, and nobody waits: a claimer serves other providers too. That
   * what is in flight may have ended since only leaves room unused. Where nothing is due, nothing is locked.
   */
  private static final String LOCK =
      """
      known AS MATERIALIZED (
        SELECT provider, version, EXISTS (
                 SELECT FROM wake w WHERE w.role = 'claim' AND w.provider = (SELECT provider FROM ask) AND w.at <= now()
                   AND (w.deadline IS NULL OR w.deadline > now())) AS anything
        FROM allowance WHERE provider = (SELECT provider FROM ask)
      ), known_budgets AS MATERIALIZED (
        SELECT b.id, b.version, a.scope, a.who, a.amount, a.refuse, a.look_again
        FROM ask_budgets a CROSS JOIN LATERAL (
          SELECT id, version FROM budget
          WHERE scope = a.scope AND who = a.who AND per = a.per AND period = a.period OFFSET 0
        ) AS b
      ), locked AS MATERIALIZED (
        SELECT a.provider, a.tokens, a.filled_at
        FROM known JOIN allowance a ON a.provider = known.provider AND a.version = known.version
        WHERE known.anything
        FOR UPDATE OF a SKIP LOCKED
      ), locked_budgets AS MATERIALIZED (
        SELECT b.id, k.scope, k.who, k.amount, k.refuse, k.look_again, b.booked
        FROM locked CROSS JOIN known_budgets k JOIN budget b ON b.id = k.id AND b.version = k.version
        FOR UPDATE OF b SKIP LOCKED
      ), purse AS MATERIALIZED (
        SELECT l.id, l.scope, l.who, l.refuse, l.look_again, r.micros AS refunds, l.amount - l.booked + r.micros AS free
        FROM locked_budgets l CROSS JOIN LATERAL (
          SELECT coalesce(sum(micros), 0)::int8 AS micros FROM refund WHERE budget = l.id
        ) AS r
      )""";

  /*
   * A database clock that stepped back gives no tokens for the time that comes a second time. Small steps back (a
   * transaction that began before another and locks after it) are not worth a new start.
   */
  private static final String ROOM =
      """
      filled AS MATERIALIZED (
        SELECT l.provider,
               CASE WHEN filled_at - now() BETWEEN interval '0' AND interval '1 second' THEN filled_at ELSE now() END AS filled_at,
               least(burst, tokens
                 + least(fill_micros, greatest(0, (extract(epoch FROM now() - filled_at) * 1000000)::int8)) * rate / 60) AS tokens
        FROM locked l CROSS JOIN ask
        WHERE (SELECT count(*) FROM locked_budgets) = (SELECT count(*) FROM ask_budgets)
      ), room AS MATERIALIZED (
        SELECT f.provider, filled_at, tokens,
               CASE WHEN rate IS NULL THEN wanted ELSE least(wanted, tokens / 1000000) END AS creates,
               CASE WHEN tasks_max IS NULL THEN wanted ELSE greatest(0, tasks_max
                 - (SELECT coalesce(sum(open), 0) FROM (
                      SELECT open FROM lease WHERE limited AND provider = f.provider LIMIT coalesce(tasks_max, 0)) AS l)
                 - (SELECT count(*) FROM (
                      SELECT FROM wake WHERE role = 'look' AND provider = f.provider LIMIT coalesce(tasks_max, 0)) AS w)
                 - (SELECT count(*) FROM (
                      SELECT FROM wake WHERE role = 'follow' AND provider = f.provider LIMIT coalesce(tasks_max, 0)) AS w)
                 - (SELECT count(*) FROM (
                      SELECT FROM wake WHERE occupies AND provider = f.provider LIMIT coalesce(tasks_max, 0)) AS w)) END AS tasks
        FROM filled f CROSS JOIN ask
      )""";

  /*
   * As ClaimStatements.DUE, with what it costs. A protected resend takes a create and no task: its task is counted already.
   * It goes first, since it settles something; OFFSET keeps the server from reading all that is due to find one. The locks
   * keep other claims out, so no more is read than may be taken.
   */
  private static final String DUE =
      """
      due AS MATERIALIZED (
        SELECT w.seq, w.op_key, w.provider, seen.fence, i.price, i.producer FROM (
          SELECT seq, op_key, provider FROM (
            (SELECT seq, op_key, provider
             FROM (SELECT * FROM wake WHERE occupies AND provider = (SELECT provider FROM ask) OFFSET 0) AS o
             WHERE role = 'claim' AND at <= now()
             LIMIT (SELECT coalesce(max(creates), 0) FROM room))
            UNION ALL
            (SELECT seq, op_key, provider FROM wake
             WHERE role = 'claim' AND provider = (SELECT provider FROM ask) AND at <= now()
               AND (deadline IS NULL OR deadline > now()) AND occupies IS NOT TRUE
             ORDER BY at LIMIT (SELECT coalesce(max(least(creates, tasks)), 0) FROM room))
          ) AS both_kinds
          LIMIT (SELECT coalesce(max(creates), 0) FROM room)
        ) AS w
        CROSS JOIN LATERAL (SELECT o.fence FROM operation o WHERE o.seq = w.seq AND o.op_key = w.op_key OFFSET 0) AS seen
        CROSS JOIN LATERAL (SELECT price, producer FROM intent n WHERE n.op_key = w.op_key OFFSET 0) AS i
      ), held AS MATERIALIZED (
        SELECT o.seq, o.op_key, due.provider, due.price, due.producer,
               -- what was booked stays booked, and a resend under a promise pays for nothing new
               o.booked_in IS NULL AND o.reason IS DISTINCT FROM 'PROTECTED_RESEND' AS unpaid
        FROM due %s
        WHERE o.state = 'prepared' AND o.review IS NULL
          AND NOT EXISTS (SELECT FROM lease l WHERE l.claim = (SELECT claim FROM ask) AND l.provider = due.provider)
        FOR UPDATE OF o SKIP LOCKED
      )"""
          .formatted(ClaimStatements.STILL);

  /*
   * Each operation beside each purse that pays for it, in the order of their arrival. It is claimed where all that came
   * before and itself fit into every one of them. What does not fit beside what is claimed breaks the budget; what does
   * only not fit beside others that are not claimed either is looked at again by the next statement. The first that does
   * not fit always breaks it, so each statement gets on.
   */
  private static final String DECIDE =
      """
      charged AS (
        SELECT h.seq, h.op_key, h.provider, h.price, p.id, p.free, p.refuse, p.look_again,
               sum(h.price) OVER (PARTITION BY p.id ORDER BY h.seq, h.op_key) AS running
        FROM held h LEFT JOIN purse p
          ON h.unpaid AND p.who = CASE p.scope WHEN 'provider' THEN h.provider ELSE h.producer END
      ), judged AS (
        SELECT *, bool_and(id IS NULL OR (price IS NOT NULL AND running <= free)) OVER (PARTITION BY seq, op_key) AS fits
        FROM charged
      ), weighed AS (
        SELECT *, price > free - coalesce(sum(price) FILTER (WHERE fits) OVER (PARTITION BY id), 0) AS breaks FROM judged
      ), decided AS MATERIALIZED (
        SELECT seq, op_key, provider, price, bool_and(fits) AS fits, array_agg(id) FILTER (WHERE id IS NOT NULL) AS purses,
               coalesce(bool_or(breaks), false) AS breaks, coalesce(bool_or(breaks AND refuse), false) AS refused,
               bool_or(id IS NOT NULL AND price IS NULL) AS unpriced, min(look_again) FILTER (WHERE breaks) AS look_again
        FROM weighed GROUP BY seq, op_key, provider, price
      )""";

  private static final String TAKE =
      """
      claimed AS (
        UPDATE operation o
        SET state = 'sending', claim = ask.claim, fence = o.fence + 1, attempts = o.attempts + 1,
            lease_until = now() + ask.lease_ms * interval '1 millisecond', changed_at = now(),
            reason = nullif(o.reason, 'BUDGET_EXHAUSTED'), booked_in = coalesce(o.booked_in, d.purses)
        FROM decided d CROSS JOIN ask WHERE d.fits AND o.seq = d.seq AND o.op_key = d.op_key
        RETURNING o.seq, o.op_key, o.fence, o.claim, o.attempts, o.reason, d.price, d.purses
      ), begun AS (
        INSERT INTO attempt (seq, op_key, fence, claim, owner, began_at, send_deadline, absent_after, carried, sent_to)
        SELECT seq, op_key, fence, c.claim, ask.owner, now(), now() + send_ms * interval '1 millisecond',
               now() + (send_ms + absent_ms) * interval '1 millisecond', ask.carries, ask.sends_to
        FROM claimed c CROSS JOIN ask
      ), leased AS (
        INSERT INTO lease (claim, provider, until, open, seqs, op_keys, limited)
        SELECT c.claim, provider, now() + lease_ms * interval '1 millisecond', count(*), array_agg(seq), array_agg(op_key), true
        FROM claimed c CROSS JOIN ask GROUP BY c.claim, provider, lease_ms
      ), taken AS (
        DELETE FROM wake w USING claimed WHERE w.seq = claimed.seq AND w.op_key = claimed.op_key
      ), granted AS (
        UPDATE allowance a
        SET version = a.version + 1,
            tokens = CASE WHEN rate IS NULL THEN a.tokens ELSE r.tokens - c.many * 1000000 END,
            filled_at = CASE WHEN rate IS NULL THEN a.filled_at ELSE r.filled_at END
        FROM room r CROSS JOIN ask CROSS JOIN (SELECT count(*) AS many FROM claimed) AS c
        WHERE a.provider = r.provider AND c.many > 0
      ), spent AS MATERIALIZED (
        SELECT purse.id, purse.refunds, sum(u.price) AS micros
        FROM (SELECT price, unnest(purses) AS id FROM claimed) AS u JOIN purse ON purse.id = u.id
        GROUP BY purse.id, purse.refunds
      ), booked AS (
        UPDATE budget b SET version = b.version + 1, booked = b.booked + s.micros::int8 - s.refunds
        FROM spent s WHERE b.id = s.id
      ), taken_up AS (
        DELETE FROM refund r USING spent s WHERE r.budget = s.id
      )""";

  /**
   * What breaks a budget waits, or ends as a deadline ends it. Nothing was sent, so nobody is told
   * of a wait.
   */
  private static final String HOLD_BACK =
      """
      waiting AS (
        UPDATE operation o SET reason = 'BUDGET_EXHAUSTED' FROM decided d
        WHERE NOT d.fits AND d.breaks AND NOT d.refused AND NOT d.unpriced AND o.seq = d.seq AND o.op_key = d.op_key
        RETURNING o.seq, o.op_key, d.look_again
      ), later AS (
        UPDATE wake w SET at = waiting.look_again FROM waiting WHERE w.seq = waiting.seq AND w.op_key = waiting.op_key
      ), refused AS (
        UPDATE operation o
        SET state = 'failed', reason = CASE WHEN d.unpriced THEN 'PRICE_UNKNOWN' ELSE 'BUDGET_EXHAUSTED' END,
            version = o.version + 1, changed_at = now()
        FROM decided d WHERE NOT d.fits AND (d.unpriced OR d.refused) AND o.seq = d.seq AND o.op_key = d.op_key
        RETURNING o.seq, o.op_key, o.fence, o.version, o.reason, d.provider
      ), done AS (
        DELETE FROM wake w USING refused WHERE w.seq = refused.seq AND w.op_key = refused.op_key
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, note)
        SELECT seq, op_key, (random() * 9e18)::int8, now(), fence, 'budget', reason, false,
               CASE reason WHEN 'PRICE_UNKNOWN' THEN 'a budget applies and its price is not known; nothing was sent'
                           ELSE 'it would break a budget; nothing was sent' END
        FROM refused
      ), told AS (
        %s
      )"""
          .formatted(
              Tell.of(
                  """
                  SELECT false, op_key, version, fence, 'failed'::operation_state, provider, reason, NULL::text
                  FROM refused
                  """));

  /** The claims, then one row without a key: how it stands. */
  static final String CLAIM =
      "WITH "
          + String.join(", ", ASK, LOCK, ROOM, DUE, DECIDE, TAKE, HOLD_BACK)
          + """

          SELECT c.op_key, i.provider, c.fence, c.claim, c.attempts, c.reason IN ('PROTECTED_RESEND', 'RISK_ACCEPTED'), i.params, i.submission_key,
                 CASE WHEN c.reason = 'PROTECTED_RESEND'
                      THEN (SELECT min(a.began_at) + ask.promise_ms * interval '1 millisecond'
                                   <= now() + ask.send_ms * interval '1 millisecond'
                                   OR coalesce(bit_and(a.carried) FILTER (WHERE a.open), 0) & 1 = 0
                                   OR bool_or(a.sent_to <> ask.sends_to) FILTER (WHERE a.open)
                            FROM\s"""
          + ClaimStatements.ATTEMPTS_OF.formatted("c")
          + """
                           ) END,
                 c.seq, NULL::int4, NULL::int4, NULL::bool, NULL::bool
          FROM claimed c CROSS JOIN ask JOIN intent i ON i.op_key = c.op_key
          UNION ALL
          SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                 (SELECT least(creates, tasks) FROM room),
                 (SELECT count(*) FROM waiting)::int4, (SELECT count(*) FROM refused)::int4,
                 (SELECT count(*) FROM known) = 1
                   AND (SELECT count(*) FROM known_budgets) = (SELECT count(*) FROM ask_budgets),
                 (SELECT anything FROM known)
          """;

  /**
   * What a claim locks; a bucket that was never filled is full, and in a new period nothing is
   * booked.
   */
  static final String OPEN =
      "WITH "
          + ASK
          + """
          , opened AS (
            INSERT INTO allowance (provider, version, tokens, filled_at) SELECT provider, 1, 0, 'epoch' FROM ask
            ON CONFLICT (provider) DO NOTHING
          )
          INSERT INTO budget (scope, who, per, period, version, booked)
          SELECT scope, who, per, period, 1, 0 FROM ask_budgets
          ON CONFLICT (who, scope, per, period) DO NOTHING
          """;

  private LimitedSql() {}
}
