package dev.tollgate.loadtest.audit;

import dev.tollgate.loadtest.audit.Facts.Operation;
import dev.tollgate.loadtest.audit.Violation.Rule;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Holds the events topic against the database. */
final class Events {
  private final List<Violation> violations;

  Events(List<Violation> violations) {
    this.violations = violations;
  }

  void check(Facts facts) {
    if (facts.unsent() > 0) {
      violations.add(
          new Violation(Rule.EVENTS_TOLD, null, facts.unsent() + " rows wait in the outbox"));
    }
    Map<OperationKey, NavigableMap<Long, ResultEvent.State>> told = new HashMap<>();
    for (ResultEvent event : facts.events()) {
      ResultEvent.State before =
          told.computeIfAbsent(event.key(), _ -> new TreeMap<>())
              .put(event.version(), event.state());
      if (before != null && before != event.state()) {
        broken(event.key(), event.id() + " was told as " + before + " and as " + event.state());
      }
    }
    told.forEach(
        (key, states) -> {
          walk(key, states);
          if (!facts.operations().containsKey(key)) {
            broken(key, "was told of, and is not stored");
          }
        });
    if (facts.unsent() == 0) {
      facts.operations().values().forEach(o -> last(o, told.get(o.key())));
    }
  }

  private void walk(OperationKey key, NavigableMap<Long, ResultEvent.State> states) {
    ResultEvent.@Nullable State from = null;
    for (ResultEvent.State to : states.values()) {
      if (from != null && !follows(from, to)) {
        broken(key, "went from %s to %s".formatted(from.wireName(), to.wireName()));
      }
      from = to;
    }
  }

  /** Preparing and sending are not told: an unknown that was sent again may be unknown again. */
  private static boolean follows(ResultEvent.State from, ResultEvent.State to) {
    return switch (from) {
      case UNKNOWN -> to != ResultEvent.State.COMPLETE;
      case ACCEPTED -> to == ResultEvent.State.COMPLETE || to == ResultEvent.State.FAILED;
      case COMPLETE, FAILED -> false;
    };
  }

  private void last(Operation operation, @Nullable NavigableMap<Long, ResultEvent.State> states) {
    var newest = states == null ? null : states.lastEntry();
    String last = newest == null ? null : newest.getValue().wireName();
    boolean silent =
        operation.state() == OperationState.PREPARED || operation.state() == OperationState.SENDING;
    if (!silent && !operation.state().word().equals(last)) {
      broken(operation.key(), "is " + operation.state().word() + ", told last was " + last);
    }
  }

  private void broken(OperationKey key, String what) {
    violations.add(new Violation(Rule.EVENTS_TOLD, key.toString(), what));
  }
}
