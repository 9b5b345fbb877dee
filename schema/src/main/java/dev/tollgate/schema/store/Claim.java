package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.util.UUID;

/**
 * The right to send one attempt. The operation is {@code sending} and its attempt row is committed.
 *
 * @param attempts transport attempts begun, this one included
 * @param earlierUnresolved whether an earlier attempt is unresolved, and this one goes out under
 *     the provider's idempotency promise, or because somebody accepted the risk: only an acceptance
 *     decides anything then, since a refusal says nothing about the earlier attempt
 * @param params canonical JSON as UTF-8
 * @param submissionKey 16 bytes, the same for every attempt of the operation
 * @param promiseOver whether it is a protected resend that the promise no longer covers: it must
 *     not be sent
 * @param seq where its rows lie: the offset of the record that brought it
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Claim(
    OperationKey key,
    String provider,
    int fence,
    UUID claim,
    int attempts,
    boolean earlierUnresolved,
    byte[] params,
    byte[] submissionKey,
    boolean promiseOver,
    long seq) {}
