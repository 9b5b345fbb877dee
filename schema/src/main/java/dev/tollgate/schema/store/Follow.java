package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.util.UUID;

/**
 * An accepted operation whose remote task is due to be asked about. Held by nobody: asking twice is
 * harmless.
 *
 * @param seq where its rows lie: the offset of the record that brought it
 * @param sentTo where its newest attempt went, see {@link Terms#sendsTo}
 */
public record Follow(
    OperationKey key,
    String provider,
    int fence,
    UUID claim,
    String remoteId,
    long seq,
    long sentTo) {}
