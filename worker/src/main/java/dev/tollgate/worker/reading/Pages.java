package dev.tollgate.worker.reading;

import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Page;
import dev.tollgate.schema.store.Chunks.Wanted;
import dev.tollgate.worker.loop.Loop;
import dev.tollgate.worker.loop.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads for all readers at once: one loop asks the database for whoever waits, at each tick, and
 * for those at once who are behind. A reader that asks for nothing, since its socket has not taken
 * what it has, costs nothing here. Thread-safe.
 */
final class Pages implements AutoCloseable {
  /** Chunks of one reader's page. */
  static final int CHUNKS_MOST = 100;

  /** Readers of one statement. */
  private static final int READERS_MOST = 100;

  private final Chunks chunks;
  private final long everyNanos;
  private final LongSupplier nanoTime;
  private final Loop loop;

  /** Those who have all that there is, as far as they know. */
  private final Set<Waiting> idle = ConcurrentHashMap.newKeySet();

  /** Those for whom there is more. */
  private final Set<Waiting> behind = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /** Loop's thread only. */
  private long lookedAt;

  /**
   * @param every how often the streams of those who wait are looked at
   */
  Pages(Chunks chunks, Duration every, LongSupplier nanoTime) {
    this.chunks = chunks;
    this.everyNanos = every.toNanos();
    this.nanoTime = nanoTime;
    this.lookedAt = nanoTime.getAsLong() - everyNanos;
    Step step = this::runOnce;
    this.loop = new Loop("read-streams", every, nanoTime, step);
  }

  void start() {
    loop.start();
  }

  /** A question that waits for its answer. Used by its reader's thread and the loop's. */
  static final class Waiting {
    private final Wanted wanted;
    private final @Nullable Standing known;
    private final CountDownLatch answered = new CountDownLatch(1);
    private volatile @Nullable Page page;
    private volatile boolean gone;

    private Waiting(Wanted wanted, @Nullable Standing known) {
      this.wanted = wanted;
      this.known = known;
    }

    private void answer(@Nullable Page found) {
      page = found;
      answered.countDown();
    }

    /** Whether an answer is there in time; without a page, should there be none any more. */
    boolean await(Duration time) throws InterruptedException {
      return answered.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The answer; null where the operation is gone, or this process is closing. */
    @Nullable Page page() {
      return page;
    }
  }

  /**
   * Asks for chunks, or for a change of the operation's standing.
   *
   * @param known how it stands, as the reader knows; null if it does not know
   * @param more whether an answer is probably there already
   */
  Waiting ask(Wanted wanted, @Nullable Standing known, boolean more) {
    Waiting waiting = new Waiting(wanted, known);
    (more ? behind : idle).add(waiting);
    if (closed) {
      waiting.answer(null);
    } else if (more) {
      loop.wake();
    }
    return waiting;
  }

  /** The reader is gone. */
  void forget(Waiting waiting) {
    waiting.gone = true;
    behind.remove(waiting);
    idle.remove(waiting);
  }

  private boolean runOnce() {
    long now = nanoTime.getAsLong();
    boolean tick = now - lookedAt >= everyNanos;
    List<Waiting> asked = new ArrayList<>(behind);
    if (tick) {
      lookedAt = now;
      idle.removeIf(waiting -> waiting.gone); // it went while it was moved here
      asked.addAll(idle);
    }
    for (int from = 0; from < asked.size(); from += READERS_MOST) {
      answer(asked.subList(from, Math.min(asked.size(), from + READERS_MOST)));
    }
    return !behind.isEmpty();
  }

  private void answer(List<Waiting> asked) {
    List<Page> pages =
        chunks.pages(asked.stream().map(waiting -> waiting.wanted).toList(), CHUNKS_MOST);
    for (int i = 0; i < asked.size(); i++) {
      Waiting waiting = asked.get(i);
      Page page = pages.get(i);
      if (page.state().isEmpty()) {
        forget(waiting);
        waiting.answer(null); // the operation is not there any more
      } else if (page.chunks().isEmpty() && Standing.of(page).equals(waiting.known)) {
        if (behind.contains(waiting)) {
          idle.add(waiting);
          behind.remove(waiting);
        }
      } else {
        forget(waiting);
        waiting.answer(page);
      }
    }
  }

  /** Answers everybody that there is nothing more here. */
  @Override
  public void close() {
    closed = true;
    loop.close();
    behind.forEach(waiting -> waiting.answer(null));
    idle.forEach(waiting -> waiting.answer(null));
  }
}
