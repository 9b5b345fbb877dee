package dev.tollgate.worker.intake;

import dev.tollgate.schema.health.Vitals;
import dev.tollgate.schema.kafka.Brokers;
import dev.tollgate.schema.kafka.DeadLetters;
import dev.tollgate.worker.loop.Backoff;
import dev.tollgate.worker.loop.Loop;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns the consumer: polls, hands each batch to {@link Intake}, and commits
 * offsets of what is durable. Start and close from any thread.
 */
public final class IntakeLoop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(IntakeLoop.class);
  private static final Duration POLL = Duration.ofMillis(500);

  /** Batches of which nothing needs to be committed yet. */
  public static final int AHEAD_BATCHES = 2;

  private static final Duration COMMIT_WITHIN = Duration.ofSeconds(5);
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final Duration RETRY_MAX = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final String deadLetterTopic;
  private final DeadLetters deadLetters;
  private final IntakePositions positions;
  private final BooleanSupplier full;
  private final IntakeListener listener;
  private final LongSupplier nanoTime;
  private final IntakeLag lag;
  private final Loop loop;

  /** Written by the loop's thread, read by health checks. */
  private volatile long lastPollNanos;

  /** Set once, before the loop starts: it needs {@link #await}. */
  private @Nullable Intake intake;

  /** Loop's thread only: polled and not yet durable as a whole. */
  private IntakePositions.@Nullable Batch pending;

  /**
   * Loop's thread only: partitions that were taken away since the batch was polled. What it holds
   * of them is stored, but where they go on is said by whoever has them now, this process included.
   */
  private final Set<TopicPartition> left = new HashSet<>();

  /** Loop's thread only: where each owned partition goes on, as far as it is durable. */
  private final Map<TopicPartition, OffsetAndMetadata> durable = new HashMap<>();

  /** Read by whoever writes down how far intake has come. */
  private volatile Map<Integer, Long> progress = Map.of();

  /** Loop's thread only: commits that were sent, and the newest that was acknowledged. */
  private long commits;

  private long acknowledged;

  /** Loop's thread only. */
  private boolean paused;

  /**
   * Takes the consumer over: nobody else may use it from now on.
   *
   * @param positions where each partition goes on
   * @param full whether enough is waiting in the database: then the log holds the rest
   */
  public IntakeLoop(
      Consumer<byte[], byte[]> consumer,
      String topic,
      String deadLetterTopic,
      DeadLetters deadLetters,
      IntakePositions positions,
      BooleanSupplier full,
      IntakeListener listener,
      IntakeLag lag,
      LongSupplier nanoTime) {
    this.consumer = consumer;
    this.topic = topic;
    this.deadLetterTopic = deadLetterTopic;
    this.deadLetters = deadLetters;
    this.positions = positions;
    this.full = full;
    this.listener = listener;
    this.lag = lag;
    this.nanoTime = nanoTime;
    this.lastPollNanos = nanoTime.getAsLong();
    this.loop = new Loop("intake", Duration.ZERO, nanoTime, this::runOnce);
  }

  /** Starts reading the topic. */
  public void start(Intake with) {
    this.intake = with;
    consumer.subscribe(List.of(topic), new Rebalance());
    loop.start();
  }

  /** How long ago a poll or a batch last succeeded. */
  public Duration sinceProgress() {
    return loop.sinceProgress();
  }

  /**
   * Has its signs of life watched: its polls, which go on while a batch waits for the database, and
   * whether a broker can be spoken to.
   */
  public void watchedBy(Vitals vitals) {
    vitals.watch(
        "intake",
        () -> Duration.ofNanos(nanoTime.getAsLong() - lastPollNanos),
        this::sinceProgress);
    vitals.dependsOn(() -> Brokers.of(consumer));
  }

  private boolean runOnce() throws InterruptedException {
    try {
      if (pending == null) {
        if (!positions.unplaced().isEmpty()) {
          stayMember(); // the broker or the database may not answer for long
          positions.place(consumer);
        }
        pauseOrResume(full.getAsBoolean());
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
        lastPollNanos = nanoTime.getAsLong();
        left.clear();
        pending = polled.isEmpty() ? null : positions.polled(polled);
        lag.polled(consumer);
        if (pending != null) {
          lag.storing(polled);
        }
      } else {
        stayMember();
      }
      if (pending != null) {
        handle(pending);
        pending = null;
        lag.stored();
      }
      return true;
    } catch (WakeupException _) {
      return false; // closing
    }
  }

  private void handle(IntakePositions.Batch batch) throws InterruptedException {
    if (intake == null) {
      throw new IllegalStateException("not started");
    }
    awaitCommits();
    long began = nanoTime.getAsLong();
    Intake.Taken taken = intake.take(batch.records(), batch::sentSince);
    deadLetters.write(deadLetterTopic, taken.letters());
    batch
        .records()
        .nextOffsets()
        .forEach(
            (partition, next) -> {
              if (!left.contains(partition)) {
                durable.put(partition, positions.marked(partition, next));
              }
            });
    commit();
    listener.batch(
        batch.records().count(),
        taken.stored(),
        taken.duplicates(),
        Duration.ofNanos(nanoTime.getAsLong() - began));
  }

  /** Not waited for: a commit that fails only means that durable records come again. */
  private void commit() {
    retainOwned();
    if (durable.isEmpty()) {
      return;
    }
    long number = ++commits;
    consumer.commitAsync(
        Map.copyOf(durable),
        (offsets, e) -> {
          if (e == null) {
            acknowledged = Math.max(acknowledged, number);
          } else {
            log.info(
                "offsets {} were not committed, their records come again: {}",
                offsets,
                e.toString());
          }
        });
  }

  private void retainOwned() {
    durable.keySet().retainAll(consumer.assignment());
    Map<Integer, Long> now = HashMap.newHashMap(durable.size());
    durable.forEach((partition, next) -> now.put(partition.partition(), next.offset()));
    progress = Map.copyOf(now);
  }

  /**
   * Goes on only when all commits but the newest are acknowledged: what is durable beyond the
   * committed offset stays within {@link #AHEAD_BATCHES} batches, which is what a history that is
   * lost is allowed for.
   */
  private void awaitCommits() {
    if (commits - acknowledged < AHEAD_BATCHES) {
      return;
    }
    retainOwned();
    if (!durable.isEmpty()) {
      consumer.commitSync(Map.copyOf(durable), COMMIT_WITHIN);
    }
    acknowledged = commits;
  }

  /** How far the partitions that are read here are durable: the next offset of each. */
  public Map<Integer, Long> progress() {
    return progress;
  }

  /**
   * Waits before the database or the broker is tried again, with the consumer's membership kept
   * alive.
   *
   * @param failures tries that failed so far
   */
  public void await(int failures) throws InterruptedException {
    stayMember();
    Duration pause = Backoff.of(failures, RETRY, RETRY_MAX);
    long until = nanoTime.getAsLong() + pause.toNanos();
    while (nanoTime.getAsLong() < until) {
      if (loop.closing()) {
        throw new InterruptedException("closing");
      }
      TimeUnit.MILLISECONDS.sleep(Math.min(50, pause.toMillis()));
    }
  }

  /** Polls without fetching: partitions are paused, those that come meanwhile too. */
  private void stayMember() {
    pauseOrResume(true);
    ConsumerRecords<byte[], byte[]> none = consumer.poll(Duration.ZERO);
    lastPollNanos = nanoTime.getAsLong();
    if (!none.isEmpty()) {
      throw new IllegalStateException("paused partitions returned records: " + none.partitions());
    }
  }

  private void pauseOrResume(boolean pause) {
    if (pause) {
      consumer.pause(consumer.assignment());
    } else {
      Set<TopicPartition> readable = new HashSet<>(consumer.paused());
      readable.removeAll(positions.unplaced());
      consumer.resume(readable);
    }
    if (pause != paused && pending == null) {
      log.info(pause ? "intake pauses: enough is waiting in the database" : "intake goes on");
    }
    paused = pause;
  }

  /** Ends the batch under way, commits what is durable, leaves the group. */
  @Override
  public void close() {
    consumer.wakeup();
    loop.close();
    try {
      commitLast();
    } finally {
      consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(COMMIT_WITHIN));
    }
  }

  private void commitLast() {
    if (durable.isEmpty()) {
      return;
    }
    try {
      try {
        consumer.commitSync(Map.copyOf(durable), COMMIT_WITHIN);
      } catch (WakeupException _) {
        // ours, where the loop was not waiting when it was called
        consumer.commitSync(Map.copyOf(durable), COMMIT_WITHIN);
      }
    } catch (KafkaException e) {
      log.info("last offsets were not committed, their records come again: {}", e.toString());
    }
  }

  /** Runs inside polls, on the loop's thread. */
  private final class Rebalance implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      positions.assigned(partitions);
      consumer.pause(partitions); // until it is known where each goes on
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      Map<TopicPartition, OffsetAndMetadata> last = new HashMap<>(durable);
      last.keySet().retainAll(partitions);
      try {
        if (!last.isEmpty()) {
          consumer.commitSync(last, COMMIT_WITHIN);
        }
      } catch (KafkaException e) {
        log.info(
            "offsets {} were not committed before revocation, their records come again: {}",
            last,
            e.toString());
      }
      durable.keySet().removeAll(partitions);
      positions.dropped(partitions);
      left.addAll(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      durable.keySet().removeAll(partitions);
      positions.dropped(partitions);
      left.addAll(partitions);
    }
  }
}
