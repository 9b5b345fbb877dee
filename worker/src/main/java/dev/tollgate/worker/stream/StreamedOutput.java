package dev.tollgate.worker.stream;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.schema.store.Chunks.Wanted;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.worker.output.Completion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the output of a stream that has ended, from its stored chunks alone: so it is the same
 * whoever makes it. The output is the text; where there is none, or half a surrogate pair stands in
 * it alone, it is the events' data, a line each. Thread-safe.
 */
final class StreamedOutput {
  static final String TEXT = "text/plain; charset=utf-8";
  static final String EVENTS = "application/x-ndjson";

  private static final int PAGE = 100;

  /** Of an output that is put together in memory: far more than any text. */
  private static final int OUTPUT_MAX = 16 * 1024 * 1024;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Chunks chunks;
  private final Completion completion;
  private final Consumer<Change> changes;

  /**
   * @param changes takes what became of an operation, to be stored; must not block
   */
  StreamedOutput(Chunks chunks, Completion completion, Consumer<Change> changes) {
    this.chunks = chunks;
    this.completion = completion;
    this.changes = changes;
  }

  /**
   * Ends an operation whose stream has ended. May be repeated, and done by two at once.
   *
   * @param note what the provider said of the end; empty if nothing or no longer known
   * @throws TooLong if the output is longer than any text
   */
  void finish(Follow follow, String note) throws IOException, TooLong {
    Parts parts = read(follow);
    End end =
        parts.end.orElseThrow(
            () -> new IllegalStateException("the stream of " + follow.key() + " has no end"));
    String told =
        "%d chunks, %s%s".formatted(parts.count, end.word(), note.isEmpty() ? "" : ": " + note);
    switch (end) {
      case SUCCEEDED -> {
        Optional<byte[]> text = parts.text();
        completion.complete(
            follow,
            text.isPresent() ? text.get() : parts.events(),
            text.isPresent() ? TEXT : EVENTS,
            told);
      }
      case FAILED, CANCELLED ->
          changes.accept(
              Change.ofFollow(
                  follow,
                  OperationState.FAILED,
                  Code.PROVIDER_FAILED,
                  null,
                  null,
                  Duration.ZERO,
                  Evidence.note(Evidence.Source.STATUS, Code.PROVIDER_FAILED, told)));
    }
  }

  private Parts read(Follow follow) throws IOException, TooLong {
    Parts parts = new Parts();
    for (int from = 0; parts.end.isEmpty(); from = parts.count) {
      for (Chunk chunk :
          chunks
              .pages(List.of(new Wanted(follow.key(), follow.seq(), from)), PAGE)
              .getFirst()
              .chunks()) {
        parts.add(chunk);
      }
      if (parts.count == from) {
        break;
      }
    }
    return parts;
  }

  /** An output is longer than is put together. */
  static final class TooLong extends Exception {
    private static final long serialVersionUID = 1L;

    TooLong(String message) {
      super(message);
    }
  }

  /** What is read so far. */
  private static final class Parts {
    private final StringBuilder texts = new StringBuilder();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private int count;
    private Optional<End> end = Optional.empty();

    void add(Chunk chunk) throws IOException, TooLong {
      byte @Nullable [] text = chunk.text();
      if (text != null) {
        texts.append(JSON.readValue(text, String.class));
      }
      if (texts.length() > OUTPUT_MAX) {
        throw new TooLong("a text of more than %d characters".formatted(OUTPUT_MAX));
      }
      if (data.size() <= OUTPUT_MAX) {
        for (byte b : chunk.data()) {
          data.write(b == '\n' || b == '\r' ? ' ' : b); // outside of strings alone: it is JSON
        }
        data.write('\n');
      }
      count++;
      end = Optional.ofNullable(chunk.ends());
    }

    /** All events, a line each. */
    byte[] events() throws TooLong {
      if (data.size() > OUTPUT_MAX) {
        throw new TooLong("events of more than %d bytes, and no text".formatted(OUTPUT_MAX));
      }
      return data.toByteArray();
    }

    /** All text; empty if there is none, or it cannot be encoded. */
    Optional<byte[]> text() {
      return !texts.isEmpty() && StandardCharsets.UTF_8.newEncoder().canEncode(texts)
          ? Optional.of(texts.toString().getBytes(StandardCharsets.UTF_8))
          : Optional.empty();
    }
  }
}
