package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.SqlErrors.run;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.state.Transition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** People's decisions, on PostgreSQL. Thread-safe. */
public final class PostgresReviews implements Reviews {
  /* The operation is locked first, then its wake row: the order of every statement. */
  private static final String SETTLE =
      """
      WITH wish AS (
        SELECT ?::bytea AS op_key, ?::int4 AS fence, ?::int4 AS version, ?::operation_state AS from_state,
               ?::operation_state AS to_state, ?::text AS reason, ?::text AS remote_id, ?::uuid AS claim, ?::bool AS agreed,
               ?::text AS who, ?::text AS note, ?::int8 AS evidence
      ), found AS MATERIALIZED (
        SELECT o.seq, o.op_key, i.provider, i.deadline, w.from_state, w.to_state, w.reason, w.remote_id, w.claim, w.note,
               w.evidence,
               w.reason = 'ABSENT' AND o.state = 'unknown'
                 AND EXISTS (SELECT FROM attempts a WHERE a.seq = o.seq AND a.op_key = o.op_key AND a.absent_after >= now())
                 AS too_soon,
               w.agreed AND NOT EXISTS (
                 SELECT FROM evidence e
                 WHERE e.seq = o.seq AND e.op_key = o.op_key AND e.source = 'person' AND e.code = 'RESEND_PROPOSED'
                   AND e.fence = o.fence AND NOT starts_with(e.note, 'by ' || w.who || ':')) AS alone
        FROM wish w
        JOIN intent i ON i.op_key = w.op_key
        JOIN operation o ON o.seq = i.source_offset AND o.op_key = i.op_key
        WHERE o.fence = w.fence AND o.version = w.version AND o.state = w.from_state
        FOR UPDATE OF o
      ), moved AS (
        UPDATE operation o
        SET state = f.to_state, reason = f.reason, review = NULL, lease_until = NULL, claim = f.claim, fence = o.fence + 1,
            remote_id = coalesce(o.remote_id, f.remote_id),
            -- what a database that lost commits holds as never sent was sent all the same
            attempts = CASE WHEN f.to_state = 'accepted' THEN greatest(o.attempts, 1) ELSE o.attempts END,
            looks = 0, version = o.version + 1, changed_at = now(),
            -- what may be paid twice is booked twice
            booked_in = CASE WHEN f.reason = 'RISK_ACCEPTED' THEN NULL ELSE o.booked_in END
        FROM found f
        WHERE o.seq = f.seq AND o.op_key = f.op_key AND NOT f.too_soon AND NOT f.alone
        RETURNING o.seq, o.op_key, o.state, o.reason, o.version, o.fence, o.remote_id, f.provider, f.deadline, f.from_state,
                  f.remote_id AS named, f.note, f.evidence
      ), tasks AS (
        INSERT INTO remote_task (provider, remote_id, op_key, known_at)
        SELECT provider, named, op_key, now() FROM moved WHERE named IS NOT NULL
      ), rewoken AS (
        UPDATE wake w
        SET role = CASE m.state WHEN 'prepared' THEN 'claim' WHEN 'unknown' THEN 'look' ELSE 'follow' END::wake_role,
            at = now(), since = now(),
            deadline = CASE WHEN m.state = 'prepared' AND m.reason <> 'RISK_ACCEPTED' THEN m.deadline END,
            occupies = CASE WHEN m.reason = 'RISK_ACCEPTED' THEN true END
        FROM moved m WHERE m.state <> 'failed' AND w.seq = m.seq AND w.op_key = m.op_key
      ), rested AS (
        DELETE FROM wake w USING moved m WHERE m.state = 'failed' AND w.seq = m.seq AND w.op_key = m.op_key
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, remote_id, note)
        SELECT seq, op_key, evidence, now(), fence, 'person', reason, false, named, note FROM moved
      ), told AS (
        %s
      )
      SELECT too_soon, alone FROM found
      """
          .formatted(
              Tell.of(
                  """
                  SELECT state = 'unknown', op_key, version, fence, state, provider, reason, remote_id
                  FROM moved WHERE state = 'unknown' OR state <> from_state AND state <> 'prepared'
                  """));

  private static final String PROPOSE =
      """
      INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, note)
      SELECT o.seq, o.op_key, ?, now(), o.fence, 'person', ?, false, ?
      FROM intent i JOIN operation o ON o.seq = i.source_offset AND o.op_key = i.op_key
      WHERE i.op_key = ? AND o.fence = ? AND o.version = ? AND o.state = ?::operation_state
      """;

  private final DSLContext db;

  /**
   * @param db made by {@link Database#dsl()}
   */
  public PostgresReviews(DSLContext db) {
    this.db = db;
  }

  @Override
  public Decision.Outcome settle(Decision decision) {
    OperationSummary seen = decision.seen();
    OperationState to = decision.what().from(seen.state());
    if (to != seen.state() && !Transition.allowed(seen.state(), to, decision.what().code())) {
      throw new IllegalArgumentException(
          "%s may not go from %s to %s because of %s"
              .formatted(seen.key(), seen.state(), to, decision.what().code()));
    }
    try {
      Record row =
          run(
                  "storing a decision about " + seen.key(),
                  () ->
                      db
                          .resultQuery(
                              SETTLE,
                              DSL.val(seen.key().bytes()),
                              DSL.val(seen.fence()),
                              DSL.val(seen.version()),
                              DSL.val(seen.state().word()),
                              DSL.val(to.word()),
                              DSL.val(decision.what().code().name()),
                              DSL.val(decision.remoteId(), SQLDataType.VARCHAR),
                              DSL.val(decision.claim()),
                              DSL.val(decision.agreed()),
                              DSL.val(decision.who()),
                              DSL.val(decision.note()),
                              DSL.val(Evidence.newId()))
                          .fetch()
                          .stream()
                          .findFirst())
              .orElse(null);
      if (row == null) {
        return Decision.Outcome.CHANGED;
      }
      if (row.get(0, Boolean.class)) {
        return Decision.Outcome.BEFORE_HORIZON;
      }
      return row.get(1, Boolean.class) ? Decision.Outcome.NOT_AGREED : Decision.Outcome.STORED;
    } catch (RemoteIdTaken _) {
      return Decision.Outcome.TASK_TAKEN;
    }
  }

  @Override
  public boolean propose(Decision decision) {
    OperationSummary seen = decision.seen();
    return run(
            "storing a proposal about " + seen.key(),
            () ->
                db.query(
                        PROPOSE,
                        DSL.val(Evidence.newId()),
                        DSL.val(Code.RESEND_PROPOSED.name()),
                        DSL.val(decision.note()),
                        DSL.val(seen.key().bytes()),
                        DSL.val(seen.fence()),
                        DSL.val(seen.version()),
                        DSL.val(seen.state().word()))
                    .execute())
        == 1;
  }
}
