package dev.tollgate.schema.store;

import dev.tollgate.schema.key.RequestHash;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is stored about an operation that is finished, and never changes any more.
 *
 * @param requestHash hash of the provider and parameters that it was taken in with
 * @param productionTask what it and its other generations belong to
 * @param price millionths of the configured currency, as known when it was taken in; null where
 *     nobody knew
 * @param output where its output lies; null unless it is complete
 * @param why the sentence of the evidence that it failed with, at most {@value #WHY_CHARS_MAX}
 *     characters; null where there is none, or it is complete
 * @param createdAt when it was taken in, by the database's clock
 */
public record Ending(
    RequestHash requestHash,
    @Nullable String productionTask,
    @Nullable Long price,
    @Nullable StoredOutput output,
    @Nullable String why,
    Instant createdAt) {

  /** A sentence for a log or a person; the whole is in the evidence. */
  static final int WHY_CHARS_MAX = 500;
}
