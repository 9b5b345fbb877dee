package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;

/** Statements about outputs, apart from the change that stores one. Thread-safe. */
final class OutputStatements {
  /* A range of the primary key: what one operation has, which is little. */
  private static final String TROUBLE =
      """
      SELECT count(*)::int4, coalesce((extract(epoch FROM now() - min(at)) * 1000)::int8, 0)
      FROM evidence e WHERE seq = ? AND op_key = ? AND source = 'output' AND code = ANY (?::text[])
        -- what was before somebody decided that it goes on counts no more
        AND NOT EXISTS (SELECT FROM evidence p WHERE p.seq = e.seq AND p.op_key = e.op_key AND p.source = 'person'
                          AND p.code = 'TAKEN_UP' AND p.at >= e.at)
      """;

  /*
   * One probe of two indexes for each key. The id follows from both keys, so that a repeat adds nothing. A digest that
   * thousands share shows one twin, the oldest.
   */
  private static final String TWINS =
      """
      WITH twin AS (
        SELECT i.source_offset AS seq, mine.op_key, other.op_key AS twin
        FROM unnest(?::bytea[]) AS k(op_key)
        JOIN output mine ON mine.op_key = k.op_key
        JOIN intent i ON i.op_key = k.op_key
        CROSS JOIN LATERAL (
          SELECT o.op_key FROM output o WHERE o.sha256 = mine.sha256 AND o.op_key <> mine.op_key
          ORDER BY o.stored_at, o.op_key LIMIT 1
        ) AS other
      ), seen AS (
        INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, note)
        SELECT t.seq, t.op_key, hashtextextended(encode(t.twin, 'hex'), 1), now(), o.fence, 'output', 'DUPLICATE_OUTPUT',
               false,
               'the same bytes are the output of ' || convert_from(substring(t.twin FROM 33), 'UTF8') || ':'
                 || encode(substring(t.twin FROM 1 FOR 32), 'hex')
        FROM twin t JOIN operation o ON o.seq = t.seq AND o.op_key = t.op_key
        ON CONFLICT (seq, op_key, id) DO NOTHING
      )
      SELECT op_key, twin FROM twin
      """;

  private final DSLContext db;

  OutputStatements(DSLContext db) {
    this.db = db;
  }

  OutputTrouble trouble(Follow follow, Set<Code> codes) {
    return db.resultQuery(
            TROUBLE,
            follow.seq(),
            follow.key().bytes(),
            PgArray.text(List.copyOf(codes), Code::name))
        .fetchSingle(
            row ->
                new OutputTrouble(
                    row.get(0, Integer.class), Duration.ofMillis(row.get(1, Long.class))));
  }

  Map<OperationKey, OperationKey> twins(Collection<OperationKey> keys) {
    Map<OperationKey, OperationKey> twins = new HashMap<>();
    db.resultQuery(TWINS, PgArray.bytea(keys, OperationKey::bytes))
        .fetch()
        .forEach(row -> twins.put(Rows.key(row, 0), Rows.key(row, 1)));
    return twins;
  }
}
