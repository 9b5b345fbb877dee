package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is left of an operation when all else is forgotten.
 *
 * @param price in millionths of the configured currency
 * @param output where its output lay
 */
public record Tombstone(
    OperationKey key,
    String provider,
    OperationState state,
    @Nullable Code reason,
    @Nullable String remoteId,
    @Nullable String output,
    @Nullable String productionTask,
    @Nullable Long price,
    Instant createdAt,
    Instant endedAt) {}
