package dev.tollgate.worker.reading;

import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Chunks.Page;
import org.jspecify.annotations.Nullable;

/**
 * How a stream's operation stands.
 *
 * @param state its state's word
 * @param reason its code
 * @param review why a person has to decide, if one has to
 */
record Standing(String state, @Nullable String reason, @Nullable String review) {
  static Standing of(Page page) {
    return new Standing(page.state(), page.reason(), page.review());
  }

  /** Whether nothing more will come. */
  boolean ended() {
    return OperationState.of(state).terminal();
  }

  /** Whether all that there is to wait for is the next chunk. */
  boolean flowing() {
    return review == null && state.equals(OperationState.ACCEPTED.word());
  }
}
