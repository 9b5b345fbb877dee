package dev.tollgate.schema.store;

import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.key.OperationKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An intent about to be stored. Arrays are not copied: nobody may change them afterwards.
 *
 * @param submissionKey 16 bytes: what the provider gets as idempotency key or client reference
 * @param sendNow whether a slot is held for it, so that it is stored as {@code sending} with its
 *     attempt
 * @param deadline after this nothing is sent any more; absent for none
 * @param dimensions canonical JSON
 * @param params canonical JSON as UTF-8
 * @param producer who asked for it; absent where the record does not say
 * @param price what it costs, in millionths of the configured currency; absent where nobody knows
 * @param retry that it is the next generation of one that has ended, as {@link OperationStore#find}
 *     told
 */
@SuppressWarnings(
    "ArrayRecordComponent") // compared nowhere; a copy per record would cost on the hottest path
public record NewIntent(
    OperationKey key,
    String provider,
    byte[] requestHash,
    byte[] submissionKey,
    boolean sendNow,
    @Nullable Instant deadline,
    @Nullable String productionTask,
    String dimensions,
    byte[] params,
    int sourcePartition,
    long sourceOffset,
    @Nullable String producer,
    @Nullable Long price,
    @Nullable Retry retry) {

  /** An intent that does not say that it tries another one again. */
  public NewIntent(
      OperationKey key,
      String provider,
      byte[] requestHash,
      byte[] submissionKey,
      boolean sendNow,
      @Nullable Instant deadline,
      @Nullable String productionTask,
      String dimensions,
      byte[] params,
      int sourcePartition,
      long sourceOffset,
      @Nullable String producer,
      @Nullable Long price) {
    this(
        key,
        provider,
        requestHash,
        submissionKey,
        sendNow,
        deadline,
        productionTask,
        dimensions,
        params,
        sourcePartition,
        sourceOffset,
        producer,
        price,
        null);
  }
}
