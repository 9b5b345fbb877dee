package dev.tollgate.reconciler.look;

import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.CancelResult;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.OutputSink;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.WebhookReader;
import dev.tollgate.worker.provider.stream.Streams;
import dev.tollgate.worker.send.Protection;
import dev.tollgate.worker.send.Protection.Answer;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * An adapter whose answers to questions are heard by what protects its provider. Thread-safe where
 * the adapter is.
 */
record HeardAdapter(ProviderAdapter adapter, Protection protection, LongSupplier nanoTime)
    implements ProviderAdapter {

  @Override
  public StatusResult status(String remoteId) {
    long asked = nanoTime.getAsLong();
    StatusResult result = adapter.status(remoteId);
    hear(result, asked);
    return result;
  }

  @Override
  public Map<String, StatusResult> statuses(List<String> remoteIds) {
    long asked = nanoTime.getAsLong();
    Map<String, StatusResult> results = adapter.statuses(remoteIds);
    results.values().stream().findFirst().ifPresent(first -> hear(first, asked));
    return results;
  }

  private void hear(StatusResult result, long asked) {
    switch (result) {
      case StatusResult.Unavailable _ -> protection.heard(Answer.NONE, asked);
      case StatusResult.Throttled throttled ->
          protection.heardTooOften(throttled.retryAfter(), asked);
      case StatusResult.Status _, StatusResult.NotFound _, StatusResult.UnknownWord _ ->
          protection.heard(Answer.CLEAR, asked);
    }
  }

  @Override
  public LookupResult findByReference(String reference) {
    long asked = nanoTime.getAsLong();
    return heard(adapter.findByReference(reference), asked);
  }

  @Override
  public LookupResult list(Instant from, Instant to) {
    long asked = nanoTime.getAsLong();
    return heard(adapter.list(from, to), asked);
  }

  private LookupResult heard(LookupResult result, long asked) {
    switch (result) {
      case LookupResult.Unavailable(String _, boolean answered) ->
          protection.heard(answered ? Answer.CLEAR : Answer.NONE, asked);
      case LookupResult.Candidates _ -> protection.heard(Answer.CLEAR, asked);
      case LookupResult.NotSupported _ -> {} // nobody was asked
    }
    return result;
  }

  @Override
  public ProviderProfile profile() {
    return adapter.profile();
  }

  /** Whoever looks sends nothing. */
  @Override
  public SubmitResult submit(Submission submission) {
    throw new UnsupportedOperationException("a look at " + profile().name() + " wanted to submit");
  }

  @Override
  public Optional<String> objection(Bytes params) {
    return adapter.objection(params);
  }

  @Override
  public int statusBatch() {
    return adapter.statusBatch();
  }

  @Override
  public Optional<Bytes> comparable(Bytes params) {
    return adapter.comparable(params);
  }

  @Override
  public Optional<String> keptTask(String reference) {
    return adapter.keptTask(reference);
  }

  @Override
  public Optional<WebhookReader> webhooks() {
    return adapter.webhooks();
  }

  @Override
  public Optional<Streams> streams() {
    return adapter.streams();
  }

  @Override
  public CancelResult cancel(String remoteId) {
    return adapter.cancel(remoteId);
  }

  @Override
  public DownloadResult download(OutputRef output, OutputSink sink, long maxBytes)
      throws IOException {
    return adapter.download(output, sink, maxBytes);
  }

  @Override
  public void close() {
    adapter.close();
  }
}
