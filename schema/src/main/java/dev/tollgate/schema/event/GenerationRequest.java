package dev.tollgate.schema.event;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Params;
import dev.tollgate.schema.key.RequestHash;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One intended output, as its producer asked for it. Immutable.
 *
 * @param key the operation key, computed from the dimensions
 * @param dimensions canonical JSON of the dimensions
 * @param provider name of the provider; whether it is configured is not checked here
 * @param params canonical submission parameters
 * @param requestHash hash of provider and parameters
 * @param deadline nothing may be sent after this moment; it may have passed already
 * @param productionTask what this output and its other generations belong to
 * @param generation which try of the output this is, from 1
 * @param retry that it is asked for after the generation before ended; absent where that is not
 *     said
 * @param producer source of the CloudEvent; a plain record has none
 * @param eventId the CloudEvent's id; for a plain record the operation key's text
 * @param eventTime the CloudEvent's time
 * @param traceparent W3C trace context, where it is well-formed
 */
public record GenerationRequest(
    OperationKey key,
    String dimensions,
    String provider,
    Params params,
    RequestHash requestHash,
    @Nullable Instant deadline,
    @Nullable String productionTask,
    int generation,
    @Nullable Retry retry,
    @Nullable String producer,
    String eventId,
    @Nullable Instant eventTime,
    @Nullable String traceparent) {

  /** The same request, as part of a production task. */
  public GenerationRequest inProductionTask(String task) {
    return new GenerationRequest(
        key,
        dimensions,
        provider,
        params,
        requestHash,
        deadline,
        task,
        generation,
        retry,
        producer,
        eventId,
        eventTime,
        traceparent);
  }
}
