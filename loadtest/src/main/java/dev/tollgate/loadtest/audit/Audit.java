package dev.tollgate.loadtest.audit;

import dev.tollgate.loadtest.audit.Facts.Operation;
import dev.tollgate.loadtest.audit.Violation.Rule;
import dev.tollgate.loadtest.sandbox.Ledger;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns facts into counts and broken rules. Reads output files, and nothing else. Not for use by
 * several threads.
 */
public final class Audit {
  static final Set<String> UNKNOWN_CODES = Set.of("OUTCOME_UNKNOWN", "LEASE_LOST");

  private record Remote(String provider, String id) {}

  private final Facts facts;
  private final Owners owners;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<OperationKey, List<Ledger.Task>> tasks = new HashMap<>();
  private final List<Ledger.Task> strays = new ArrayList<>();
  private long lost;

  private Audit(Facts facts) {
    this.facts = facts;
    this.owners = new Owners(facts);
    for (Ledger.Task task : facts.ledger().tasks()) {
      OperationKey key = owners.of(task);
      if (key == null) {
        strays.add(task);
      } else {
        tasks.computeIfAbsent(key, _ -> new ArrayList<>()).add(task);
      }
    }
  }

  /** Counts and checks everything. */
  public static Report of(Facts facts) {
    return new Audit(facts).report();
  }

  private Report report() {
    long duplicates = duplicates();
    intents();
    remoteTasks();
    outputs();
    wakes();
    owners();
    Walks walks = new Walks(violations);
    facts.operations().values().forEach(walks::check);
    requests(walks);
    new Events(violations).check(facts);
    new Texts(violations).check(facts);
    return new Report(
        facts.intended().size(),
        facts.operations().size(),
        facts.ledger().tasks().size(),
        duplicates,
        lost,
        byState(),
        byProvider(),
        operations(o -> o.state() == OperationState.UNKNOWN && o.review() != null),
        facts.deadLetters().size(),
        operations(o -> o.saw(UNKNOWN_CODES)),
        operations(o -> o.saw(Set.of("FOUND"))),
        evidence("PROTECTED_RESEND"),
        evidence("ABSENT"),
        facts.operations().values().stream().mapToLong(Walks::staleOutcomes).sum(),
        new Report.Streamed(
            facts.chunks().size(),
            facts.chunks().values().stream().mapToLong(Facts.StoredChunks::count).sum(),
            facts.ledger().resumed()),
        faultsFired(),
        violations);
  }

  private long duplicates() {
    long duplicates = 0;
    for (Map.Entry<OperationKey, List<Ledger.Task>> each : tasks.entrySet()) {
      List<Ledger.Task> own = each.getValue();
      if (own.size() > 1) {
        duplicates += own.size() - 1;
        broken(Rule.ONE_TASK, each.getKey(), "has " + own.stream().map(Ledger.Task::id).toList());
      }
    }
    return duplicates;
  }

  private void requests(Walks walks) {
    Map<List<OperationKey>, Long> requests = new HashMap<>();
    for (Ledger.Request request : facts.ledger().requests()) {
      requests.merge(owners.of(request), 1L, Long::sum);
    }
    for (List<OperationKey> generations : owners.all()) {
      List<Operation> stored =
          generations.stream().map(facts.operations()::get).filter(Objects::nonNull).toList();
      if (!stored.isEmpty()) {
        walks.requests(stored, requests.getOrDefault(generations, 0L));
      }
    }
  }

  private void intents() {
    Set<OperationKey> letters = new HashSet<>();
    facts.deadLetters().stream()
        .map(Facts.DeadLetter::key)
        .filter(key -> key != null)
        .forEach(letters::add);
    Set<OperationKey> wanted = new HashSet<>(facts.requested());
    facts.intended().forEach(intended -> wanted.add(intended.key()));
    for (OperationKey key : wanted) {
      if (!facts.operations().containsKey(key) && !letters.contains(key)) {
        lost++;
        broken(Rule.NO_INTENT_LOST, key, "has neither a row nor a dead letter");
      }
    }
    for (OperationKey key : facts.operations().keySet()) {
      if (!facts.requested().contains(key)) {
        broken(Rule.NO_INTENT_LOST, key, "is stored, but nobody published it");
      }
    }
  }

