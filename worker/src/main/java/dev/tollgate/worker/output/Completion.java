package dev.tollgate.worker.output;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.StoredOutput;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.StatusResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a succeeded task to its stored output, see the package. Thread-safe. */
public final class Completion {
  private static final Logger log = LoggerFactory.getLogger(Completion.class);

  private final OutputStore outputs;
  private final Scratch scratch;
  private final Consumer<Change> changes;
  private final OutputPolicy policy;
  private final OutputListener listener;

  /**
   * @param changes takes what became of it, to be stored; must not block
   */
  public Completion(
      OutputStore outputs,
      Scratch scratch,
      Consumer<Change> changes,
      OutputPolicy policy,
      OutputListener listener) {
    this.outputs = outputs;
    this.scratch = scratch;
    this.changes = changes;
    this.policy = policy;
    this.listener = listener;
  }

  /**
   * Goes as far as it can. May be repeated, and done by two at once.
   *
   * @param status of a task that succeeded
   * @throws IOException if the disk or the store failed: the operation stays as it is
   */
  public void complete(ProviderAdapter adapter, Follow follow, StatusResult.Status status)
      throws IOException {
    if (status.output().isEmpty()) {
      invalid(follow, Code.OUTPUT_INVALID, "succeeded without an output");
      return;
    }
    OutputRef ref = status.output().get();
    Optional<Kept> kept = outputs.find(follow.key());
    if (kept.isPresent()) {
      // stored by somebody who did not come to saying so; a second download might even differ
      record(follow, ref, kept.get());
      return;
    }
    Path temporary = scratch.file(follow.key());
    try {
      switch (download(adapter, ref, temporary)) {
        case DownloadResult.Downloaded(long length, String sha256) ->
            keep(follow, ref, new Verified(temporary, length, sha256, ref.contentType()));
        case DownloadResult.Unavailable(String reason) ->
            log.info("output of {} is not to be had now: {}; asked again", follow.key(), reason);
        case DownloadResult.Gone(String reason) ->
            log.info("output of {} is gone: {}; asked again", follow.key(), reason);
        case DownloadResult.Invalid(Code code, String reason) -> invalid(follow, code, reason);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private DownloadResult download(ProviderAdapter adapter, OutputRef ref, Path temporary)
      throws IOException {
    try (FileSink sink = FileSink.create(temporary)) {
      return adapter.download(ref, sink, policy.bytesMax());
    }
  }

  private void keep(Follow follow, OutputRef ref, Verified file) throws IOException {
    OperationKey key = follow.key();
    Kept kept = outputs.keep(key, file);
    if (kept.sha256().equals(file.sha256())) {
      record(follow, ref, kept);
    } else {
      invalid(
          follow,
          Code.CHECKSUM_MISMATCH,
          "another object lies at %s already: it has %s, this one %s"
              .formatted(kept.address(), kept.sha256(), file.sha256()));
    }
  }

  private void record(Follow follow, OutputRef ref, Kept kept) {
    var output =
        new StoredOutput(
            kept.address().toString(),
            HexFormat.of().parseHex(kept.sha256()),
            kept.length(),
            ref.contentType().orElse(null));
    changes.accept(
        Change.ofFollow(
            follow,
            OperationState.COMPLETE,
            Code.OUTPUT_STORED,
            null,
            output,
            Duration.ZERO,
            Evidence.note(
                Evidence.Source.OUTPUT,
                Code.OUTPUT_STORED,
                kept.length() + " bytes, sha256 " + kept.sha256())));
    listener.stored(follow.provider(), kept.length());
  }

  /**
   * The task is paid and stays accepted; its output is tried again later and the trouble is on
   * record.
   */
  private void invalid(Follow follow, Code code, String why) {
    changes.accept(
        Change.ofFollow(
            follow,
            OperationState.ACCEPTED,
            code,
            null,
            null,
            policy.again(),
            Evidence.note(Evidence.Source.OUTPUT, code, why)));
  }
}
