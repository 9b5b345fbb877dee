package dev.tollgate.schema.store;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * Reads for people who is sending what; locks and changes nothing. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}.
 */
public final class HoldingReader {
  /** Reads what is being sent alone: leases, and by primary key what they name. */
  private static final String HOLDINGS =
      """
      SELECT a.owner, l.provider, count(*)::int4, (count(*) FILTER (WHERE l.until <= now()))::int4, max(l.until)
      FROM lease l
      CROSS JOIN LATERAL unnest(l.seqs, l.op_keys) AS held(seq, op_key)
      JOIN operation o ON o.seq = held.seq AND o.op_key = held.op_key AND o.claim = l.claim AND o.state = 'sending'
      JOIN attempts a ON a.seq = o.seq AND a.op_key = o.op_key AND a.fence = o.fence
      GROUP BY a.owner, l.provider
      ORDER BY a.owner, l.provider
      """;

  private final DSLContext db;

  /**
   * @param db made by {@link Database#forReading}
   */
  public HoldingReader(DSLContext db) {
    this.db = db;
  }

  /** What is being sent, by worker and provider. */
  public List<Holding> holdings() {
    try {
      return db.fetch(HOLDINGS)
          .map(
              row ->
                  new Holding(
                      Objects.requireNonNull(row.get(0, String.class)),
                      Objects.requireNonNull(row.get(1, String.class)),
                      Objects.requireNonNull(row.get(2, Integer.class)),
                      Objects.requireNonNull(row.get(3, Integer.class)),
                      Objects.requireNonNull(row.get(4, OffsetDateTime.class)).toInstant()));
    } catch (DataAccessException e) {
      throw SqlErrors.translate("reading who is sending", e);
    }
  }
}
