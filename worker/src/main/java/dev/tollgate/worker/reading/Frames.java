package dev.tollgate.worker.reading;

import dev.tollgate.schema.event.ChunkEvent;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Chunks.Chunk;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What is written to one reader, as server-sent events. Confined to its reader's thread. */
final class Frames {
  /** How soon a browser comes again after a cut. */
  private static final String OPENING = "retry: 1000\n\n";

  private final StringBuilder text = new StringBuilder();

  Frames opening() {
    text.append(OPENING);
    return this;
  }

  /** Says that the connection lives. */
  Frames heartbeat() {
    text.append(":\n\n");
    return this;
  }

  Frames chunk(OperationKey key, Chunk chunk) {
    text.append("id: ").append(chunk.offset()).append('\n');
    data(ChunkEvent.body(key, chunk));
    text.append('\n');
    return this;
  }

  /** There is something other to wait for than the next chunk, or no longer. */
  Frames waiting(Standing standing) {
    text.append("event: waiting\n");
    data(
        "{\"state\":\"%s\",\"reason\":%s,\"review\":%s}"
            .formatted(standing.state(), word(standing.reason()), word(standing.review())));
    text.append('\n');
    return this;
  }

  /** The operation ended, and this reader has all of its stream. */
  Frames end(Standing standing) {
    text.append("event: end\nid: ").append(From.END).append('\n');
    data("{\"state\":\"%s\",\"reason\":%s}".formatted(standing.state(), word(standing.reason())));
    text.append('\n');
    return this;
  }

  boolean isEmpty() {
    return text.isEmpty();
  }

  byte[] bytes() {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String word(@Nullable String word) {
    return word == null ? "null" : '"' + word + '"';
  }

  /** A line end of any kind begins a line of its own; between JSON tokens, all mean the same. */
  private void data(String body) {
    for (String line : body.split("\r\n|\r|\n", -1)) {
      text.append("data: ").append(line).append('\n');
    }
  }
}
