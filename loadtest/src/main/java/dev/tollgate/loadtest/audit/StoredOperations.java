package dev.tollgate.loadtest.audit;

import dev.tollgate.loadtest.audit.Facts.Operation;
import dev.tollgate.loadtest.audit.Facts.Seen;
import dev.tollgate.loadtest.audit.Facts.StoredChunks;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.StoredOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Every operation of a database with all that belongs to it, read into memory. */
final class StoredOperations {
  private static final String OPERATIONS =
      """
      SELECT o.op_key, i.provider, o.state::text, o.reason, o.review, o.remote_id, o.fence, o.version, o.attempts::int,
             CASE WHEN o.state = 'sending'
                  THEN (SELECT 'sweep' WHERE EXISTS (SELECT FROM lease l WHERE l.claim = o.claim AND o.op_key = ANY (l.op_keys)))
                  ELSE w.role::text END,
             t.address, t.sha256, t.length, t.content_type
      FROM operation o
      LEFT JOIN intent i ON i.op_key = o.op_key
      LEFT JOIN wake w ON w.op_key = o.op_key
      LEFT JOIN output t ON t.op_key = o.op_key
      """;

  private final DSLContext db;

  StoredOperations(DSLContext db) {
    this.db = db;
  }

  Map<OperationKey, Operation> read() {
    Map<OperationKey, List<Integer>> attempts = new HashMap<>();
    db.fetch("SELECT op_key, fence FROM attempts ORDER BY op_key, fence")
        .forEach(
            row -> attempts.computeIfAbsent(key(row), _ -> new ArrayList<>()).add(whole(row, 1)));
    Map<OperationKey, Set<String>> owned = new HashMap<>();
    db.fetch("SELECT op_key, remote_id FROM remote_task")
        .forEach(row -> owned.computeIfAbsent(key(row), _ -> new HashSet<>()).add(text(row, 1)));
    Map<OperationKey, List<Seen>> evidence = evidence();
    Map<OperationKey, Operation> operations = new HashMap<>();
    for (Record row : db.fetch(OPERATIONS)) {
      OperationKey key = key(row);
      operations.put(
          key,
          new Operation(
              key,
              text(row, 1),
              OperationState.of(text(row, 2)),
              row.get(3, String.class),
              row.get(4, String.class),
              row.get(5, String.class),
              whole(row, 6),
              whole(row, 7),
              whole(row, 8),
              row.get(9, String.class),
              attempts.getOrDefault(key, List.of()),
              evidence.getOrDefault(key, List.of()),
              owned.getOrDefault(key, Set.of()),
              output(row)));
    }
    return operations;
  }

  private Map<OperationKey, List<Seen>> evidence() {
    Map<OperationKey, List<Seen>> evidence = new HashMap<>();
    db.fetch(
            "SELECT op_key, fence, source, code, remote_id, note FROM evidence ORDER BY op_key, at, id")
        .forEach(
            row ->
                evidence
                    .computeIfAbsent(key(row), _ -> new ArrayList<>())
                    .add(
                        new Seen(
                            whole(row, 1),
                            text(row, 2),
                            text(row, 3),
                            row.get(4, String.class),
                            row.get(5, String.class))));
    return evidence;
  }

  Map<OperationKey, OperationKey> earlier() {
    Map<OperationKey, OperationKey> earlier = new HashMap<>();
    db.fetch("SELECT op_key, retry_of FROM intent WHERE retry_of IS NOT NULL")
        .forEach(row -> earlier.put(key(row), OperationKey.fromBytes(row.get(1, byte[].class))));
    return earlier;
  }

  Map<OperationKey, StoredChunks> chunks() {
    Map<OperationKey, StoredChunks> chunks = new HashMap<>();
    db.fetch(
            "SELECT op_key, count(*)::int, max(pos), bool_or(ends IS NOT NULL) FROM chunk GROUP BY op_key")
        .forEach(
            row ->
                chunks.put(
                    key(row),
                    new StoredChunks(whole(row, 1), whole(row, 2), row.get(3, Boolean.class))));
    return chunks;
  }

  long unsent() {
    return db.fetchSingle(
            """
            SELECT coalesce(sum(cardinality(op_key)), 0)::int8 + (SELECT count(*) FROM chunk_outbox) FROM outbox
            """)
        .get(0, Long.class);
  }

  private static @Nullable StoredOutput output(Record row) {
    String address = row.get(10, String.class);
    return address == null
        ? null
        : new StoredOutput(
            address,
            Arrays.copyOf(row.get(11, byte[].class), 32),
            row.get(12, Long.class),
            row.get(13, String.class));
  }

  private static OperationKey key(Record row) {
    return OperationKey.fromBytes(row.get(0, byte[].class));
  }

  private static String text(Record row, int column) {
    return row.get(column, String.class);
  }

  private static int whole(Record row, int column) {
    return row.get(column, Integer.class);
  }
}
