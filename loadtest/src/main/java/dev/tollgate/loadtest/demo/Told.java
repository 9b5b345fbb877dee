package dev.tollgate.loadtest.demo;

import dev.tollgate.loadtest.audit.Facts;
import dev.tollgate.loadtest.audit.Facts.Operation;
import dev.tollgate.loadtest.audit.Facts.Seen;
import dev.tollgate.schema.state.OperationState;

/**
 * How it came to be known that tasks had succeeded.
 *
 * @param byWebhook operations that are complete and of which the provider had reported so before
 *     their output was stored
 * @param byStream operations that are complete and whose provider streamed them
 * @param byPoll the others that are complete
 */
public record Told(long byWebhook, long byStream, long byPoll) {
  static Told of(Facts facts) {
    long complete =
        facts.operations().values().stream()
            .filter(operation -> operation.state() == OperationState.COMPLETE)
            .count();
    long byWebhook =
        facts.operations().values().stream()
            .filter(operation -> operation.state() == OperationState.COMPLETE)
            .filter(Told::reported)
            .count();
    long byStream =
        facts.operations().values().stream()
            .filter(operation -> operation.state() == OperationState.COMPLETE)
            .filter(operation -> facts.chunks().containsKey(operation.key()))
            .count();
    return new Told(byWebhook, byStream, complete - byWebhook - byStream);
  }

  /** Evidence is in order, the oldest first. */
  private static boolean reported(Operation operation) {
    for (Seen seen : operation.evidence()) {
      if (seen.code().equals("OUTPUT_STORED")) {
        return false;
      }
      String note = seen.note();
      if (seen.source().equals("webhook") && note != null && note.endsWith(": succeeded")) {
        return true;
      }
    }
    return false;
  }
}
