package dev.tollgate.worker.stream;

import dev.tollgate.schema.store.Chunks.Appended;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.Stream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The chunks of one stream on their way to the database: added by its reader, which waits while too
 * many are under way, and taken by the writer. Thread-safe.
 */
final class LiveStream {
  /** Far more than are under way while the database answers in time. */
  private static final int UNDER_WAY_MAX = 512;

  private static final long BYTES_MAX = 4L * 1024 * 1024;

  private final Stream stream;
  private final ChunkWriter writer;
  private final Deque<Chunk> waiting = new ArrayDeque<>();
  private long bytes;
  private Appended outcome = Appended.STORED;

  LiveStream(Stream stream, ChunkWriter writer) {
    this.stream = stream;
    this.writer = writer;
  }

  Stream stream() {
    return stream;
  }

  /**
   * Hands a chunk in, with the next offset.
   *
   * @return false if an earlier one could not be stored as it should: then no more are taken
   */
  synchronized boolean add(Chunk chunk) throws InterruptedException {
    while (outcome == Appended.STORED && (waiting.size() >= UNDER_WAY_MAX || bytes >= BYTES_MAX)) {
      wait();
    }
    if (outcome != Appended.STORED) {
      return false;
    }
    waiting.add(chunk);
    bytes += chunk.data().length;
    if (waiting.size() == 1) {
      writer.ready(this);
    }
    return true;
  }

  /** Waits until all that was handed in is written; what became of it. */
  synchronized Appended flush() throws InterruptedException {
    while (outcome == Appended.STORED && !waiting.isEmpty()) {
      wait();
    }
    return outcome;
  }

  /** What is to be written now; it stays until {@link #written} is told. */
  synchronized List<Chunk> waiting() {
    return List.copyOf(waiting);
  }

  /** So many from the first on are written; ready again if there are more. */
  synchronized void written(int count, Appended what) {
    for (int i = 0; i < count && !waiting.isEmpty(); i++) {
      bytes -= waiting.remove().data().length;
    }
    if (what != Appended.STORED) {
      outcome = what;
      waiting.clear();
      bytes = 0;
    }
    notifyAll();
    if (!waiting.isEmpty()) {
      writer.ready(this);
    }
  }
}
