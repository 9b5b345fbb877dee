package dev.tollgate.loadtest.audit;

import dev.tollgate.loadtest.audit.Facts.Operation;
import dev.tollgate.loadtest.audit.Facts.Seen;
import dev.tollgate.loadtest.sandbox.Ledger;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.StoredOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Facts made by hand: a ledger file, rows, topics. Operations are numbered. */
final class HandMade {
  private final Path folder;
  private final List<Intended> intended = new ArrayList<>();
  private final Set<OperationKey> requested = new HashSet<>();
  private final List<Facts.DeadLetter> letters = new ArrayList<>();
  private final List<ResultEvent> events = new ArrayList<>();
  private final Map<OperationKey, Operation> operations = new HashMap<>();
  private final Map<OperationKey, OperationKey> earlier = new HashMap<>();
  private final Map<OperationKey, Facts.StoredChunks> chunks = new HashMap<>();
  private final Map<OperationKey, Set<Integer>> published = new HashMap<>();
  private final Set<Path> files = new HashSet<>();
  private final StringBuilder ledger = new StringBuilder();
  private long unsent;
  private int requests;

  HandMade(Path folder) {
    this.folder = folder;
  }

  static OperationKey key(int n) {
    return new OperationKey("image", Sha256.of(("key " + n).getBytes(StandardCharsets.UTF_8)));
  }

  static String params(int n) {
    return "{\"prompt\":\"kite " + n + "\"}";
  }

  /** Asked for and published, no more. */
  HandMade asked(int n) {
    intended.add(new Intended(key(n), "keyed", params(n)));
    requested.add(key(n));
    return this;
  }

  /** The next generation of another, and published: it asks the provider for the same. */
  HandMade next(int n, int before) {
    earlier.put(key(n), key(before));
    requested.add(key(n));
    return this;
  }

  HandMade letter(int n) {
    letters.add(new Facts.DeadLetter(key(n), "INVALID_EVENT"));
    return this;
  }

  HandMade unsent(long rows) {
    unsent = rows;
    return this;
  }

  /** One create request in the provider's ledger that made a task and was answered whole. */
  HandMade task(int n, String id) {
    return request(n, id, true);
  }

  /** What is stored of an operation's stream and was published of it. */
  HandMade chunks(int n, int count, int last, boolean ended, Integer... offsets) {
    chunks.put(key(n), new Facts.StoredChunks(count, last, ended));
    published.put(key(n), Set.of(offsets));
    return this;
  }

  /** The task that was written last is a text of so many events. */
  HandMade streamed(int events, String text) {
    String stream =
        "\"stream\":{\"events\":%d,\"sha256\":\"%s\"},"
            .formatted(
                events,
                HexFormat.of().formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)).bytes()));
    ledger.insert(ledger.lastIndexOf("\"body_sha256\""), stream);
    return this;
  }

  /** One create request that made a task whose answer never left. */
  HandMade silentTask(int n, String id) {
    return request(n, id, false);
  }

  private HandMade request(int n, String id, boolean answered) {
    requests++;
    ledger
        .append("{\"event\":\"request\",\"n\":")
        .append(requests)
        .append(",\"at\":\"2026-01-01T00:00:00.000Z\",\"kind\":\"keyed\",\"fault\":\"")
        .append(answered ? "accept" : "accept/drop")
        .append("\",\"task\":\"")
        .append(id)
        .append(
            "\",\"created\":true,\"created_at\":\"2026-01-01T00:00:00.000Z\",\"key\":null,\"ref\":null,")
        .append("\"body_sha256\":\"00\",\"input\":")
        .append(params(n))
        .append("}\n")
        .append("{\"event\":\"answer\",\"n\":")
        .append(requests)
        .append(",\"answered\":")
        .append(answered)
        .append(",\"status\":")
        .append(answered ? "202" : "null")
        .append("}\n");
    return this;
  }

  static Seen seen(int fence, String source, String code) {
    return new Seen(fence, source, code, null, null);
  }

  static Seen named(int fence, String source, String code, String remoteId) {
    return new Seen(fence, source, code, remoteId, null);
  }

  /** A row as all rows are that went well so far. */
  HandMade row(
      int n,
      OperationState state,
      @Nullable String reason,
      @Nullable String remoteId,
      List<Integer> attempts,
      Seen... evidence) {
    int fence = Arrays.stream(evidence).mapToInt(Seen::fence).max().orElse(0);
    return put(
        new Operation(
            key(n),
            "keyed",
            state,
            reason,
            state == OperationState.UNKNOWN ? reason : null,
            remoteId,
            Math.max(fence, attempts.isEmpty() ? 0 : attempts.getLast()),
            2,
            attempts.size(),
            next(state),
            attempts,
            List.of(evidence),
            remoteId == null ? Set.of() : Set.of(remoteId),
            null));
  }

  private static @Nullable String next(OperationState state) {
    return switch (state) {
      case PREPARED -> "claim";
      case SENDING -> "sweep";
      case ACCEPTED -> "follow";
      case UNKNOWN -> "person";
      case FAILED, COMPLETE -> null;
    };
  }

  /** Sent once, answered, stored: all of it. */
  HandMade complete(int n, String remoteId) {
    StoredOutput output = output(n, "bytes of " + n);
    Operation good =
        new Operation(
            key(n),
            "keyed",
            OperationState.COMPLETE,
            "OUTPUT_STORED",
            null,
            remoteId,
            1,
            3,
            1,
            null,
            List.of(1),
            List.of(
                named(1, "submit", "PROVIDER_ACCEPTED", remoteId),
                seen(1, "output", "OUTPUT_STORED")),
            Set.of(remoteId),
            output);
    told(n, 2, ResultEvent.State.ACCEPTED);
    told(n, 3, ResultEvent.State.COMPLETE);
    return asked(n).task(n, remoteId).put(good);
  }

  HandMade put(Operation operation) {
    operations.put(operation.key(), operation);
    return this;
  }

  StoredOutput output(int n, String content) {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    Path file = place(n);
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    files.add(file);
    return new StoredOutput(file.toUri().toString(), Sha256.of(bytes).bytes(), bytes.length, null);
  }

  Path place(int n) {
    return folder.resolve("output-" + n);
  }

  HandMade file(Path file) {
    files.add(file);
    return this;
  }

  HandMade told(int n, long version, ResultEvent.State state) {
    events.add(
        new ResultEvent(
            key(n),
            state,
            version,
            "keyed",
            null,
            state == ResultEvent.State.COMPLETE
                ? new ResultEvent.Output("file:///x", Sha256.of(new byte[0]), 1, null)
                : null,
            null,
            Instant.EPOCH,
            1,
            ResultEvent.Details.NONE));
    return this;
  }

  Report audit() {
    Path file = folder.resolve("ledger.jsonl");
    try {
      Files.writeString(file, ledger);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return Audit.of(
        new Facts(
            intended,
            requested,
            letters,
            events,
            operations,
            earlier,
            chunks,
            published,
            unsent,
            files,
            Ledger.read(file)));
  }
}
