package dev.tollgate.loadtest.sandbox;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides which fault a request meets: a test's queue, its own script, the plan. Thread-safe. */
final class FaultChoice {
  private record Sighting(Kind kind, String bodySha256) {}

  private record Queue(Predicate<CreateRequest> of, Deque<Fault> faults) {
    synchronized @Nullable Fault poll() {
      return faults.poll();
    }
  }

  private final FaultPlan plan;
  private final List<Queue> queues = new CopyOnWriteArrayList<>();
  private final Map<Sighting, Integer> seen = new ConcurrentHashMap<>();

  FaultChoice(FaultPlan plan) {
    this.plan = plan;
  }

  void queue(Predicate<CreateRequest> of, List<Fault> faults) {
    queues.add(new Queue(of, new ArrayDeque<>(faults)));
  }

  Fault choose(CreateRequest request) {
    // counted even when a queue decides: a queue must not shift the script of later requests
    boolean counts = plan.active() || !request.script().isEmpty();
    int seenBefore = counts ? sighted(request.kind(), request.bodySha256()) : 0;
    for (Queue queue : queues) {
      if (queue.of.test(request)) {
        Fault fault = queue.poll();
        if (fault != null) {
          return fault;
        }
      }
    }
    if (!request.script().isEmpty()) {
      return seenBefore < request.script().size() ? request.script().get(seenBefore) : Fault.ACCEPT;
    }
    return plan.choose(request.kind(), request.bodySha256(), seenBefore);
  }

  /** Counts one request; returns how many of its kind had this body before. */
  int sighted(Kind kind, String bodySha256) {
    return seen.merge(new Sighting(kind, bodySha256), 1, Integer::sum) - 1;
  }
}
