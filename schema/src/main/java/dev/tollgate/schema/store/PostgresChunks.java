package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.SqlErrors.run;

import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Chunks on PostgreSQL. Thread-safe. */
public final class PostgresChunks implements Chunks {
  /*
   * What one stream has is found by one probe of the key's index. Its chunks are a slice of the arrays, so that nothing has to
   * be joined to tell whose they are. Two who resume one stream store the same bytes: whoever
   * comes second at the same moment finds fewer rows stored than there were to store, and compares when it asks again.
   */
  private static final String APPEND =
      """
      WITH streams AS MATERIALIZED (
        SELECT w.seq, w.op_key, w.first, w.last, w.low, w.high, o.op_key IS NOT NULL AS open, coalesce(l.pos + 1, 0) AS next,
               l.ends IS NOT NULL AS over
        FROM unnest(?::int8[], ?::bytea[], ?::text[], ?::int4[], ?::int4[], ?::int4[], ?::int4[])
          AS w(seq, op_key, remote_id, first, last, low, high)
        LEFT JOIN operation o
          ON o.seq = w.seq AND o.op_key = w.op_key AND o.state = 'accepted' AND o.remote_id = w.remote_id
        LEFT JOIN LATERAL (
          SELECT c.pos, c.ends FROM chunk c WHERE c.seq = w.seq AND c.op_key = w.op_key ORDER BY c.pos DESC LIMIT 1
        ) AS l ON true
      ), given AS MATERIALIZED (
        SELECT s.*, s.first + (c.nth - 1)::int4 AS pos, c.cursor, c.text, c.data, c.ends
        FROM streams s
        CROSS JOIN LATERAL unnest(
          (?::int8[])[s.low : s.high], (?::bytea[])[s.low : s.high], (?::bytea[])[s.low : s.high], (?::text[])[s.low : s.high])
          WITH ORDINALITY AS c(cursor, text, data, ends, nth)
      ), clashing AS MATERIALIZED (
        SELECT DISTINCT g.seq, g.op_key
        FROM given g JOIN chunk c ON c.seq = g.seq AND c.op_key = g.op_key AND c.pos = g.pos
        WHERE g.pos < g.next AND (c.data <> g.data OR c.ends IS DISTINCT FROM g.ends)
      ), stored AS (
        INSERT INTO chunk (seq, op_key, pos, cursor, at, text, data, ends)
        SELECT g.seq, g.op_key, g.pos, g.cursor, now(), g.text, g.data, g.ends
        FROM given g
        WHERE g.open AND NOT g.over AND g.first <= g.next AND g.pos >= g.next
          AND NOT EXISTS (SELECT FROM clashing x WHERE x.seq = g.seq AND x.op_key = g.op_key)
        ON CONFLICT DO NOTHING
        RETURNING seq, op_key, pos, octet_length(data) + coalesce(octet_length(text), 0) AS bytes
      ), ranges AS (
        SELECT seq, op_key, min(pos) AS first, max(pos) AS last, count(*) AS many, sum(bytes) AS bytes FROM stored GROUP BY seq, op_key
      ), told AS (
        INSERT INTO chunk_outbox (seq, op_key, first, last, bytes)
        SELECT array_agg(seq), array_agg(op_key), array_agg(first), array_agg(last), sum(bytes) FROM ranges HAVING count(*) > 0
      )
      SELECT s.op_key,
             CASE WHEN EXISTS (SELECT FROM clashing x WHERE x.seq = s.seq AND x.op_key = s.op_key) THEN 'CONFLICT'
                  WHEN s.last < s.next THEN 'STORED'
                  WHEN s.over THEN 'OVER'
                  WHEN NOT s.open THEN 'STALE'
                  WHEN s.first > s.next THEN 'GAP'
                  WHEN coalesce(r.many, 0) < s.last - greatest(s.first, s.next) + 1 THEN 'AGAIN'
                  ELSE 'STORED' END
      FROM streams s LEFT JOIN ranges r ON r.seq = s.seq AND r.op_key = s.op_key
      """;

  /* Locks wake rows alone and waits for none, so it needs no place in the order of locks. */
  private static final String DUE =
      """
      WITH mine AS MATERIALIZED (
        SELECT w.seq, w.op_key FROM wake w
        WHERE w.role = 'follow' AND (w.seq, w.op_key) IN (SELECT * FROM unnest(?::int8[], ?::bytea[]))
        FOR UPDATE SKIP LOCKED
      )
      UPDATE wake w SET at = %s
      FROM mine m WHERE w.seq = m.seq AND w.op_key = m.op_key
      """;

