package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.SqlErrors.run;

import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** The inbox on PostgreSQL. Thread-safe. */
public final class PostgresInbox implements Inbox {
  /*
   * Counts no further than it has to, through inbox_operation or inbox_task. What is here already is counted as a copy
   * however many there are.
   */
  private static final String RECEIVE =
      """
      INSERT INTO inbox (provider, event_id, received_at, op_key, reference, remote_id, word, sha256, headers, body,
                         truncated, copies, altered, tries, due)
      SELECT e.provider, e.event_id, now(), e.op_key, e.reference, e.remote_id, e.word, e.sha256, e.headers, e.body, e.truncated,
             1, false, 0, now()
      FROM (SELECT ?::text AS provider, ?::text AS event_id, ?::bytea AS op_key, ?::bytea AS reference, ?::text AS remote_id,
                   ?::text AS word, ?::bytea AS sha256, ?::text AS headers, ?::bytea AS body, ?::boolean AS truncated) AS e
      WHERE ? > (SELECT count(*) FROM (
                   SELECT FROM inbox i WHERE i.op_key = e.op_key
                   UNION ALL
                   SELECT FROM inbox i
                   WHERE e.op_key IS NULL AND i.op_key IS NULL AND i.remote_id = e.remote_id AND i.provider = e.provider
                   UNION ALL
                   SELECT FROM inbox i
                   WHERE e.op_key IS NULL AND e.remote_id IS NULL AND i.op_key IS NULL AND i.reference = e.reference
                     AND i.provider = e.provider
                   LIMIT ?) AS others)
         OR EXISTS (SELECT FROM inbox i WHERE i.provider = e.provider AND i.event_id = e.event_id)
      ON CONFLICT (provider, event_id) DO UPDATE
      SET copies = inbox.copies + 1, altered = inbox.altered OR inbox.sha256 <> excluded.sha256,
          -- an event that came to the account's address may come to its operation's as well, and says more there
          op_key = CASE WHEN inbox.sha256 = excluded.sha256 THEN coalesce(inbox.op_key, excluded.op_key) ELSE inbox.op_key END,
          due = CASE WHEN inbox.op_key IS NULL AND excluded.op_key IS NOT NULL AND inbox.sha256 = excluded.sha256
                     THEN now() ELSE inbox.due END
      RETURNING copies = 1, sha256 <> ?
      """;

  /*
   * Locks inbox rows and wake rows alone, and waits for neither, so it needs no place in the order of locks: an operation
   * whose wake row another statement holds is told as not woken. The id of the evidence follows from the event, so that an
   * event that is taken twice is evidence once. A wake row is found by its operation alone: no plan goes through all that
   * are to be followed.
   */
  private static final String TAKE =
      """
      WITH taken AS MATERIALIZED (
        SELECT provider, event_id, op_key, reference, remote_id, word, headers, body, truncated FROM inbox
        WHERE due <= now() ORDER BY due LIMIT ? FOR UPDATE SKIP LOCKED
      ), held AS (
        UPDATE inbox i SET due = now() + ? * interval '1 millisecond'
        FROM taken t WHERE i.provider = t.provider AND i.event_id = t.event_id
      ), named AS (
        SELECT t.*, coalesce(t.op_key, (
                 SELECT i.op_key FROM intent i
                 WHERE i.submission_key = t.reference AND i.by_reference AND i.provider = t.provider LIMIT 1), (
                 SELECT op_key FROM remote_task r WHERE r.remote_id = t.remote_id AND r.provider = t.provider)) AS whose
        FROM taken t
      ), placed AS MATERIALIZED (
        SELECT n.*, o.seq, o.fence, o.state, o.remote_id AS own
        FROM named n
        JOIN intent i ON i.op_key = n.whose AND i.provider = n.provider
        JOIN operation o ON o.seq = i.source_offset AND o.op_key = i.op_key
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, remote_id, note, headers, body)
        SELECT seq, whose, hashtextextended(provider || ' ' || event_id, 1), now(), fence, 'webhook',
               CASE WHEN state = 'complete' AND word IN ('failed', 'cancelled', 'expired')
                      OR state = 'failed' AND word = 'succeeded' THEN 'CONTRADICTED' ELSE 'EVENT_RECEIVED' END,
               truncated, remote_id, 'event ' || event_id || coalesce(': ' || word, ''), headers, body
        FROM placed
        ON CONFLICT (seq, op_key, id) DO NOTHING
      ), resting AS MATERIALIZED (
        SELECT w.seq, w.op_key FROM wake w
        WHERE w.role::text = 'follow' AND (w.seq, w.op_key) IN (
            SELECT seq, whose FROM placed WHERE state = 'accepted' AND coalesce(word, '') NOT IN ('queued', 'processing'))
        FOR UPDATE OF w SKIP LOCKED
      ), woken AS (
        UPDATE wake w SET at = least(w.at, now()) FROM resting r WHERE w.seq = r.seq AND w.op_key = r.op_key
      )
      SELECT t.provider, t.event_id, t.remote_id, t.word, p.whose, p.state::text, p.own,
             -- that it goes on is no reason to ask; nobody follows it while a person has to decide
             EXISTS (SELECT FROM resting r WHERE r.seq = p.seq AND r.op_key = p.whose)
               OR t.word IN ('queued', 'processing')
               OR (SELECT w.role::text FROM wake w WHERE w.seq = p.seq AND w.op_key = p.whose) IS DISTINCT FROM 'follow'
      FROM taken t LEFT JOIN placed p ON p.provider = t.provider AND p.event_id = t.event_id
      """;

