package dev.tollgate.worker.intake;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.OperationStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request with {@code retry_of} through only where the generation before has ended. Looking
 * that up before the statement that stores is enough: what has ended never changes any more, and a
 * commit that waits for the standby waits for all before it. Thread-safe.
 */
final class EarlierGenerations {
  private final OperationStore store;

  EarlierGenerations(OperationStore store) {
    this.store = store;
  }

  /**
   * Those that may be stored, in their order. One statement, and none where nothing is tried again.
   *
   * @param refused hears of each that may not, and why
   */
  List<Arrival> ended(List<Arrival> arrivals, BiConsumer<Arrival, Refused> refused) {
    Set<OperationKey> earlier = new HashSet<>();
    for (Arrival arrival : arrivals) {
      Retry retry = arrival.request().retry();
      if (retry != null) {
        earlier.add(retry.of());
      }
    }
    if (earlier.isEmpty()) {
      return arrivals;
    }
    Map<OperationKey, OperationState> states = new HashMap<>();
    store.find(earlier).forEach(intent -> states.put(intent.key(), intent.state()));
    List<Arrival> allowed = new ArrayList<>(arrivals.size());
    for (Arrival arrival : arrivals) {
      Retry retry = arrival.request().retry();
      Refused refusal = retry == null ? null : refusal(retry.of(), states.get(retry.of()));
      if (refusal == null) {
        allowed.add(arrival);
      } else {
        refused.accept(arrival, refusal);
      }
    }
    return allowed;
  }

  private static @Nullable Refused refusal(OperationKey earlier, @Nullable OperationState state) {
    if (state == null) {
      return new Refused(
          Code.EARLIER_NOT_FOUND, "%s, which it tries again, is not stored".formatted(earlier));
    }
    return state.terminal()
        ? null
        : new Refused(
            Code.EARLIER_STILL_OPEN,
            "%s, which it tries again, is %s: what becomes of that is not known yet, and it would be"
                    .formatted(earlier, state.word())
                + " paid twice");
  }
}
