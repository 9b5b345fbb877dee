package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.SqlErrors.run;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Suspicions on PostgreSQL. Thread-safe. */
public final class PostgresSuspicions implements Suspicions {
  /*
   * Through evidence_suspicion, from its end. What was said of one: the newest that is about its task, or about all.
   */
  private static final String LIST =
      """
      SELECT e.at, e.op_key, i.provider, o.state::text, e.code, e.remote_id, o.remote_id, e.note, i.price, s.code, s.note
      FROM evidence e
      JOIN intent i ON i.op_key = e.op_key
      JOIN operation o ON o.seq = e.seq AND o.op_key = e.op_key
      LEFT JOIN LATERAL (
        SELECT v.code, v.note FROM evidence v
        WHERE v.seq = e.seq AND v.op_key = e.op_key AND v.code IN ('DUPLICATE_SETTLED', 'DUPLICATE_PAID')
          AND v.at >= e.at AND (v.remote_id IS NULL OR v.remote_id = e.remote_id)
        ORDER BY v.code = 'DUPLICATE_SETTLED' DESC, v.at DESC LIMIT 1
      ) AS s ON true
      WHERE e.code IN %s AND (?::text IS NULL OR i.provider = ?) AND (? OR s.code IS DISTINCT FROM 'DUPLICATE_SETTLED')
      ORDER BY e.at DESC, e.op_key, e.id LIMIT ?
      """
          .formatted(Suspicion.CODES);

  /* The id is that of late evidence which names the same task, so that one task is one suspicion. */
  private static final String EXTRA =
      """
      INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, remote_id, note)
      SELECT o.seq, o.op_key, hashtextextended(w.remote_id, 0), now(), o.fence, 'lookup', 'SUSPECTED_DUPLICATE', false,
             w.remote_id, w.note
      FROM (SELECT ?::bytea AS op_key, ?::text AS remote_id, ?::text AS note) AS w
      JOIN intent i ON i.op_key = w.op_key
      JOIN operation o ON o.seq = i.source_offset AND o.op_key = i.op_key
      ON CONFLICT (seq, op_key, id) DO NOTHING
      """;

  /*
   * What a provider reported by itself proves nothing: only the answer to our own create, or our own reference, does. A
   * failed operation has no task that is kept, so none of its tasks is extra.
   */
  private static final String EXTRAS =
      """
      SELECT e.op_key, i.provider, e.remote_id, o.remote_id
      FROM evidence e
      JOIN intent i ON i.op_key = e.op_key
      JOIN operation o ON o.seq = e.seq AND o.op_key = e.op_key
      WHERE %s AND e.code = 'SUSPECTED_DUPLICATE' AND e.remote_id IS NOT NULL
        AND e.at > now() - ?::int8 * interval '1 millisecond'
        AND i.provider = ANY (?::text[]) AND o.state IN ('accepted', 'complete') AND o.remote_id <> e.remote_id
        AND (e.source = 'lookup' OR EXISTS (
              SELECT FROM evidence v
              WHERE v.seq = e.seq AND v.op_key = e.op_key AND v.source = 'submit' AND v.remote_id = e.remote_id
                AND v.code <> 'SUSPECTED_DUPLICATE'))
        AND NOT EXISTS (
              SELECT FROM evidence v
              WHERE v.seq = e.seq AND v.op_key = e.op_key AND v.code = 'DUPLICATE_PAID' AND v.remote_id = e.remote_id)
        AND NOT EXISTS (SELECT FROM remote_task r WHERE r.remote_id = e.remote_id AND r.provider = i.provider)
      ORDER BY e.at LIMIT ?
      """
          .formatted(Suspicion.open("e"));

  private static final String CLOSE =
      """
      INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, remote_id, note)
      SELECT o.seq, o.op_key, ?, now(), o.fence, ?, ?, false, ?, ?
      FROM intent i JOIN operation o ON o.seq = i.source_offset AND o.op_key = i.op_key
      WHERE i.op_key = ?
      """;

  private final DSLContext db;

  /**
   * @param db made by {@link Database#dsl()}; {@link Database#forReading} is enough for {@link
   *     #list}
   */
  public PostgresSuspicions(DSLContext db) {
    this.db = db;
  }

  @Override
  public List<Suspected> list(@Nullable String provider, boolean settledToo, int most) {
    return run(
        "listing suspicions",
        () ->
            db.resultQuery(
                    LIST,
                    DSL.val(provider, SQLDataType.VARCHAR),
                    DSL.val(provider, SQLDataType.VARCHAR),
                    DSL.val(settledToo),
                    DSL.val(most))
                .fetch(PostgresSuspicions::suspected));
  }

  private static Suspected suspected(Record row) {
    return new Suspected(
        Rows.instant(row, 0),
        Rows.key(row, 1),
        Rows.text(row, 2),
        Rows.text(row, 3),
        Rows.text(row, 4),
        (String) row.get(5),
        (String) row.get(6),
        (String) row.get(7),
        (Long) row.get(8),
        fate((String) row.get(9)),
        (String) row.get(10));
  }

  private static Fate fate(@Nullable String code) {
    if (code == null) {
      return Fate.OPEN;
    }
    return code.equals(Code.DUPLICATE_PAID.name()) ? Fate.PAID : Fate.SETTLED;
  }

  @Override
  public void extra(OperationKey key, String remoteId, String note) {
    run(
        "recording an extra task of " + key,
        () -> db.query(EXTRA, DSL.val(key.bytes()), DSL.val(remoteId), DSL.val(note)).execute());
  }

  @Override
  public List<Extra> extras(Collection<String> providers, Duration within, int most) {
    return providers.isEmpty()
        ? List.of()
        : run(
            "reading extra tasks",
            () ->
                db.resultQuery(
                        EXTRAS,
                        DSL.val(within.toMillis()),
                        PgArray.text(providers, provider -> provider),
                        DSL.val(most))
                    .fetch(
                        row ->
                            new Extra(
                                Rows.key(row, 0),
                                Rows.text(row, 1),
                                Rows.text(row, 2),
                                Rows.text(row, 3))));
  }

  @Override
  public boolean close(
      OperationKey key, @Nullable String remoteId, Fate fate, boolean byPerson, String note) {
    Code code =
        switch (fate) {
          case OPEN -> throw new IllegalArgumentException("nothing is opened by closing it");
          case PAID -> Code.DUPLICATE_PAID;
          case SETTLED -> Code.DUPLICATE_SETTLED;
        };
    Evidence.Source source = byPerson ? Evidence.Source.PERSON : Evidence.Source.LOOKUP;
    return run(
            "closing suspicions of " + key,
            () ->
                db.query(
                        CLOSE,
                        DSL.val(Evidence.newId()),
                        DSL.val(source.word()),
                        DSL.val(code.name()),
                        DSL.val(remoteId, SQLDataType.VARCHAR),
                        DSL.val(note),
                        DSL.val(key.bytes()))
                    .execute())
        == 1;
  }
}
