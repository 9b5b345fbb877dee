package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Tells how operations stand, a batch of keys at a time. Thread-safe. */
public final class StandingReader {
  private static final String STANDING =
      """
      SELECT i.op_key, i.request_hash, coalesce(o.state, i.ended_state)::text, coalesce(o.fence, 0), o.claim, i.production_task,
             coalesce(o.reason, i.ended_reason), o.review, coalesce(p.address, i.ended_address)
      FROM unnest(?::bytea[]) AS k(op_key)
      JOIN intent i ON i.op_key = k.op_key
      LEFT JOIN operation o ON o.seq = i.source_offset AND o.op_key = i.op_key
      LEFT JOIN output p ON p.op_key = i.op_key
      """;

  private final DSLContext db;

  public StandingReader(DSLContext db) {
    this.db = db;
  }

  /**
   * How those of the operations stand that are stored.
   *
   * @throws StoreUnavailable if the database does not answer
   */
  public Map<OperationKey, Standing> of(Collection<OperationKey> keys) {
    Map<OperationKey, Standing> standings = new HashMap<>();
    if (keys.isEmpty()) {
      return standings;
    }
    try {
      for (Record row : db.fetch(STANDING, PgArray.bytea(keys, OperationKey::bytes))) {
        KnownIntent intent =
            new KnownIntent(
                Rows.key(row, 0),
                Rows.bytes(row, 1),
                OperationState.of(Rows.text(row, 2)),
                Rows.integer(row, 3),
                (UUID) row.get(4),
                (String) row.get(5));
        standings.put(
            intent.key(),
            new Standing(intent, code(row.get(6)), code(row.get(7)), (String) row.get(8)));
      }
      return standings;
    } catch (DataAccessException e) {
      throw SqlErrors.translate("reading how operations stand", e);
    }
  }

  private static @Nullable Code code(@Nullable Object name) {
    return name == null ? null : Code.valueOf((String) name);
  }
}
