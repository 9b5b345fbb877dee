package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An intent that was stored before, and where its operation stands; or where it ended, if all else
 * of it is forgotten.
 *
 * @param fence 0 also where that is forgotten
 * @param productionTask what it and its other generations belong to
 */
@SuppressWarnings("ArrayRecordComponent") // read once, compared with Arrays.equals
public record KnownIntent(
    OperationKey key,
    byte[] requestHash,
    OperationState state,
    int fence,
    @Nullable UUID claim,
    @Nullable String productionTask) {}
