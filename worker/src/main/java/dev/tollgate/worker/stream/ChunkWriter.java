package dev.tollgate.worker.stream;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Appended;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.Stream;
import dev.tollgate.schema.store.CommitNotReplicated;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.worker.loop.Backoff;
import dev.tollgate.worker.loop.Closing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the chunks of all streams, many in one statement, each stream's in their order.
 * Thread-safe; batches are confined to the writer's thread.
 */
public final class ChunkWriter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ChunkWriter.class);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(2);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(15);

  /** A statement of so many is near the best rate; more only lengthen it. */
  private static final int BATCH_MAX = 5000;

  private static final long BATCH_BYTES_MAX = 16L * 1024 * 1024;

  private final Chunks chunks;
  private final Duration linger;
  private final StreamListener listener;
  private final LongSupplier nanoTime;
  private final BlockingQueue<LiveStream> ready = new LinkedBlockingQueue<>();
  private final Thread thread;
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch abandon = new CountDownLatch(1);
  private volatile boolean over;

  /**
   * @param linger how long the first chunk of a batch waits for others
   */
  public ChunkWriter(
      Chunks chunks, Duration linger, StreamListener listener, LongSupplier nanoTime) {
    this.chunks = chunks;
    this.linger = linger;
    this.listener = listener;
    this.nanoTime = nanoTime;
    this.thread = Thread.ofPlatform().name("chunks").unstarted(this::run);
  }

  public void start() {
    if (started.compareAndSet(false, true)) {
      thread.start();
    }
  }

  /** A stream has chunks to be written; once for each time that it had none. */
  void ready(LiveStream stream) {
    ready.add(stream);
    if (over) {
      refuseAll();
    }
  }

  private void run() {
    try {
      while (true) {
        LiveStream first = ready.poll(50, TimeUnit.MILLISECONDS);
        if (first != null) {
          TimeUnit.NANOSECONDS.sleep(linger.toNanos());
          store(gather(first));
        } else if (closed.get()) {
          return;
        }
      }
    } catch (InterruptedException _) {
      log.warn("{} streams had chunks that were not stored; they are resumed", ready.size());
    } finally {
      over = true;
      refuseAll();
    }
  }

  /** Nobody writes any more: no reader is to wait for it. */
  private void refuseAll() {
    for (LiveStream left = ready.poll(); left != null; left = ready.poll()) {
      left.written(0, Appended.STALE);
    }
  }

  /**
   * What a statement is to hold; streams with more are ready again behind it, and so is a second
   * reading of a stream that is in it.
   */
  private Map<LiveStream, List<Chunk>> gather(LiveStream first) {
    Map<LiveStream, List<Chunk>> batch = new LinkedHashMap<>();
    int count = 0;
    long bytes = 0;
    Set<OperationKey> keys = new HashSet<>();
    List<LiveStream> twins = new ArrayList<>();
    for (LiveStream stream = first; stream != null; ) {
      if (keys.add(stream.stream().key())) {
        List<Chunk> some = stream.waiting();
        batch.put(stream, some);
        count += some.size();
        bytes += some.stream().mapToLong(chunk -> chunk.data().length).sum();
      } else {
        twins.add(stream);
      }
      stream = count < BATCH_MAX && bytes < BATCH_BYTES_MAX ? ready.poll() : null;
    }
    twins.forEach(this::ready);
    return batch;
  }

  private void store(Map<LiveStream, List<Chunk>> batch) throws InterruptedException {
    Map<Stream, List<Chunk>> given = new HashMap<>();
    batch.forEach((stream, some) -> given.put(stream.stream(), some));
    long began = nanoTime.getAsLong();
    Map<OperationKey, Appended> became;
    try {
      became = appendUntilAnswered(given);
    } catch (InterruptedException e) {
      batch.keySet().forEach(stream -> stream.written(0, Appended.STALE));
      throw e;
    }
    int count = batch.values().stream().mapToInt(List::size).sum();
    listener.appended(count, Duration.ofNanos(nanoTime.getAsLong() - began));
    List<LiveStream> again = new ArrayList<>();
    batch.forEach(
        (stream, some) -> {
          Appended what = became.getOrDefault(stream.stream().key(), Appended.STALE);
          if (what == Appended.AGAIN) {
            again.add(stream);
          } else {
            if (what != Appended.STORED) {
              listener.refused(what);
            }
            stream.written(some.size(), what);
          }
        });
    again.forEach(this::ready);
  }

  /** A repeat after a lost answer finds the same bytes, which counts as stored. */
  private Map<OperationKey, Appended> appendUntilAnswered(Map<Stream, List<Chunk>> given)
      throws InterruptedException {
    for (int failures = 1; ; failures++) {
      try {
        return chunks.append(given);
      } catch (StoreUnavailable | CommitNotReplicated e) {
        log.warn(
            "chunks of {} streams are waiting for the database, try {}: {}",
            given.size(),
            failures,
            e.getMessage());
      } catch (RuntimeException e) {
        if (given.size() == 1) {
          // not a matter of time: it is for a person
          log.error("chunks of {} were refused by the database", given.keySet(), e);
          return Map.of(given.keySet().iterator().next().key(), Appended.CONFLICT);
        }
        return oneByOne(given);
      }
      Duration pause = Backoff.of(failures, PAUSE, PAUSE_MAX);
      if (abandon.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new InterruptedException("closed while the database was away");
      }
    }
  }

  private Map<OperationKey, Appended> oneByOne(Map<Stream, List<Chunk>> given)
      throws InterruptedException {
    Map<OperationKey, Appended> became = new HashMap<>();
    for (Map.Entry<Stream, List<Chunk>> one : given.entrySet()) {
      became.putAll(appendUntilAnswered(Map.of(one.getKey(), one.getValue())));
    }
    return became;
  }

  /** Writes what was handed in, within a bound, then ends the thread. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true) || !started.get()) {
      return;
    }
    Closing.writer(thread, CLOSE_WITHIN, abandon);
  }
}
