package dev.tollgate.worker.intake;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.GenerationRequest;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.KnownIntent;
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
 * Lets a request with {@code retry_of} through only where the generation before has ended and it
 * belongs to the same production task. Looking that up before the statement that stores is enough:
 * what has ended never changes any more, and a commit that waits for the standby waits for all
 * before it. Thread-safe.
 */
public final class EarlierGenerations {
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
    Map<OperationKey, KnownIntent> known = new HashMap<>();
    store.find(earlier).forEach(intent -> known.put(intent.key(), intent));
    List<Arrival> allowed = new ArrayList<>(arrivals.size());
    for (Arrival arrival : arrivals) {
      Retry retry = arrival.request().retry();
      if (retry == null) {
        allowed.add(arrival);
        continue;
      }
      KnownIntent before = known.get(retry.of());
      Refused refusal = refusal(arrival.request(), retry.of(), before);
      if (refusal == null) {
        allowed.add(inherited(arrival, before));
      } else {
        refused.accept(arrival, refusal);
      }
    }
    return allowed;
  }

  /** What names no production task belongs to that of the generation before. */
  private static Arrival inherited(Arrival arrival, @Nullable KnownIntent before) {
    String task = before == null ? null : before.productionTask();
    return task == null || arrival.request().productionTask() != null
        ? arrival
        : new Arrival(
            arrival.record(),
            arrival.request().inProductionTask(task),
            arrival.gateKey(),
            arrival.sentSince());
  }

  /**
   * What stands against a request that names an earlier generation; null if nothing does.
   *
   * @param before the earlier one, as it is stored; null where it is not
   */
  public static @Nullable Refused refusal(
      GenerationRequest request, OperationKey earlier, @Nullable KnownIntent before) {
    if (before == null) {
      return new Refused(
          Code.EARLIER_NOT_FOUND, "%s, which it tries again, is not stored".formatted(earlier));
    }
    // first: waiting for the earlier one to end would not help it
    String task = request.productionTask();
    if (task != null && before.productionTask() != null && !task.equals(before.productionTask())) {
      return new Refused(
          Code.INVALID_EVENT,
          "production_task is %s; %s, which it tries again, belongs to %s"
              .formatted(task, earlier, before.productionTask()));
    }
    return before.state().terminal()
        ? null
        : new Refused(
            Code.EARLIER_STILL_OPEN,
            "%s, which it tries again, is %s: what becomes of that is not known yet, and it would be"
                    .formatted(earlier, before.state().word())
                + " paid twice");
  }
}
