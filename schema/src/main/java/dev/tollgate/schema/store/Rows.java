package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.UUID;
import org.jooq.Record;

/** Reads columns of a plain SQL result that are not null. */
final class Rows {
  /**
   * Writes a word to the log and nothing else: a commit that contains it waits for the standby, and
   * so for every commit before it. Reading alone waits for nothing, and sees what a failover may
   * lose (rule 14).
   */
  static final String AWAIT_REPLICATION =
      "SELECT pg_logical_emit_message(true, 'tollgate', '') IS NOT NULL AS done";

  private Rows() {}

  static OperationKey key(Record row, int column) {
    return OperationKey.fromBytes(bytes(row, column));
  }

  static byte[] bytes(Record row, int column) {
    return (byte[]) Objects.requireNonNull(row.get(column));
  }

  static String text(Record row, int column) {
    return (String) Objects.requireNonNull(row.get(column));
  }

  static int integer(Record row, int column) {
    return ((Number) Objects.requireNonNull(row.get(column))).intValue();
  }

  static long bigint(Record row, int column) {
    return ((Number) Objects.requireNonNull(row.get(column))).longValue();
  }

  static Object[] array(Record row, int column) {
    return (Object[]) Objects.requireNonNull(row.get(column));
  }

  static UUID uuid(Record row, int column) {
    return (UUID) Objects.requireNonNull(row.get(column));
  }

  static Instant instant(Record row, int column) {
    return ((OffsetDateTime) Objects.requireNonNull(row.get(column))).toInstant();
  }
}
