package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.described.ReadAnswers.Read;
import dev.tollgate.worker.provider.described.ReadAnswers.Whole;
import dev.tollgate.worker.provider.descriptor.Descriptor.Many;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks about many tasks in few calls. One id that the provider dislikes, or one answer that is too
 * long, must not keep the others from being asked about: then the halves are asked about, each by
 * itself. What an answer leaves out is not known to be missing, since a list may have been cut, and
 * is asked about alone. Confined to one thread; the calls of one asking are bounded.
 */
final class ManyStatuses {
  /** Calls beyond the first. What they do not reach is asked about another time. */
  private static final int FURTHER_CALLS_MAX = 16;

  private final Reads reads;
  private final Map<String, JsonNode> base;
  private final Many many;
  private final Map<String, StatusResult> results = new HashMap<>();
  private int calls;

  ManyStatuses(Reads reads, Map<String, JsonNode> base, Many many) {
    this.reads = reads;
    this.base = base;
    this.many = many;
  }

  /** What was said of each. */
  Map<String, StatusResult> ask(List<String> remoteIds) {
    List<String> leftOut = new ArrayList<>();
    List<String> anyOrder = new ArrayList<>(remoteIds);
    Collections.shuffle(anyOrder); // what the calls do not reach is not the same each time
    together(anyOrder, leftOut);
    for (String id : leftOut) {
      alone(id);
    }
    for (String id : remoteIds) {
      results.putIfAbsent(id, new StatusResult.Unavailable("not asked about this time"));
    }
    return results;
  }

  private void together(List<String> ids, List<String> leftOut) {
    if (!mayAsk()) {
      return;
    }
    if (ids.size() == 1 && calls > 0) {
      alone(ids.getFirst());
      return;
    }
    calls++;
    ArrayNode named = JsonNodeFactory.instance.arrayNode();
    ids.forEach(named::add);
    Map<String, JsonNode> asking = new HashMap<>(base);
    asking.put("ids", named);
    switch (reads.read(many.call(), asking, Optional.empty())) {
      case Read.Ok(Whole whole) -> {
        take(whole, named, Set.copyOf(ids));
        ids.stream().filter(id -> !results.containsKey(id)).forEach(leftOut::add);
      }
      case Read.Failed failed when failed.tooLong() || failed.refused() -> {
        int half = (ids.size() + 1) / 2;
        together(ids.subList(0, half), leftOut);
        if (half < ids.size()) {
          together(ids.subList(half, ids.size()), leftOut);
        }
      }
      case Read.Failed failed ->
          ids.forEach(id -> results.put(id, new StatusResult.Unavailable(failed.reason())));
      case Read.Throttled(var retryAfter) ->
          ids.forEach(id -> results.put(id, new StatusResult.Throttled(retryAfter)));
      case Read.NoSuchTask _ -> leftOut.addAll(ids);
    }
  }

  private void take(Whole whole, ArrayNode named, Set<String> asked) {
    Map<String, JsonNode> variables = new HashMap<>(whole.variables());
    variables.put("ids", named);
    for (JsonNode task : many.tasks().all(whole.json(), variables)) {
      // where outputs have a call of their own, reading is asking
      many.id()
          .text(task, base)
          .filter(asked::contains)
          .filter(_ -> !throttled())
          .ifPresent(id -> results.put(id, reads.status(new Whole(task, whole.variables()), id)));
    }
  }

  private void alone(String id) {
    if (mayAsk()) {
      calls++;
      results.put(id, reads.status(id));
    }
  }

  private boolean mayAsk() {
    return calls <= FURTHER_CALLS_MAX && !throttled();
  }

  private boolean throttled() {
    return results.values().stream().anyMatch(StatusResult.Throttled.class::isInstance);
  }
}
