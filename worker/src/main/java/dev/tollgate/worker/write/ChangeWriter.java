package dev.tollgate.worker.write;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.CommitNotReplicated;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.RemoteIdTaken;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.schema.store.StoredOutput;
import dev.tollgate.worker.loop.Backoff;
import dev.tollgate.worker.loop.Closing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes changes in batches, see the package. Thread-safe; the batch itself is confined to the
 * writer's thread.
 */
public final class ChangeWriter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ChangeWriter.class);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(2);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(15);

  private final OperationStore store;
  private final WriteListener listener;
  private final int batchMax;
  private final Duration linger;
  private final LongSupplier nanoTime;
  private final BlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
  private final Thread thread;

  /** How many waiting changes end the linger. */
  private volatile int enough = Integer.MAX_VALUE;

  private final Semaphore filled = new Semaphore(0);
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch abandon = new CountDownLatch(1);

  /** Writer's thread only: changes of a key that the batch under way has already. */
  private final Queue<Entry> held = new ArrayDeque<>();

  private record Entry(Change change, Runnable done) {}

  /**
   * @param batchMax most changes of one statement
   * @param linger how long the first change of a batch waits for others
   */
  public ChangeWriter(
      String name,
      OperationStore store,
      WriteListener listener,
      int batchMax,
      Duration linger,
      LongSupplier nanoTime) {
    this.store = store;
    this.listener = listener;
    this.batchMax = batchMax;
    this.linger = linger;
    this.nanoTime = nanoTime;
    this.thread = Thread.ofPlatform().name(name).unstarted(this::run);
  }

  public void start() {
    if (started.compareAndSet(false, true)) {
      thread.start();
    }
  }

  /**
   * Hands in a change.
   *
   * @param done run by the writer's thread when the change is stored, dropped or refused; must not
   *     block or throw
   */
  public void write(Change change, Runnable done) {
    queue.add(new Entry(change, done));
    if (queue.size() >= enough) {
      filled.release();
    }
  }

  /** Whether so many changes wait that nobody should cause more: two full batches. */
  public boolean crowded() {
    return queue.size() >= 2 * batchMax;
  }

  private void run() {
    while (true) {
      try {
        List<Entry> batch = next();
        if (!batch.isEmpty()) {
          store(batch);
        } else if (closed.get()) {
          return;
        }
      } catch (InterruptedException _) {
        log.warn(
            "{} changes were not written; their leases expire and the sweep finds them",
            queue.size());
        return;
      }
    }
  }

  private List<Entry> next() throws InterruptedException {
    List<Entry> batch = new ArrayList<>(batchMax);
    Set<OperationKey> keys = new HashSet<>();
    for (int i = held.size(); i > 0; i--) {
      take(held.remove(), batch, keys);
    }
    if (batch.isEmpty()) {
      Entry first = queue.poll(50, TimeUnit.MILLISECONDS);
      if (first == null) {
        return batch;
      }
      take(first, batch, keys);
    }
    gather(batchMax - batch.size());
    while (batch.size() < batchMax) {
      Entry entry = queue.poll();
      if (entry == null) {
        break;
      }
      take(entry, batch, keys);
    }
    return batch;
  }

  /**
   * Lingers until so many changes wait. In one piece: each wake-up costs more than a change does.
   */
  private void gather(int wanted) throws InterruptedException {
    enough = wanted;
    filled.drainPermits();
    if (queue.size() < wanted) {
      filled.tryAcquire(linger.toNanos(), TimeUnit.NANOSECONDS);
    }
    enough = Integer.MAX_VALUE;
  }

  private void take(Entry entry, List<Entry> batch, Set<OperationKey> keys) {
    if (keys.add(entry.change.key())) {
      batch.add(entry);
    } else {
      held.add(entry);
    }
  }

  private void store(List<Entry> batch) throws InterruptedException {
    long began = nanoTime.getAsLong();
    Set<OperationKey> applied;
    try {
      applied = applyUntilAnswered(batch.stream().map(Entry::change).toList());
    } catch (RemoteIdTaken e) {
      apart(batch, entry -> store(List.of(new Entry(taken(entry.change), entry.done))));
      return;
    } catch (RuntimeException e) {
      apart(batch, entry -> refuse(entry, e));
      return;
    }
    // from here on nothing may lead to a second try: these changes are stored
    tell(() -> listener.wrote(batch.size(), Duration.ofNanos(nanoTime.getAsLong() - began)));
    settle(batch, applied);
  }

  /**
   * Repeats until the database says what happened; the repeat of a lost answer is told by
   * re-reading.
   */
  private Set<OperationKey> applyUntilAnswered(List<Change> changes) throws InterruptedException {
    for (int failures = 0; ; ) {
      try {
        Set<OperationKey> applied = new HashSet<>(store.apply(changes));
        if (failures > 0 && applied.size() < changes.size()) {
          applied.addAll(store.effective(changes));
        }
        return applied;
      } catch (StoreUnavailable | CommitNotReplicated e) {
        failures++;
        log.warn(
            "{} changes are waiting for the database, try {}: {}",
            changes.size(),
            failures,
            e.getMessage());
        Duration pause = Backoff.of(failures, PAUSE, PAUSE_MAX);
        if (abandon.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
          throw new InterruptedException("closed while the database was away");
        }
      }
    }
  }

  private void settle(List<Entry> batch, Set<OperationKey> applied) {
    Map<OperationKey, String> late = new HashMap<>();
    for (Entry entry : batch) {
      Change change = entry.change;
      if (applied.contains(change.key())) {
        tell(() -> listener.applied(change));
      } else {
        tell(() -> listener.stale(change));
        String remoteId = change.evidence().remoteId();
        late.put(change.key(), remoteId == null ? "" : remoteId);
      }
      tell(entry.done);
    }
    tellLate(batch, late);
    tellTwins(batch, applied);
  }

  /** Whether its output would hardly be the same as another's by chance: words may well be. */
  private static boolean isTelling(Change change) {
    StoredOutput output = change.output();
    String type = output == null ? null : output.contentType();
    return output != null && (type == null || !type.startsWith("text/plain"));
  }

  /** A failure here loses an alarm and its evidence, never an output. */
  private void tellTwins(List<Entry> batch, Set<OperationKey> applied) {
    List<OperationKey> stored =
        batch.stream()
            .filter(entry -> isTelling(entry.change) && applied.contains(entry.change.key()))
            .map(entry -> entry.change.key())
            .toList();
    if (stored.isEmpty()) {
      return;
    }
    try {
      Map<OperationKey, OperationKey> twins = store.twins(stored);
      for (Entry entry : batch) {
        OperationKey other = twins.get(entry.change.key());
        if (other != null) {
          log.warn("duplicate output: {} has the same bytes as {}", entry.change.key(), other);
          tell(() -> listener.duplicateOutput(entry.change, other));
        }
      }
    } catch (RuntimeException e) {
      log.warn("{} outputs were not compared with others", stored.size(), e);
    }
  }

  /**
   * A failure here loses no evidence, only the nudge: the operation's own due time comes anyway.
   */
  private void tellLate(List<Entry> batch, Map<OperationKey, String> late) {
    try {
      Set<OperationKey> suspected = store.lateEvidence(late);
      for (Entry entry : batch) {
        if (suspected.contains(entry.change.key())) {
          tell(() -> listener.suspectedDuplicate(entry.change));
        }
      }
    } catch (StoreUnavailable | CommitNotReplicated e) {
      log.warn("late evidence of {} operations woke nobody: {}", late.size(), e.getMessage());
    } catch (RuntimeException e) {
      log.error("late evidence of {} operations woke nobody", late.size(), e);
    }
  }

  /** What others do when they hear of a change must not end the writer, nor the batch. */
  private static void tell(Runnable listener) {
    try {
      listener.run();
    } catch (RuntimeException e) {
      log.error("a listener failed; the changes are stored all the same", e);
    }
  }

  @FunctionalInterface
  private interface Alone {
    void run(Entry entry) throws InterruptedException;
  }

  /**
   * A batch that cannot be stored whole is stored one by one; the one that cannot be stored alone
   * is handled alone.
   */
  private void apart(List<Entry> batch, Alone alone) throws InterruptedException {
    if (batch.size() == 1) {
      alone.run(batch.getFirst());
      return;
    }
    for (Entry entry : batch) {
      store(List.of(entry));
    }
  }

  private void refuse(Entry entry, RuntimeException why) {
    log.error(
        "change of {} was refused by the database; its operation is left to the sweep",
        entry.change.key(),
        why);
    tell(() -> listener.refused(entry.change, why));
    tell(entry.done);
  }

  /**
   * The provider names one task for two operations: which of them it belongs to is for a person to
   * say.
   */
  private static Change taken(Change change) {
    Evidence seen = change.evidence();
    return new Change(
        change.key(),
        change.seq(),
        change.provider(),
        change.fence(),
        change.claim(),
        change.from(),
        OperationState.UNKNOWN,
        Code.REMOTE_ID_TAKEN,
        Code.REMOTE_ID_TAKEN,
        null,
        change.wakeAfter(),
        null,
        new Evidence(
            seen.id(),
            seen.source(),
            Code.REMOTE_ID_TAKEN,
            seen.status(),
            seen.remoteId(),
            "the remote id belongs to another operation",
            seen.headers(),
            seen.body(),
            seen.truncated()));
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
