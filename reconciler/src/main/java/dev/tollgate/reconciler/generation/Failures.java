package dev.tollgate.reconciler.generation;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.schema.store.Regenerations;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Notes failed operations that the policy may be about, when they are told of and before that is
 * forgotten. Costs a statement where there are some, and nothing else. Thread-safe.
 */
public final class Failures implements Consumer<List<OutboxRow>> {
  private final Regenerations regenerations;
  private final Map<String, GenerationPolicy> policies;

  /**
   * @param policies by provider; those without one are left alone
   */
  public Failures(Regenerations regenerations, Map<String, GenerationPolicy> policies) {
    this.regenerations = regenerations;
    this.policies = Map.copyOf(policies);
  }

  /**
   * @throws dev.tollgate.schema.store.StoreUnavailable if they may not be noted: the rows must not
   *     be forgotten then
   */
  @Override
  public void accept(List<OutboxRow> told) {
    Map<OperationKey, Duration> pauses = new HashMap<>();
    for (OutboxRow row : told) {
      GenerationPolicy policy = policies.get(row.provider());
      if (policy != null && row.state() == OperationState.FAILED && policy.concerns(row.reason())) {
        pauses.put(row.key(), policy.after());
      }
    }
    if (!pauses.isEmpty()) {
      regenerations.note(pauses);
    }
  }
}
