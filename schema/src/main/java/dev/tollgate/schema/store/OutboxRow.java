package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that another process must hear, until the broker has acknowledged it.
 *
 * @param id shared by all that one statement changed: they are relayed together
 */
public record OutboxRow(
    long id,
    OperationKey key,
    boolean reconcile,
    OperationState state,
    int version,
    int fence,
    String provider,
    @Nullable Code reason,
    @Nullable String remoteId,
    Instant at) {}
