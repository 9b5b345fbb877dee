package dev.tollgate.schema.store;

import dev.tollgate.schema.store.DeadLetterFate.At;
import dev.tollgate.schema.store.DeadLetterFate.Decision;
import dev.tollgate.schema.store.DeadLetterFate.Fate;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * What people do about dead letters. A run is held by one process at a time, for a lease that each
 * claim and each record of what was done prolongs; a letter is claimed before it is dealt with.
 * Each method is one statement and one transaction. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}: then it may have happened or not, and may be
 * repeated.
 */
public final class DeadLetterRuns {
  private static final String START =
      """
      INSERT INTO dead_letter_run (kind, topic, topic_id, who, why, terms, started_at, holder, until)
      VALUES (?, ?, ?, ?, ?, ?, now(), ?, now() + ? * interval '1 millisecond')
      RETURNING id
      """;

  private static final String TAKE_UP =
      """
      UPDATE dead_letter_run SET holder = ?, until = now() + ? * interval '1 millisecond'
      WHERE id = ? AND ended_at IS NULL AND until <= now()
      """;

  /*
   * In the order of places, so that two runs cannot wait for each other's rows. A claim of the run's own is claimed again: it
   * is the repeat of a statement whose answer was lost, or what a process died with.
   */
  private static final String CLAIM =
      """
      WITH held AS (
        UPDATE dead_letter_run SET until = now() + ? * interval '1 millisecond'
        WHERE id = ? AND holder = ? AND ended_at IS NULL
        RETURNING id, topic_id
      ), claimed AS (
        INSERT INTO dead_letter AS d (topic_id, partition, off, run, fate, at)
        SELECT h.topic_id, k.partition, k.off, h.id, 'claimed', now()
        FROM held h, unnest(?::int4[], ?::int8[]) AS k(partition, off)
        ORDER BY k.partition, k.off
        ON CONFLICT (topic_id, partition, off) DO UPDATE SET run = excluded.run, fate = excluded.fate, at = excluded.at, note = NULL
        WHERE (d.run = excluded.run AND d.fate = 'claimed') OR (d.fate = 'discarded' AND ?)
        RETURNING d.partition, d.off
      )
      SELECT partition, off FROM claimed
      UNION ALL
      SELECT NULL, NULL WHERE NOT EXISTS (SELECT FROM held)
      """;

  /*
   * Whoever holds the run: what was done was done. What was recorded before is not counted again. The run is locked before its
   * letters, as in CLAIM: a process that was thought dead may record what the next one claims at this moment.
   */
  private static final String RECORD =
      """
      WITH held AS MATERIALIZED (
        SELECT id FROM dead_letter_run WHERE id = ? FOR UPDATE
      ), done AS (
        UPDATE dead_letter d SET fate = k.fate, note = k.note, at = now()
        FROM held h, unnest(?::int4[], ?::int8[], ?::text[], ?::text[], ?::int8[]) AS k(partition, off, fate, note, micros)
        WHERE d.topic_id = ? AND d.partition = k.partition AND d.off = k.off AND d.run = h.id AND d.fate = 'claimed'
        RETURNING k.fate, k.micros
      )
      UPDATE dead_letter_run SET
        replayed = replayed + (SELECT count(*) FROM done WHERE fate = 'replayed'),
        settled = settled + (SELECT count(*) FROM done WHERE fate = 'settled'),
        discarded = discarded + (SELECT count(*) FROM done WHERE fate = 'discarded'),
        micros = dead_letter_run.micros + (SELECT coalesce(sum(d.micros), 0) FROM done d)::int8,
        unpriced = unpriced + (SELECT count(*) FROM done d WHERE d.fate = 'replayed' AND d.micros IS NULL),
        until = CASE WHEN holder = ? THEN now() + ? * interval '1 millisecond' ELSE until END
      WHERE id = ?
      """;

  private static final String LET_GO =
      "UPDATE dead_letter_run SET until = now() WHERE id = ? AND holder = ? AND ended_at IS NULL";

