package dev.tollgate.schema.client;

import dev.tollgate.schema.key.OperationKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request that was submitted. Its futures are the caller's own: to complete, cancel or time out
 * one of them touches neither the operation nor anybody else who waits for it. What depends on them
 * runs on the client's threads unless it is given an executor: it has to be short there.
 *
 * @param key the operation key
 * @param published completes when every in-sync replica has the request, or with {@link
 *     ClientException.NotPublished}
 * @param result completes when the operation has ended, or with {@link ClientException}. That takes
 *     as long as it takes. A timeout of the caller's is not a failure: the operation goes on, and
 *     may be submitted again to hear of it
 * @param retryOf the generation before, where this asks for the next one of that
 */
public record Submission(
    OperationKey key,
    CompletableFuture<Void> published,
    CompletableFuture<Result> result,
    @Nullable OperationKey retryOf) {}