  private void remoteTasks() {
    for (Ledger.Task task : strays) {
      lost++;
      broken(Rule.NO_TASK_LOST, null, "task " + task.id() + " is no intended operation's");
    }
    tasks.forEach(
        (key, own) -> {
          Operation operation = facts.operations().get(key);
          for (Ledger.Task task : own) {
            if (operation == null || !owns(operation)) {
              lost++;
              broken(
                  Rule.NO_TASK_LOST,
                  key,
                  "task %s exists, the operation is %s"
                      .formatted(task.id(), operation == null ? "not stored" : said(operation)));
            } else if (task.answered()
                && !operation.knows(task.id())
                && !operation.saw(UNKNOWN_CODES)) {
              broken(Rule.EVIDENCE_KEPT, key, "was answered with " + task.id() + ", no evidence");
            }
          }
        });
  }

  /** Whether the operation's state admits that money was spent, or that it may have been. */
  private static boolean owns(Operation operation) {
    return switch (operation.state()) {
      case ACCEPTED, COMPLETE, UNKNOWN -> true;
      case FAILED -> "PROVIDER_FAILED".equals(operation.reason());
      case PREPARED, SENDING -> false;
    };
  }

  private void outputs() {
    OutputFiles files = new OutputFiles(facts.files());
    for (Operation operation : facts.operations().values()) {
      boolean complete = operation.state() == OperationState.COMPLETE;
      if (complete != (operation.output() != null)) {
        broken(
            Rule.ONE_OUTPUT,
            operation.key(),
            said(operation) + (complete ? " without an output row" : " with an output row"));
      }
      String fault = operation.output() == null ? null : files.fault(operation.output());
      if (fault != null) {
        broken(Rule.ONE_OUTPUT, operation.key(), fault);
      }
      if (complete && (operation.output() == null || fault != null)) {
        lost++;
      }
    }
    files.nobodys().forEach(file -> broken(Rule.ONE_OUTPUT, null, file + " is no one's output"));
  }

  private void wakes() {
    for (Operation operation : facts.operations().values()) {
      if (operation.state().terminal() != (operation.next() == null)) {
        broken(
            Rule.NOTHING_FORGOTTEN,
            operation.key(),
            said(operation) + ", its next step is " + operation.next());
      }
    }
  }

  private void owners() {
    Map<Remote, OperationKey> known = new HashMap<>();
    for (Operation operation : facts.operations().values()) {
      Set<String> ids = new HashSet<>(operation.owned());
      if (operation.remoteId() != null) {
        ids.add(operation.remoteId());
      }
      for (String id : ids) {
        OperationKey other = known.put(new Remote(operation.provider(), id), operation.key());
        if (other != null) {
          broken(Rule.ONE_OWNER, operation.key(), "shares " + id + " with " + other);
        }
      }
      if (ids.size() > 1) {
        broken(Rule.ONE_OWNER, operation.key(), "owns several remote tasks: " + ids);
      }
    }
  }

  private Map<OperationState, Long> byState() {
    Map<OperationState, Long> counts = new EnumMap<>(OperationState.class);
    for (OperationState state : OperationState.values()) {
      counts.put(state, operations(o -> o.state() == state));
    }
    return counts;
  }

  private Map<String, Map<OperationState, Long>> byProvider() {
    Map<String, Map<OperationState, Long>> counts = new TreeMap<>();
    for (Operation operation : facts.operations().values()) {
      counts
          .computeIfAbsent(operation.provider(), _ -> new EnumMap<>(OperationState.class))
          .merge(operation.state(), 1L, Long::sum);
    }
    return counts;
  }

  private long operations(Predicate<Operation> such) {
    return facts.operations().values().stream().filter(such).count();
  }

  private long evidence(String code) {
    return facts.operations().values().stream()
        .flatMap(operation -> operation.evidence().stream())
        .filter(seen -> seen.code().equals(code))
        .count();
  }

  private Map<String, Long> faultsFired() {
    Map<String, Long> fired = new TreeMap<>(facts.ledger().faultsFired());
    fired.remove("accept");
    return fired;
  }

  private void broken(Rule rule, @Nullable OperationKey key, String what) {
    violations.add(new Violation(rule, key == null ? null : key.toString(), what));
  }

  static String said(Operation operation) {
    return operation.state().word()
        + (operation.reason() == null ? "" : " (" + operation.reason() + ")");
  }
}