  private static final String END =
      """
      UPDATE dead_letter_run SET ended_at = now(), until = now(), passed = ?
      WHERE id = ? AND holder = ? AND ended_at IS NULL
      """;

  private static final String RUNS =
      """
      SELECT id, kind, topic, topic_id, who, why, terms, started_at, ended_at, until,
             (SELECT count(*) FROM dead_letter d WHERE d.run = r.id AND d.fate = 'claimed'),
             replayed, settled, discarded, coalesce(passed, 0), micros, unpriced
      FROM dead_letter_run r
      """;

  private static final String FATES =
      "SELECT partition, off, fate, run, at, note FROM dead_letter WHERE ";

  /*
   * Of a topic that is no more, only what is old: a configuration that names another cluster by mistake shows another id.
   */
  private static final String FORGET =
      """
      WITH old AS MATERIALIZED (
        (SELECT d.topic_id, d.partition, d.off
         FROM unnest(?::int4[], ?::int8[]) AS k(partition, first)
         JOIN dead_letter d ON d.topic_id = ? AND d.partition = k.partition AND d.off < k.first
         LIMIT ?)
        UNION ALL
        (SELECT d.topic_id, d.partition, d.off
         FROM (SELECT DISTINCT topic_id FROM dead_letter_run WHERE topic = ? AND topic_id <> ?) AS gone
         JOIN dead_letter d ON d.topic_id = gone.topic_id AND d.at < now() - interval '30 days'
         LIMIT ?)
      )
      DELETE FROM dead_letter d USING old o
      WHERE d.topic_id = o.topic_id AND d.partition = o.partition AND d.off = o.off
      """;

  private final DSLContext db;

  /**
   * @param db made by {@link Database#dsl()}
   */
  public DeadLetterRuns(DSLContext db) {
    this.db = db;
  }

  /** The right to claim letters for a run. */
  public record Hold(long run, UUID topicId, UUID holder, Duration lease) {}

  /** Begins a run. */
  public Hold start(
      DeadLetterRun.Kind kind,
      String topic,
      UUID topicId,
      String who,
      String why,
      String terms,
      UUID holder,
      Duration lease) {
    long id =
        SqlErrors.run(
            "beginning a run",
            () ->
                Rows.bigint(
                    db.fetchSingle(
                        START,
                        kind.word(),
                        topic,
                        topicId,
                        who,
                        why,
                        terms,
                        holder,
                        lease.toMillis()),
                    0));
    return new Hold(id, topicId, holder, lease);
  }

  /** Goes on with a run; empty where it has ended, or another process may still be at it. */
  public Optional<Hold> takeUp(DeadLetterRun run, UUID holder, Duration lease) {
    boolean taken =
        SqlErrors.run(
                "taking a run up", () -> db.execute(TAKE_UP, holder, lease.toMillis(), run.id()))
            == 1;
    return taken ? Optional.of(new Hold(run.id(), run.topicId(), holder, lease)) : Optional.empty();
  }

  /**
   * Claims letters, in one statement.
   *
   * @param discardedToo whether those that were discarded may be claimed
   * @return those that are this run's to deal with; empty where another process has taken the run
   *     up
   */
  public Optional<Set<At>> claim(Hold hold, Collection<At> letters, boolean discardedToo) {
    return SqlErrors.run(
        "claiming dead letters",
        () -> {
          Set<At> claimed = new HashSet<>();
          for (Record row :
              db.fetch(
                  CLAIM,
                  hold.lease().toMillis(),
                  hold.run(),
                  hold.holder(),
                  PgArray.integer(letters, At::partition),
                  PgArray.bigint(letters, At::offset),
                  discardedToo)) {
            if (row.get(0) == null) {
              return Optional.empty();
            }
            claimed.add(new At(Rows.integer(row, 0), Rows.bigint(row, 1)));
          }
          return Optional.of(claimed);
        });
  }