  private static final String RENEW =
      DUE.formatted("greatest(w.at, now() + ? * interval '1 millisecond')");

  private static final String HAND_OVER = DUE.formatted("least(w.at, now())");

  private static final String STANDINGS =
      """
      SELECT o.op_key, coalesce(l.pos, -1), l.cursor, l.ends,
             (extract(epoch FROM now() - coalesce(l.at, o.changed_at)) * 1000)::int8
      FROM unnest(?::int8[], ?::bytea[]) AS w(seq, op_key)
      JOIN operation o ON o.seq = w.seq AND o.op_key = w.op_key
      LEFT JOIN LATERAL (
        SELECT c.pos, c.cursor, c.ends, c.at FROM chunk c WHERE c.seq = w.seq AND c.op_key = w.op_key ORDER BY c.pos DESC LIMIT 1
      ) AS l ON true
      """;

  private static final String PLACE =
      "SELECT source_offset FROM intent WHERE op_key = ? AND ended_at IS NULL";

  private static final String PAGES =
      """
      SELECT w.n::int4, o.state::text, o.reason, o.review, c.pos, c.cursor, c.text, c.data, c.ends
      FROM unnest(?::int8[], ?::bytea[], ?::int4[]) WITH ORDINALITY AS w(seq, op_key, first, n)
      JOIN operation o ON o.seq = w.seq AND o.op_key = w.op_key
      LEFT JOIN LATERAL (
        SELECT * FROM (
          SELECT c.pos, c.cursor, c.text, c.data, c.ends,
                 sum(octet_length(c.data) + coalesce(octet_length(c.text), 0))
                   OVER (ORDER BY c.pos ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
          FROM chunk c WHERE c.seq = w.seq AND c.op_key = w.op_key AND c.pos >= w.first ORDER BY c.pos LIMIT ?
        ) AS p WHERE coalesce(p.before, 0) < ?
      ) AS c ON true
      ORDER BY w.n, c.pos
      """;

  /** A hundred readers' pages are in memory at once, and a chunk may have a megabyte. */
  private static final int PAGE_BYTES = 256 * 1024;

  private static final String OUTBOX =
      """
      WITH rows AS (
        SELECT *, coalesce(sum((SELECT sum(l - f + 1) FROM unnest(b.first, b.last) AS r(f, l))) OVER earlier, 0) AS before,
               coalesce(sum(bytes) OVER earlier, 0) AS bytes_before
        FROM (SELECT * FROM chunk_outbox ORDER BY id LIMIT ?) AS b
        WINDOW earlier AS (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
      )
      SELECT b.id, c.op_key, c.pos, c.cursor, c.text, c.data, c.ends
      FROM rows b, unnest(b.seq, b.op_key, b.first, b.last) AS r(seq, op_key, first, last)
      JOIN chunk c ON c.seq = r.seq AND c.op_key = r.op_key AND c.pos BETWEEN r.first AND r.last
      WHERE b.before < ? AND b.bytes_before < 16777216
      ORDER BY b.id, c.op_key, c.pos
      """;

  private static final String PUBLISHED = "DELETE FROM chunk_outbox WHERE id = ANY (?::int8[])";

  private final DSLContext db;

  /**
   * @param db made by {@link Database#dsl()}
   */
  public PostgresChunks(DSLContext db) {
    this.db = db;
  }

  @Override
  public Map<OperationKey, Appended> append(Map<Stream, List<Chunk>> chunks) {
    List<Stream> streams = new ArrayList<>();
    List<Integer> lows = new ArrayList<>();
    List<Integer> highs = new ArrayList<>();
    List<Chunk> given = new ArrayList<>();
    chunks.entrySet().stream()
        .filter(some -> !some.getValue().isEmpty())
        .sorted(Comparator.comparing(some -> some.getKey().key())) // neighbours in the index
        .forEach(
            some -> {
              streams.add(some.getKey());
              lows.add(given.size() + 1);
              given.addAll(some.getValue());
              highs.add(given.size());
            });
    Map<OperationKey, Appended> became = new HashMap<>();
    if (!given.isEmpty()) {
      run(
              "storing chunks",
              () ->
                  db.fetch(
                      APPEND,
                      PgArray.bigint(streams, Stream::seq),
                      PgArray.bytea(streams, stream -> stream.key().bytes()),
                      PgArray.text(streams, Stream::remoteId),
                      PgArray.integer(lows, low -> given.get(low - 1).offset()),
                      PgArray.integer(highs, high -> given.get(high - 1).offset()),
                      PgArray.integer(lows, low -> low),
                      PgArray.integer(highs, high -> high),
                      PgArray.bigint(given, Chunk::cursor),
                      PgArray.bytea(given, Chunk::text),
                      PgArray.bytea(given, Chunk::data),
                      PgArray.text(given, c -> c.ends() == null ? null : c.ends().word())))
          .forEach(row -> became.put(Rows.key(row, 0), Appended.valueOf(Rows.text(row, 1))));
    }
    return became;
  }

