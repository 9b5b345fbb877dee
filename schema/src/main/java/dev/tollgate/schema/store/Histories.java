package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.SqlErrors.run;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;

/**
 * The histories of the data, and what a new one does to it. Each statement is a transaction of its
 * own. Thread-safe.
 *
 * <p>A standby that was promoted may lack the last commits of the primary, and a backup all of them
 * since it was made: operations were sent that the data knows as {@code prepared}, or not at all.
 * So whatever may have been sent counts as sent: what was due gets an attempt that nobody makes,
 * under a lease that is over, and the sweep makes it unknown; what was unknown gets one too, since
 * it may have been sent again, and nothing is proved absent before that attempt's horizon.
 *
 * <p>Every method may throw {@link StoreUnavailable}, and may be repeated then.
 */
public final class Histories {
  /**
   * An expression: the place at which the data stands. A promotion makes a new timeline, a restored
   * dump another table, and {@code history_lost} is a person's word where the server cannot tell.
   */
  static final String PLACE =
      """
      (SELECT system_identifier::text FROM pg_control_system())
      || '-' || CASE WHEN pg_is_in_recovery() THEN 'standby'
                     ELSE substring(pg_walfile_name(pg_current_wal_lsn()) FOR 8) END
      || '-' || (SELECT oid::text FROM pg_database WHERE datname = current_database())
      || '-' || (to_regclass('intent')::oid)::text
      || '-' || (SELECT count(*) FROM history_lost)::text
      """;

  private static final String STANDBY = "-standby-";

  private static final String FIND =
      """
      INSERT INTO history (id, place, began_at, found_by, suspected, ready)
      SELECT gen_random_uuid(), %s, now(), ?, 0, NOT EXISTS (SELECT FROM history)
      ON CONFLICT (place) DO NOTHING
      """
          .formatted(PLACE);

  private static final String COLUMNS =
      "SELECT id, place, began_at, n > (SELECT min(n) FROM history), suspected, ready, found_by FROM history";

  private static final String HERE = COLUMNS + " WHERE place = " + PLACE;

  private static final String ALL = COLUMNS + " ORDER BY n";

  /*
   * What is due within seconds counts as due: the clock of the server before may have been ahead.
   * Waits for whoever holds one of them: what is passed over would be claimed. An attempt begins when its operation was last
   * seen to change, since that is the earliest moment of a send that is not on record: a list is searched from there. Versions
   * name events, and those of the commits that are missing may be out.
   */
  private static final String SUSPECT =
      """
      WITH due AS MATERIALIZED (
        SELECT w.seq, w.op_key, w.provider, seen.fence FROM (
          SELECT seq, op_key, provider, role FROM wake WHERE role = 'claim' AND at <= now() + interval '10 seconds'
          UNION ALL
          SELECT seq, op_key, provider, role FROM wake w
          WHERE role IN ('look', 'person')
            AND NOT EXISTS (SELECT FROM attempt a WHERE a.seq = w.seq AND a.op_key = w.op_key AND a.owner = ?)
        ) AS w
        CROSS JOIN LATERAL (
          SELECT o.fence FROM operation o
          WHERE o.seq = w.seq AND o.op_key = w.op_key
            AND (o.state = 'unknown' OR (o.state = 'prepared' AND o.review IS NULL AND w.role = 'claim'))
          OFFSET 0
        ) AS seen
        LIMIT ?
      ), held AS (
        SELECT o.seq, o.op_key, o.state, o.changed_at, due.provider
        FROM due JOIN operation o ON o.seq = due.seq AND o.op_key = due.op_key AND o.fence = due.fence
        WHERE o.state = 'unknown' OR (o.state = 'prepared' AND o.review IS NULL)
        FOR UPDATE OF o
      ), numbered AS (
        SELECT held.*, (row_number() OVER (PARTITION BY provider, state) - 1) / 500 AS part FROM held
      ), claims AS MATERIALIZED (
        SELECT provider, state, part, gen_random_uuid() AS claim FROM numbered GROUP BY provider, state, part
      ), suspected AS (
        UPDATE operation o
        SET state = CASE WHEN o.state = 'prepared' THEN 'sending' ELSE o.state END, claim = c.claim, fence = o.fence + 1,
            attempts = o.attempts + 1, version = o.version + 1000,
            lease_until = CASE WHEN o.state = 'prepared' THEN now() END,
            changed_at = CASE WHEN o.state = 'prepared' THEN now() ELSE o.changed_at END
        FROM numbered n JOIN claims c ON c.provider = n.provider AND c.state = n.state AND c.part = n.part
        WHERE o.seq = n.seq AND o.op_key = n.op_key
        RETURNING o.seq, o.op_key, o.fence, o.claim, o.state, n.provider, least(n.changed_at, now()) AS since
      ), terms AS (
        SELECT * FROM unnest(?::text[], ?::int8[], ?::int8[], ?::int4[], ?::int8[])
          AS t(provider, send_within_ms, absent_after_ms, carries, sends_to)
      ), begun AS (
        INSERT INTO attempt (seq, op_key, fence, claim, owner, began_at, send_deadline, absent_after, carried, sent_to)
        -- of a provider that is not configured here nothing is known: then no look-up proves anything
        SELECT s.seq, s.op_key, s.fence, s.claim, ?, s.since,
               now() + coalesce(t.send_within_ms, 3600000) * interval '1 millisecond',
               now() + coalesce(t.send_within_ms + t.absent_after_ms, 86400000) * interval '1 millisecond',
               coalesce(t.carries, 0), coalesce(t.sends_to, 0)
        FROM suspected s LEFT JOIN terms t ON t.provider = s.provider
      ), leased AS (
        INSERT INTO lease (claim, provider, until, open, seqs, op_keys)
        SELECT claim, provider, now(), count(*), array_agg(seq), array_agg(op_key)
        FROM suspected WHERE state = 'sending' GROUP BY claim, provider
      ), taken AS (
        DELETE FROM wake w USING suspected s WHERE s.state = 'sending' AND w.seq = s.seq AND w.op_key = s.op_key
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, note)
        SELECT seq, op_key, (random() * 9e18)::int8, now(), fence, 'history', 'HISTORY_LOST', false,
               'commits of the database may be missing: it may have been sent since ' || since
        FROM suspected
      ), counted AS (
        UPDATE history SET suspected = suspected + (SELECT count(*) FROM suspected) WHERE id = ?
      )
      SELECT (SELECT count(*) FROM due)
      """;

