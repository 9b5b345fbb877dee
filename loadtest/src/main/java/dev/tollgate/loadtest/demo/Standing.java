package dev.tollgate.loadtest.demo;

import dev.tollgate.schema.state.OperationState;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jooq.DSLContext;

/**
 * Where a run stands, from the database.
 *
 * @param byState operations by state, every state
 * @param underWay operations that some process will touch again by itself, or try again
 * @param persons operations that wait for a person
 * @param untold rows of the outboxes
 * @param unknownSeen operations that were unknown at some time
 */
record Standing(
    Map<OperationState, Long> byState, long underWay, long persons, long untold, long unknownSeen) {
  private static final String COUNTS =
      """
      SELECT (SELECT count(*) FROM wake WHERE role <> 'person') + (SELECT count(*) FROM operation WHERE state = 'sending')
               + (SELECT count(*) FROM regeneration),
             (SELECT count(*) FROM wake WHERE role = 'person'),
             (SELECT coalesce(sum(cardinality(op_key)), 0) FROM outbox) + (SELECT count(*) FROM chunk_outbox),
             (SELECT count(DISTINCT op_key) FROM evidence WHERE code IN ('OUTCOME_UNKNOWN', 'LEASE_LOST'))
      """;

  static Standing read(DSLContext db) {
    Map<OperationState, Long> byState = new EnumMap<>(OperationState.class);
    for (OperationState state : OperationState.values()) {
      byState.put(state, 0L);
    }
    db.fetch("SELECT state::text, count(*) FROM operation GROUP BY state")
        .forEach(
            row ->
                byState.put(OperationState.of(row.get(0, String.class)), row.get(1, Long.class)));
    var counts = db.fetchSingle(COUNTS);
    return new Standing(
        byState,
        counts.get(0, Long.class),
        counts.get(1, Long.class),
        counts.get(2, Long.class),
        counts.get(3, Long.class));
  }

  long rows() {
    return byState.values().stream().mapToLong(Long::longValue).sum();
  }

  String states() {
    return byState.entrySet().stream()
        .filter(e -> e.getValue() > 0)
        .map(e -> e.getKey().word() + " " + e.getValue())
        .collect(Collectors.joining(", "));
  }
}
