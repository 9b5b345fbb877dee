package dev.tollgate.worker.output;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.OutputTrouble;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.schema.store.StoredOutput;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderTiming;
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
  private final OperationStore store;
  private final Consumer<Change> changes;
  private final OutputPolicy policy;
  private final OutputListener listener;

  /**
   * @param store asked what evidence there is of earlier trouble
   * @param changes takes what became of it, to be stored; must not block
   */
  public Completion(
      OutputStore outputs,
      Scratch scratch,
      OperationStore store,
      Consumer<Change> changes,
      OutputPolicy policy,
      OutputListener listener) {
    this.outputs = outputs;
    this.scratch = scratch;
    this.store = store;
    this.changes = changes;
    this.policy = policy;
    this.listener = listener;
  }

  /**
   * Goes as far as it can. May be repeated, and done by two at once.
   *
   * @param status of a task that succeeded
   * @throws IOException if the disk or the store of outputs failed: the operation stays as it is
   * @throws StoreUnavailable if evidence could not be read: the same
   */
  public void complete(ProviderAdapter adapter, Follow follow, StatusResult.Status status)
      throws IOException {
    if (status.output().isEmpty()) {
      trouble(follow, Code.OUTPUT_INVALID, "succeeded without an output");
      return;
    }
    OutputRef ref = status.output().get();
    Optional<Kept> kept = outputs.find(follow.key());
    if (kept.isPresent()) {
      // stored by somebody who did not come to saying so; a second download might even differ
      record(follow, ref.contentType(), kept.get(), "was there already");
      return;
    }
    Path temporary = scratch.file(follow.key());
    try {
      switch (download(adapter, ref, temporary)) {
        case DownloadResult.Downloaded(long length, String sha256) ->
            probe(follow, ref, new Verified(temporary, length, sha256, ref.contentType()));
        case DownloadResult.Unavailable(String reason) ->
            trouble(follow, Code.OUTPUT_UNAVAILABLE, reason);
        case DownloadResult.Gone(String reason) -> trouble(follow, Code.OUTPUT_GONE, reason);
        case DownloadResult.Invalid(Code code, String reason) -> trouble(follow, code, reason);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /**
   * Stores an output that was put together here. May be repeated, and done by two at once, as long
   * as the bytes are the same each time.
   *
   * @param note how it came to its end
   * @throws IOException if the disk or the store of outputs failed: the operation stays as it is
   */
  public void complete(Follow follow, byte[] output, String contentType, String note)
      throws IOException {
    Path temporary = scratch.file(follow.key());
    try {
      Files.write(temporary, output);
      String sha256 = Sha256.of(output).toString();
      keep(follow, new Verified(temporary, output.length, sha256, Optional.of(contentType)), note);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /**
   * The provider says that there is no such task. It may show it later, so that is asked further
   * and further apart; then a person decides. It is never a reason to send again.
   */
  public void missing(ProviderAdapter adapter, Follow follow) {
    ProviderTiming timing = adapter.profile().timing();
    Duration atLeast = timing.longestHold().plus(timing.visibilityLag());
    trouble(
        follow,
        Code.TASK_MISSING,
        "the provider accepted it, and says now that there is no such task",
        atLeast.compareTo(policy.goneAfter()) > 0 ? atLeast : policy.goneAfter());
  }

  /** A stream cannot be read on. That is tried further and further apart; then a person decides. */
  public void cut(Follow follow, String why) {
    trouble(follow, Code.STREAM_CUT, why);
  }

  /** The task is in a state that the descriptor does not know. It is asked about more slowly. */
  public void unfamiliar(Follow follow, String word) {
    trouble(follow, Code.STATE_UNKNOWN, "the provider says that it is " + word);
  }

  private DownloadResult download(ProviderAdapter adapter, OutputRef ref, Path temporary)
      throws IOException {
    try (FileSink sink = FileSink.create(temporary)) {
      return adapter.download(ref, sink, policy.bytesMax());
    }
  }

  private void probe(Follow follow, OutputRef ref, Verified file) throws IOException {
    switch (MediaProbe.probe(file.file(), ref.contentType(), follow.key().kind())) {
      case MediaProbe.Probed.Refused(String why) -> trouble(follow, Code.OUTPUT_INVALID, why);
      case MediaProbe.Probed.Passed(Optional<String> type, String note) -> {
        Optional<String> known = ref.contentType().or(() -> type);
        keep(follow, new Verified(file.file(), file.length(), file.sha256(), known), note);
      }
    }
  }

  private void keep(Follow follow, Verified file, String note) throws IOException {
    Kept kept = outputs.keep(follow.key(), file);
    if (kept.sha256().equals(file.sha256())) {
      record(follow, file.contentType(), kept, note);
    } else {
      trouble(
          follow,
          Code.CHECKSUM_MISMATCH,
          "another object lies at %s already: it has %s, this one %s"
              .formatted(kept.address(), kept.sha256(), file.sha256()));
    }
  }

  private void record(Follow follow, Optional<String> type, Kept kept, String note) {
    var output =
        new StoredOutput(
            kept.address().toString(),
            HexFormat.of().parseHex(kept.sha256()),
            kept.length(),
            type.orElse(null));
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
                "%d bytes, sha256 %s; %s".formatted(kept.length(), kept.sha256(), note))));
    listener.stored(follow.provider(), kept.length());
  }

  /**
   * The task is paid and stays accepted: its output is tried again later, with the address that the
   * provider names then, or a person decides. The trouble is on record.
   */
  private void trouble(Follow follow, Code code, String why) {
    trouble(follow, code, why, policy.atLeast(Trouble.of(code)));
  }

  /**
   * The same.
   *
   * @param atLeast for how long it has to last before a person decides
   */
  private void trouble(Follow follow, Code code, String why, Duration atLeast) {
    Trouble trouble = Trouble.of(code);
    OutputTrouble before = store.outputTrouble(follow, trouble.before());
    boolean enough = policy.isEnough(trouble, before, atLeast);
    if (enough) {
      log.warn(
          "the output of {} is not to be had, a person decides: {} {}", follow.key(), code, why);
    }
    changes.accept(
        Change.ofFollow(
            follow,
            OperationState.ACCEPTED,
            code,
            enough ? code : null,
            null,
            policy.pause(before.times(), trouble),
            Evidence.note(Evidence.Source.OUTPUT, code, why)));
    listener.trouble(follow.provider(), code, enough);
  }
}