  private static final String READY = "UPDATE history SET ready = true WHERE id = ?";

  private static final String LOST = "INSERT INTO history_lost (who, why) VALUES (?, ?)";

  private static final String PROGRESSED =
      """
      INSERT INTO intake_progress (topic, partition, next_offset, at)
      SELECT ?::text, k.partition, k.next_offset, now()
      FROM unnest(?::int4[], ?::int8[]) AS k(partition, next_offset)
      ORDER BY k.partition -- the order of locks
      ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset, at = excluded.at
      """;

  private static final String PROGRESS =
      "SELECT partition, next_offset, at FROM intake_progress WHERE topic = ? AND partition = ANY (?::int4[])";

  /** Few enough for one statement to end far within the time that a statement has. */
  private static final int AT_ONCE = 2000;

  private final DSLContext db;

  /**
   * @param db connections that lead wherever the data is; for {@link #progressed} and {@link
   *     #progress} those of the bound history
   */
  public Histories(DSLContext db) {
    this.db = db;
  }

  /**
   * Finds the history that the data is in, and before anybody can claim anything in a new one, what
   * may have been sent without being on record. Several processes may do so at once.
   *
   * @param by who asks
   * @param terms of every provider that is configured
   */
  public History begin(String by, Collection<Terms> terms) {
    Optional<History> here = find(by);
    while (here.isEmpty()) {
      here = find(by); // another process was finding it in that moment
    }
    UUID id = here.get().id();
    while (!here.get().ready()) {
      if (suspect(id, terms) == 0) {
        run("taking a new history up", () -> db.execute(READY, id));
      }
      here = find(by);
      if (here.isEmpty() || !here.get().id().equals(id)) {
        throw new IllegalStateException("the database moved on while its history was taken up");
      }
    }
    return here.get();
  }

  private Optional<History> find(String by) {
    return run(
        "finding the history",
        () -> {
          Optional<History> known = here();
          if (known.isPresent()) {
            return known;
          }
          db.execute(FIND, by);
          return here();
        });
  }

  private Optional<History> here() {
    return db.resultQuery(HERE).fetchOptional(Histories::history);
  }

  private long suspect(UUID history, Collection<Terms> terms) {
    String owner = owner(history);
    List<Field<?>> binds =
        List.of(
            DSL.val(owner),
            DSL.val(AT_ONCE),
            PgArray.text(terms, Terms::provider),
            PgArray.bigint(terms, t -> t.sendWithin().toMillis()),
            PgArray.bigint(terms, t -> t.absentAfter().toMillis()),
            PgArray.integer(terms, Terms::carries),
            PgArray.bigint(terms, Terms::sendsTo),
            DSL.val(owner),
            DSL.val(history));
    return run(
        "finding what may have been sent",
        () -> Rows.bigint(db.fetchSingle(SUSPECT, binds.toArray()), 0));
  }

  /** Whom the attempts belong to that nobody is known to have made. */
  public static String owner(UUID history) {
    return "history " + history;
  }

  /** The histories that the data went through, the oldest first. */
  public List<History> all() {
    return run("reading histories", () -> db.resultQuery(ALL).fetch(Histories::history));
  }

  /** Puts on record that commits are missing although the data stands where it stood. */
  public void lost(String who, String why) {
    run("declaring a history lost", () -> db.execute(LOST, who, why));
  }

  /**
   * Writes down how far intake has come. An older account that comes late does no harm: records are
   * read again for it.
   *
   * @param next by partition, the offset before which every record is durable
   */
  public void progressed(String topic, Map<Integer, Long> next) {
    List<Map.Entry<Integer, Long>> rows = List.copyOf(next.entrySet());
    run(
        "recording intake's progress",
        () ->
            db.execute(
                PROGRESSED,
                topic,
                PgArray.integer(rows, Map.Entry::getKey),
                PgArray.bigint(rows, Map.Entry::getValue)));
  }

  /** How far intake has come in those partitions of which anything is on record. */
  public Map<Integer, IntakeProgress> progress(String topic, Collection<Integer> partitions) {
    Map<Integer, IntakeProgress> progress = new HashMap<>();
    run(
            "reading intake's progress",
            () -> db.fetch(PROGRESS, topic, PgArray.integer(partitions, p -> p)))
        .forEach(
            row ->
                progress.put(
                    Rows.integer(row, 0),
                    new IntakeProgress(Rows.bigint(row, 1), Rows.instant(row, 2))));
    return progress;
  }

  /** Whether a place is that of a server which follows another and takes no writes. */
  static boolean onStandby(String place) {
    return place.contains(STANDBY);
  }

  private static History history(Record row) {
    return new History(
        Rows.uuid(row, 0),
        Rows.text(row, 1),
        Rows.instant(row, 2),
        Boolean.TRUE.equals(row.get(3)),
        Rows.bigint(row, 4),
        Boolean.TRUE.equals(row.get(5)),
        Rows.text(row, 6));
  }
}
