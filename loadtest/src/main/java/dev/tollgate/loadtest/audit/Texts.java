package dev.tollgate.loadtest.audit;

import dev.tollgate.loadtest.audit.Facts.Operation;
import dev.tollgate.loadtest.audit.Facts.StoredChunks;
import dev.tollgate.loadtest.audit.Violation.Rule;
import dev.tollgate.loadtest.sandbox.Ledger;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.StoredOutput;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds chunks, and the outputs that they make, against what the provider streamed. */
final class Texts {
  private final List<Violation> violations;

  Texts(List<Violation> violations) {
    this.violations = violations;
  }

  void check(Facts facts) {
    facts.chunks().forEach((key, chunks) -> gapless(key, chunks, facts));
    facts
        .published()
        .forEach(
            (key, offsets) -> {
              if (!facts.chunks().containsKey(key)) {
                broken(key, offsets.size() + " chunks were published, none is stored");
              }
            });
    Map<String, Ledger.Streamed> sent = new HashMap<>();
    for (Ledger.Task task : facts.ledger().tasks()) {
      if (task.stream() != null) {
        sent.put(task.id(), task.stream());
      }
    }
    for (Operation operation : facts.operations().values()) {
      Ledger.Streamed stream = operation.remoteId() == null ? null : sent.get(operation.remoteId());
      if (stream != null && operation.state() == OperationState.COMPLETE) {
        asSent(operation, stream, facts.chunks().get(operation.key()));
      }
    }
  }

  private void gapless(OperationKey key, StoredChunks chunks, Facts facts) {
    if (chunks.count() != chunks.last() + 1) {
      broken(key, "has %d chunks, the last is %d".formatted(chunks.count(), chunks.last()));
    }
    Set<Integer> published = facts.published().getOrDefault(key, Set.of());
    // offsets that are stored are all there are: as many different ones are all of them
    if (facts.unsent() == 0 && published.size() != chunks.count()) {
      broken(key, "has %d chunks, %d were published".formatted(chunks.count(), published.size()));
    }
  }

  private void asSent(Operation operation, Ledger.Streamed stream, @Nullable StoredChunks chunks) {
    if (chunks == null || !chunks.ended() || chunks.count() != stream.events()) {
      broken(
          operation.key(),
          "is complete with %s, the provider had %d events".formatted(chunks, stream.events()));
    }
    StoredOutput output = operation.output();
    if (output != null && !HexFormat.of().formatHex(output.sha256()).equals(stream.sha256())) {
      broken(operation.key(), "has another text than the provider sent");
    }
  }

  private void broken(OperationKey key, String what) {
    violations.add(new Violation(Rule.STREAM_WHOLE, key.toString(), what));
  }
}
