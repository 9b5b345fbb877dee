package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.tollgate.worker.provider.AnswerReading;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Call;
import java.util.Map;
import java.util.Optional;

/**
 * Which ids a task can be asked about by. One that cannot stand in the status call names a task
 * that exists and that nothing can be learned of. Thread-safe.
 */
final class TaskIds {
  private final Optional<Call> status;
  private final Map<String, JsonNode> base;

  TaskIds(Descriptor descriptor, Map<String, JsonNode> base) {
    this.status =
        descriptor
            .status()
            .map(Descriptor.Status::call)
            .or(() -> descriptor.create().stream().flatMap(Descriptor.Stream::resume));
    this.base = Map.copyOf(base);
  }

  /** Whether the id can be stored, and the status call be made for it. */
  boolean usable(String id) {
    return AnswerReading.usableId(id) && askable(id);
  }

  /** Whether the status call can be made for the id; true where there is no such call. */
  boolean askable(String id) {
    if (status.isEmpty()) {
      return true;
    }
    Map<String, JsonNode> variables = Reads.plus(base, "id", id);
    JsonNode nothing = NullNode.getInstance();
    return status.get().path().fill(nothing, variables).isPresent()
        && status.get().body().map(body -> body.one(nothing, variables).isPresent()).orElse(true);
  }
}
