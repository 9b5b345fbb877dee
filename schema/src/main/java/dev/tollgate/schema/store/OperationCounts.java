package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.util.Map;

/**
 * How many operations there are.
 *
 * @param byState every state, also those that no operation is in
 * @param byReview why persons have to decide, and how many times
 */
public record OperationCounts(Map<OperationState, Long> byState, Map<Code, Long> byReview) {
  public OperationCounts {
    byState = Map.copyOf(byState);
    byReview = Map.copyOf(byReview);
  }

  public long in(OperationState state) {
    return byState.getOrDefault(state, 0L);
  }

  /** Operations that wait for a person. */
  public long inReview() {
    return byReview.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Operations that are not finished. */
  public long open() {
    return byState.entrySet().stream()
        .filter(e -> !e.getKey().terminal())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  public long total() {
    return byState.values().stream().mapToLong(Long::longValue).sum();
  }
}
