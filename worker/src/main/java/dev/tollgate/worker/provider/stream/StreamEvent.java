package dev.tollgate.worker.provider.stream;

import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.worker.provider.Bytes;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One event of a stream. Immutable.
 *
 * @param cursor the provider's own number of it
 * @param text the text in it, as a JSON string
 * @param data its data, as JSON: as it came, without credentials
 * @param end how the stream ends with it
 */
public record StreamEvent(
    OptionalLong cursor, Optional<Bytes> text, Bytes data, Optional<End> end) {}