  @Override
  public void renew(Collection<Stream> streams, Duration lease) {
    if (!streams.isEmpty()) {
      run(
          "keeping streams",
          () ->
              db.execute(
                  RENEW,
                  PgArray.bigint(streams, Stream::seq),
                  PgArray.bytea(streams, stream -> stream.key().bytes()),
                  lease.toMillis()));
    }
  }

  @Override
  public void handOver(Collection<Stream> streams) {
    if (!streams.isEmpty()) {
      run(
          "handing streams over",
          () ->
              db.execute(
                  HAND_OVER,
                  PgArray.bigint(streams, Stream::seq),
                  PgArray.bytea(streams, stream -> stream.key().bytes())));
    }
  }

  @Override
  public Map<OperationKey, Standing> standings(Collection<Stream> streams) {
    Map<OperationKey, Standing> standings = new HashMap<>();
    streams.forEach(stream -> standings.put(stream.key(), Standing.NONE));
    if (!streams.isEmpty()) {
      run(
              "reading how far streams have come",
              () ->
                  db.fetch(
                      STANDINGS,
                      PgArray.bigint(streams, Stream::seq),
                      PgArray.bytea(streams, stream -> stream.key().bytes())))
          .forEach(row -> standings.put(Rows.key(row, 0), standing(row)));
    }
    return standings;
  }

  private static Standing standing(Record row) {
    return new Standing(
        Rows.integer(row, 1) + 1,
        (Long) row.get(2),
        Optional.ofNullable(End.ofWord((String) row.get(3))),
        Duration.ofMillis(Rows.bigint(row, 4)));
  }

  @Override
  public Optional<Long> place(OperationKey key) {
    return run(
        "finding a stream",
        () -> db.fetchOptional(PLACE, key.bytes()).map(row -> Rows.bigint(row, 0)));
  }

  @Override
  public List<Page> pages(List<Wanted> wanted, int most) {
    if (wanted.isEmpty()) {
      return List.of();
    }
    List<Page> pages = new ArrayList<>(wanted.size());
    for (int i = 0; i < wanted.size(); i++) {
      pages.add(new Page("", null, null, new ArrayList<>()));
    }
    for (Record row :
        run(
            "reading streams",
            () ->
                db.fetch(
                    PAGES,
                    PgArray.bigint(wanted, Wanted::seq),
                    PgArray.bytea(wanted, w -> w.key().bytes()),
                    PgArray.integer(wanted, Wanted::from),
                    most,
                    PAGE_BYTES))) {
      int at = Rows.integer(row, 0) - 1;
      List<Chunk> chunks = pages.get(at).chunks();
      if (chunks.isEmpty()) {
        pages.set(
            at, new Page(Rows.text(row, 1), (String) row.get(2), (String) row.get(3), chunks));
      }
      if (row.get(4) != null) {
        chunks.add(chunk(row, 4));
      }
    }
    return pages;
  }

  @Override
  public List<Unpublished> outbox(int atLeast) {
    return run(
        "reading chunks to publish",
        () ->
            db.fetch(OUTBOX, atLeast, atLeast)
                .map(row -> new Unpublished(Rows.bigint(row, 0), Rows.key(row, 1), chunk(row, 2))));
  }

  /** From its position on: position, cursor, text, data, end. */
  private static Chunk chunk(Record row, int from) {
    return new Chunk(
        Rows.integer(row, from),
        (Long) row.get(from + 1),
        (byte @Nullable []) row.get(from + 2),
        Rows.bytes(row, from + 3),
        End.ofWord((String) row.get(from + 4)));
  }

  @Override
  public void published(List<Long> ids) {
    if (!ids.isEmpty()) {
      run("ending published chunks", () -> db.execute(PUBLISHED, PgArray.ids(ids)));
    }
  }
}