  /** Records what was done with claimed letters, and counts it once. */
  public void record(Hold hold, List<Decision> decisions) {
    SqlErrors.run(
        "recording what was done with dead letters",
        () ->
            db.execute(
                RECORD,
                hold.run(),
                PgArray.integer(decisions, Decision::partition),
                PgArray.bigint(decisions, Decision::offset),
                PgArray.text(decisions, decision -> decision.fate().word()),
                PgArray.text(decisions, Decision::note),
                PgArray.bigint(decisions, Decision::micros),
                hold.topicId(),
                hold.holder(),
                hold.lease().toMillis(),
                hold.run()));
  }

  /** Lets another process go on with a run now. */
  public void letGo(Hold hold) {
    SqlErrors.run("letting a run go", () -> db.execute(LET_GO, hold.run(), hold.holder()));
  }

  /**
   * Ends a run.
   *
   * @param left letters that were meant and left as they were
   */
  public void end(Hold hold, long left) {
    SqlErrors.run("ending a run", () -> db.execute(END, left, hold.run(), hold.holder()));
  }

  /** The newest runs, newest first. */
  public List<DeadLetterRun> runs(int limit) {
    return SqlErrors.run(
        "listing runs",
        () -> db.fetch(RUNS + " ORDER BY id DESC LIMIT ?", limit).map(DeadLetterRuns::toRun));
  }

  public Optional<DeadLetterRun> run(long id) {
    return SqlErrors.run(
        "reading a run",
        () -> db.fetch(RUNS + " WHERE id = ?", id).stream().map(DeadLetterRuns::toRun).findFirst());
  }

  /** What was decided about the letters of a topic, in the order of their places. */
  public List<DeadLetterFate> ofTopic(UUID topicId) {
    return fates("topic_id = ? ORDER BY partition, off", topicId);
  }

  /** What was decided about one letter. */
  public Optional<DeadLetterFate> of(UUID topicId, At letter) {
    return fates(
            "topic_id = ? AND partition = ? AND off = ?",
            topicId,
            letter.partition(),
            letter.offset())
        .stream()
        .findFirst();
  }

  /** The letters of a run that Kafka still has, in the order of their places. */
  public List<DeadLetterFate> ofRun(long run) {
    return fates("run = ? ORDER BY partition, off", run);
  }

  /**
   * Forgets letters that Kafka has forgotten.
   *
   * @param firsts the first offset that each partition still has
   * @param most rows of one statement, about
   * @return how many there were
   */
  public int forget(String topic, UUID topicId, Map<Integer, Long> firsts, int most) {
    List<Map.Entry<Integer, Long>> partitions = List.copyOf(firsts.entrySet());
    return SqlErrors.run(
        "forgetting dead letters",
        () ->
            db.execute(
                FORGET,
                PgArray.integer(partitions, Map.Entry::getKey),
                PgArray.bigint(partitions, Map.Entry::getValue),
                topicId,
                most,
                topic,
                topicId,
                most));
  }

  private List<DeadLetterFate> fates(String where, Object... values) {
    return SqlErrors.run(
        "reading what was decided about dead letters",
        () ->
            db.fetch(FATES + where, values)
                .map(
                    row ->
                        new DeadLetterFate(
                            Rows.integer(row, 0),
                            Rows.bigint(row, 1),
                            Fate.of(Rows.text(row, 2)),
                            Rows.bigint(row, 3),
                            Rows.instant(row, 4),
                            (String) row.get(5))));
  }

  private static DeadLetterRun toRun(Record row) {
    @Nullable OffsetDateTime ended = (OffsetDateTime) row.get(8);
    return new DeadLetterRun(
        Rows.bigint(row, 0),
        DeadLetterRun.Kind.of(Rows.text(row, 1)),
        Rows.text(row, 2),
        Rows.uuid(row, 3),
        Rows.text(row, 4),
        Rows.text(row, 5),
        Rows.text(row, 6),
        Rows.instant(row, 7),
        ended == null ? null : ended.toInstant(),
        Rows.instant(row, 9),
        Rows.integer(row, 10),
        new DeadLetterRun.Counts(
            Rows.bigint(row, 11),
            Rows.bigint(row, 12),
            Rows.bigint(row, 13),
            Rows.bigint(row, 14),
            Rows.bigint(row, 15),
            Rows.bigint(row, 16)));
  }
}