  private static final String DONE =
      """
      UPDATE inbox i SET due = NULL
      FROM unnest(?::text[], ?::text[]) AS k(provider, event_id)
      WHERE i.provider = k.provider AND i.event_id = k.event_id
      """;

  /*
   * A task that has become known since the event was taken has made it due, which this must not undo for long.
   */
  private static final String LATER =
      """
      UPDATE inbox i
      SET tries = least(i.tries + 1, 32000),
          due = CASE WHEN i.received_at > now() - ? * interval '1 millisecond'
                     THEN now() + interval '1 millisecond'
                          * least(? * power(2, least(i.tries, 20)),
                                  CASE WHEN i.op_key IS NULL AND NOT EXISTS (
                                              SELECT FROM remote_task r
                                              WHERE r.remote_id = i.remote_id AND r.provider = i.provider)
                                       THEN ? ELSE ? END) END
      FROM unnest(?::text[], ?::text[]) AS k(provider, event_id)
      WHERE i.provider = k.provider AND i.event_id = k.event_id
      RETURNING i.provider, i.event_id, i.due IS NULL
      """;

  /*
   * Takes the oldest through inbox_told, and none that somebody has in hand: two that forget at once share the work, and the
   * repeat of an event that is being forgotten waits for this statement alone, then is new.
   */
  private static final String FORGET =
      """
      WITH old AS MATERIALIZED (
        SELECT provider, event_id FROM inbox
        WHERE due IS NULL AND received_at < now() - ? * interval '1 millisecond'
        ORDER BY received_at LIMIT ? FOR UPDATE SKIP LOCKED
      )
      DELETE FROM inbox i USING old o WHERE i.provider = o.provider AND i.event_id = o.event_id
      """;

  private final DSLContext db;

  /**
   * @param db made by {@link Database#dsl()}
   */
  public PostgresInbox(DSLContext db) {
    this.db = db;
  }

  @Override
  public Receipt receive(Event event) {
    Optional<Record> row =
        run(
            "storing an event",
            () ->
                db.fetchOptional(
                    RECEIVE,
                    event.id().provider(),
                    event.id().event(),
                    event.operation() == null ? null : event.operation().bytes(),
                    event.reference(),
                    event.remoteId(),
                    event.word(),
                    event.sha256(),
                    event.headers(),
                    event.body(),
                    event.truncated(),
                    EVENTS_MAX,
                    EVENTS_MAX,
                    event.sha256()));
    if (row.isEmpty()) {
      return Receipt.TOO_MANY;
    }
    if (Boolean.TRUE.equals(row.get().get(0))) {
      return Receipt.NEW;
    }
    return Boolean.TRUE.equals(row.get().get(1)) ? Receipt.ALTERED : Receipt.KNOWN;
  }

  @Override
  public List<Taken> take(int limit, Duration lease) {
    return run(
        "taking events", () -> db.fetch(TAKE, limit, lease.toMillis()).map(row -> taken(row)));
  }

  private static Taken taken(Record row) {
    @Nullable OperationKey operation = row.get(4) == null ? null : Rows.key(row, 4);
    return new Taken(
        new Id(Rows.text(row, 0), Rows.text(row, 1)),
        (String) row.get(2),
        (String) row.get(3),
        operation,
        operation == null
            ? null
            : new Standing(
                Rows.text(row, 5), (String) row.get(6), Boolean.TRUE.equals(row.get(7))));
  }

  @Override
  public void done(List<Id> ids) {
    if (!ids.isEmpty()) {
      run(
          "ending events",
          () -> db.execute(DONE, PgArray.text(ids, Id::provider), PgArray.text(ids, Id::event)));
    }
  }

  @Override
  public List<Id> later(List<Id> ids, Pauses pauses, Duration giveUpAfter) {
    return ids.isEmpty()
        ? List.of()
        : run(
            "putting events off",
            () ->
                db
                    .fetch(
                        LATER,
                        giveUpAfter.toMillis(),
                        pauses.first().toMillis(),
                        pauses.mostForeign().toMillis(),
                        pauses.most().toMillis(),
                        PgArray.text(ids, Id::provider),
                        PgArray.text(ids, Id::event))
                    .stream()
                    .filter(row -> Boolean.TRUE.equals(row.get(2)))
                    .map(row -> new Id(Rows.text(row, 0), Rows.text(row, 1)))
                    .toList());
  }

  @Override
  public int forget(int most, Duration keptFor) {
    return run("forgetting events", () -> db.execute(FORGET, keptFor.toMillis(), most));
  }
}
