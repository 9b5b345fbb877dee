package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.stream.Streams;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One provider. Every method blocks, is meant for a virtual thread, may be called by many at once,
 * and makes one try: pacing and repeating belong to the caller. What the network does comes back as
 * a result.
 */
public interface ProviderAdapter extends AutoCloseable {
  /** What this provider is and offers. */
  ProviderProfile profile();

  /**
   * Sends one request to create a task: once, or provably not at all.
   *
   * @return the verdict with its evidence; never an exception for anything the network does
   */
  SubmitResult submit(Submission submission);

  /**
   * Why parameters cannot be submitted here; empty if nothing speaks against them. Pure; asked
   * before anything is stored.
   */
  default Optional<String> objection(Bytes params) {
    return Optional.empty();
  }

  /** Asks how a task stands. */
  StatusResult status(String remoteId);

  /** How many tasks one call can ask about; 1 where each needs a call of its own. */
  default int statusBatch() {
    return 1;
  }

  /**
   * Asks how tasks stand, at most {@link #statusBatch()} of them.
   *
   * @return a result for each
   */
  default Map<String, StatusResult> statuses(List<String> remoteIds) {
    Map<String, StatusResult> results = new HashMap<>();
    remoteIds.forEach(remoteId -> results.put(remoteId, status(remoteId)));
    return results;
  }

  /** Looks for tasks that carry {@code reference}. */
  LookupResult findByReference(String reference);

  /**
   * Lists the tasks created in a span of the provider's time, both ends rounded outwards to the
   * millisecond.
   */
  LookupResult list(Instant from, Instant to);

  /**
   * What a listed task has to show to be the one that was asked for, as canonical JSON to be equal
   * to {@link Candidate#canonicalInput()}; empty if tasks do not show it. Pure.
   */
  default Optional<Bytes> comparable(Bytes params) {
    return Optional.of(params);
  }

  /**
   * The task whose result came with the answer to its create and is kept here, if there is one.
   *
   * @param reference the submission key of the operation
   */
  default Optional<String> keptTask(String reference) {
    return Optional.empty();
  }

  /** Reads what the provider reports by itself; empty if it reports nothing that can be read. */
  default Optional<WebhookReader> webhooks() {
    return Optional.empty();
  }

  /** Reads the answers to creates as streams; empty where outputs are asked for and fetched. */
  default Optional<Streams> streams() {
    return Optional.empty();
  }

  /** Asks the provider to end a task. */
  default CancelResult cancel(String remoteId) {
    return new CancelResult.NotSupported();
  }

  /**
   * Fetches an output and checks its length and, if one is named, its digest.
   *
   * @param maxBytes a longer output is refused, however long the provider says it is
   * @throws IOException from {@code sink} alone
   */
  DownloadResult download(OutputRef output, OutputSink sink, long maxBytes) throws IOException;

  /** Closes idle connections and cuts what is under way. Does not throw. Repeatable. */
  @Override
  void close();
}
