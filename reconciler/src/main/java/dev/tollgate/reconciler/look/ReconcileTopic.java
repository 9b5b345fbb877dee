package dev.tollgate.reconciler.look;

import dev.tollgate.schema.event.DecodedReconcile;
import dev.tollgate.schema.event.ReconcileDecoder;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.health.Vitals;
import dev.tollgate.schema.kafka.Brokers;
import dev.tollgate.schema.kafka.DeadLetters;
import dev.tollgate.schema.kafka.DeadLetters.Letter;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Look;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.worker.loop.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes the reconcile topic: looks at once at what it names, as far as there is room; the rest
 * comes when due, and so does what is asked about together with others. What cannot be understood
 * becomes a dead letter before its offset is committed. One thread owns the consumer.
 */
public final class ReconcileTopic implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReconcileTopic.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final String deadLetterTopic;
  private final DeadLetters deadLetters;
  private final OperationStore store;
  private final Investigator investigator;
  private final Duration lease;

  /** Providers whose operations are not looked at one by one: many share a call when due. */
  private final Set<String> shared;

  private final Semaphore room;
  private final LookPace pace;
  private final Supplier<UUID> claimIds;
  private final Loop loop;

  /** Loop's thread only: polled and not yet handled. */
  private @Nullable ConsumerRecords<byte[], byte[]> pending;

  /** Where the topic is and where its dead letters go. */
  public record Source(String topic, String deadLetterTopic, DeadLetters deadLetters) {}

  public ReconcileTopic(
      Consumer<byte[], byte[]> consumer,
      Source source,
      OperationStore store,
      Investigator investigator,
      Duration lease,
      int concurrency,
      LookPace pace,
      Supplier<UUID> claimIds,
      LongSupplier nanoTime) {
    this.consumer = consumer;
    this.topic = source.topic();
    this.deadLetterTopic = source.deadLetterTopic();
    this.deadLetters = source.deadLetters();
    this.store = store;
    this.investigator = investigator;
    this.lease = lease;
    this.shared =
        investigator.providers().stream()
            .filter(investigator::shares)
            .collect(Collectors.toUnmodifiableSet());
    this.room = new Semaphore(concurrency);
    this.pace = pace;
    this.claimIds = claimIds;
    this.loop = new Loop("reconcile-topic", Duration.ZERO, nanoTime, this::runOnce);
  }

  public void start() {
    consumer.subscribe(List.of(topic));
    loop.start();
  }

  /** Has its signs of life watched, and whether a broker can be spoken to. */
  public void watchedBy(Vitals vitals) {
    loop.watchedBy(vitals);
    vitals.dependsOn(() -> Brokers.of(consumer));
  }

  private boolean runOnce() throws InterruptedException {
    try {
      if (pending == null) {
        pending = consumer.poll(POLL);
      }
      if (!pending.isEmpty()) {
        handle(pending);
      }
      pending = null;
      return true;
    } catch (WakeupException _) {
      return false; // closing
    }
  }

  private void handle(ConsumerRecords<byte[], byte[]> records) throws InterruptedException {
    List<Letter> letters = new ArrayList<>();
    Set<OperationKey> keys = new LinkedHashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      switch (ReconcileDecoder.decode(record.key(), record.value(), record.headers())) {
        case DecodedReconcile.Reconcile reconcile -> keys.add(reconcile.event().key());
        case Refused refused -> letters.add(new Letter(record, refused.code(), refused.message()));
      }
    }
    deadLetters.write(deadLetterTopic, letters);
    look(keys);
    consumer.commitAsync(
        records.nextOffsets(),
        (offsets, e) -> {
          if (e != null) {
            log.info(
                "offsets {} were not committed, their records come again: {}",
                offsets,
                e.toString());
          }
        });
  }

  private void look(Set<OperationKey> keys) {
    if (!pace.isSteady()) {
      return; // an event does not name its provider; what it names is looked at when it is due
    }
    List<OperationKey> now = keys.stream().limit(room.availablePermits()).toList();
    for (Look look : store.look(now, shared, claimIds.get(), lease)) {
      room.acquireUninterruptibly(); // never waits: only this thread takes permits
      investigator.investigate(look, room::release);
    }
  }

  @Override
  public void close() {
    consumer.wakeup();
    loop.close();
    consumer.close(CloseOptions.timeout(CLOSE_WITHIN));
  }
}
