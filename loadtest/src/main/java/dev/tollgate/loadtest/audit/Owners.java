package dev.tollgate.loadtest.audit;

import dev.tollgate.loadtest.audit.Facts.Operation;
import dev.tollgate.loadtest.sandbox.Ledger;
import dev.tollgate.schema.key.OperationKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whose is what stands in the provider's ledger. Outputs differ by provider and input. Generations
 * of one output do not: their tasks are told apart by the remote id that an operation knows, else
 * by the key or reference that came with such a task. What neither tells is the newest one's, since
 * the others had ended before it was asked for. Immutable.
 */
final class Owners {
  private record Asked(String provider, String input) {}

  private final Facts facts;

  /** By what is asked for: its generations, the first one first. */
  private final Map<Asked, List<OperationKey>> generations = new HashMap<>();

  /** By what came with tasks whose operation is known. */
  private final Map<Asked, OperationKey> named = new HashMap<>();

  Owners(Facts facts) {
    this.facts = facts;
    Map<OperationKey, OperationKey> later = new HashMap<>();
    facts.earlier().forEach((key, earlier) -> later.put(earlier, key));
    for (Intended intended : facts.intended()) {
      List<OperationKey> all = new ArrayList<>();
      for (OperationKey key = intended.key(); key != null; key = later.get(key)) {
        all.add(key);
      }
      generations.put(new Asked(intended.provider(), intended.input()), all);
    }
    for (Ledger.Task task : facts.ledger().tasks()) {
      Asked name = name(task);
      OperationKey known = known(task);
      if (name != null && known != null) {
        named.put(name, known);
      }
    }
  }

  /** The operation that a task was made for; null if nobody asked for such a one. */
  @Nullable OperationKey of(Ledger.Task task) {
    List<OperationKey> all = generations(task.kind(), task.input());
    OperationKey known = known(task);
    if (all.isEmpty() || known != null) {
      return known;
    }
    Asked name = name(task);
    OperationKey sibling = name == null ? null : named.get(name);
    return sibling == null ? all.getLast() : sibling;
  }

  /** The operations of whose one a create request is; none if nobody asked for such a one. */
  List<OperationKey> of(Ledger.Request request) {
    return generations(request.kind(), request.input());
  }

  /** What is asked for, each with all its generations. */
  Iterable<List<OperationKey>> all() {
    return generations.values();
  }

  private List<OperationKey> generations(String provider, @Nullable String input) {
    return input == null
        ? List.of()
        : generations.getOrDefault(new Asked(provider, input), List.of());
  }

  private @Nullable OperationKey known(Ledger.Task task) {
    for (OperationKey key : generations(task.kind(), task.input())) {
      Operation operation = facts.operations().get(key);
      if (operation != null && operation.knows(task.id())) {
        return key;
      }
    }
    return null;
  }

  private static @Nullable Asked name(Ledger.Task task) {
    return task.key() == null && task.ref() == null
        ? null
        : new Asked(task.kind(), Objects.requireNonNullElse(task.key(), "") + "/" + task.ref());
  }
}
