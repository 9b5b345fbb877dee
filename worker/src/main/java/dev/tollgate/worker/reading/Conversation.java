package dev.tollgate.worker.reading;

import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.Page;
import dev.tollgate.schema.store.Chunks.Wanted;
import dev.tollgate.worker.reading.Pages.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one reader is told on one connection. It asks for a page when the one before was taken, so a
 * slow reader holds up nobody and has one page in memory at most. Confined to its reader's thread.
 */
final class Conversation {
  /** Where bytes for the reader go. */
  interface Out {
    /**
     * Returns when they were taken.
     *
     * @throws IOException if the reader is gone, or too slow
     */
    void write(byte[] bytes) throws IOException, InterruptedException;
  }

  /** Why a conversation was over. */
  enum Over {
    /** The reader has all of an operation that ended. */
    ENDED,
    /** The connection lasted as long as one may. */
    TIME,
    /** There is nothing more to be had from this process. */
    CLOSING
  }

  private final Pages pages;
  private final Out out;
  private final ReadingListener listener;
  private final LongSupplier nanoTime;
  private final long heartbeatNanos;
  private final long untilNanos;

  private Wanted next;
  private @Nullable Standing known;
  private boolean told;

  /**
   * @param from what the reader asks for first
   * @param heartbeat how often it hears something at least
   * @param time how long the conversation may last
   */
  Conversation(
      Pages pages,
      Wanted from,
      Out out,
      Duration heartbeat,
      Duration time,
      LongSupplier nanoTime,
      ReadingListener listener) {
    this.pages = pages;
    this.next = from;
    this.out = out;
    this.heartbeatNanos = heartbeat.toNanos();
    this.nanoTime = nanoTime;
    this.untilNanos = nanoTime.getAsLong() + time.toNanos();
    this.listener = listener;
  }

  /** Tells the stream until it, or the connection, is over. */
  Over run() throws IOException, InterruptedException {
    out.write(new Frames().opening().bytes());
    boolean more = true;
    while (true) {
      Waiting waiting = pages.ask(next, known, more);
      try {
        if (!await(waiting)) {
          return Over.TIME;
        }
      } finally {
        pages.forget(waiting);
      }
      Page page = waiting.page();
      if (page == null) {
        return Over.CLOSING;
      }
      if (tell(page)) {
        return Over.ENDED;
      }
      // what has ended does not change any more, so nothing else would bring its reader to the end
      more = page.chunks().size() >= Pages.CHUNKS_MOST || Standing.of(page).ended();
      if (nanoTime.getAsLong() - untilNanos >= 0) {
        return Over.TIME;
      }
    }
  }

  /** Whether an answer came before the connection's time was over. */
  private boolean await(Waiting waiting) throws IOException, InterruptedException {
    while (true) {
      long left = untilNanos - nanoTime.getAsLong();
      if (waiting.await(Duration.ofNanos(Math.min(heartbeatNanos, left)))) {
        return true;
      }
      if (nanoTime.getAsLong() - untilNanos >= 0) {
        return false;
      }
      out.write(new Frames().heartbeat().bytes());
    }
  }

  /** Whether that was all. */
  private boolean tell(Page page) throws IOException, InterruptedException {
    Frames frames = new Frames();
    boolean last = page.chunks().isEmpty();
    for (Chunk chunk : page.chunks()) {
      frames.chunk(next.key(), chunk);
      next = new Wanted(next.key(), next.seq(), chunk.offset() + 1);
      last = chunk.ends() != null;
    }
    Standing standing = Standing.of(page);
    boolean over = last && standing.ended();
    if (over) {
      frames.end(standing);
    } else if (!standing.ended() && !standing.equals(known) && (told || !standing.flowing())) {
      frames.waiting(standing);
      told = true;
    }
    // as the reader is to know it: while chunks are missing, the end is still to be asked for
    known = standing.ended() ? null : standing;
    if (!frames.isEmpty()) {
      out.write(frames.bytes());
      listener.chunks(page.chunks().size());
    }
    return over;
  }
}
