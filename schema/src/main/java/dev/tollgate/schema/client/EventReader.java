package dev.tollgate.schema.client;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.DecodedResult;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.ResultDecoder;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.key.OperationKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads events and dead letters of all partitions, from a position that is fixed when it is opened.
 * The consumer is used by whoever opens it, then by the reading thread alone; close may be called
 * by any.
 */
final class EventReader implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventReader.class);

  /** What Kafka's clients allow a call too. */
  private static final Duration OPEN_WITHIN = Duration.ofSeconds(60);

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

  /** A topic may be given more partitions: what goes there is read late, not never. */
  private static final Duration PARTITIONS_EVERY = Duration.ofSeconds(30);

  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  private static final Map<String, Object> SETTINGS =
      Map.of(
          ConsumerConfig.METADATA_MAX_AGE_CONFIG,
          PARTITIONS_EVERY.toMillis(),
          ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
          250);

  private final Consumer<byte[], byte[]> consumer;
  private final Topics topics;
  private final Awaited awaited;
  private final LongSupplier nanoTime;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);

  // reading thread only
  private final Set<TopicPartition> partitions = new HashSet<>();
  private long partitionsAskedAt;

  private EventReader(
      Consumer<byte[], byte[]> consumer, Topics topics, Awaited awaited, LongSupplier nanoTime) {
    this.consumer = consumer;
    this.topics = topics;
    this.awaited = awaited;
    this.nanoTime = nanoTime;
    this.thread = Thread.ofPlatform().daemon().name("tollgate-client-reader").unstarted(this::run);
  }

  /**
   * A reader that has its position. What is published from now on is read.
   *
   * @param from events are read from this moment on, if there is one; dead letters from now on
   *     alone: one of an earlier try says nothing of the next
   * @throws ClientException.Unreachable if the topics do not answer, or are not there
   */
  static EventReader open(
      Clients clients,
      Topics topics,
      @Nullable Instant from,
      Awaited awaited,
      LongSupplier nanoTime) {
    Consumer<byte[], byte[]> consumer = clients.reader(SETTINGS);
    try {
      EventReader reader = new EventReader(consumer, topics, awaited, nanoTime);
      reader.position(from);
      reader.thread.start();
      return reader;
    } catch (KafkaException e) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
      throw new ClientException.Unreachable(
          "%s and %s cannot be read: %s".formatted(topics.events(), topics.requestsDlt(), e), e);
    } catch (ClientException.Unreachable e) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
      throw e;
    }
  }

  private void position(@Nullable Instant from) {
    for (String topic : List.of(topics.events(), topics.requestsDlt())) {
      List<TopicPartition> of = partitionsOf(topic);
      if (of.isEmpty()) {
        throw new ClientException.Unreachable("there is no topic " + topic, null);
      }
      partitions.addAll(of);
    }
    partitionsAskedAt = nanoTime.getAsLong();
    Map<TopicPartition, Long> starts = new HashMap<>(consumer.endOffsets(partitions, OPEN_WITHIN));
    if (from != null) {
      Map<TopicPartition, Long> since = new HashMap<>();
      for (TopicPartition partition : partitions) {
        if (partition.topic().equals(topics.events())) {
          since.put(partition, from.toEpochMilli());
        }
      }
      for (Map.Entry<TopicPartition, @Nullable OffsetAndTimestamp> found :
          consumer.offsetsForTimes(since, OPEN_WITHIN).entrySet()) {
        OffsetAndTimestamp first = found.getValue();
        if (first != null) { // else nothing is that young
          starts.put(found.getKey(), first.offset());
        }
      }
    }
    consumer.assign(partitions);
    starts.forEach(consumer::seek);
  }

  private List<TopicPartition> partitionsOf(String topic) {
    var infos = consumer.partitionsFor(topic, OPEN_WITHIN);
    return infos == null
        ? List.of()
        : infos.stream().map(info -> new TopicPartition(topic, info.partition())).toList();
  }

  private void run() {
    while (closed.getCount() > 0) {
      try {
        runOnce();
      } catch (WakeupException _) {
        // closing
      } catch (KafkaException e) {
        // the position stays, so nothing is left out however long this takes
        log.warn("results cannot be read; again in {}", PAUSE_AFTER_FAILURE, e);
        pause();
      }
    }
    consumer.close(CloseOptions.timeout(Duration.ZERO)); // there is no group to leave
  }

  private void pause() {
    try {
      boolean _ = closed.await(PAUSE_AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      // nobody interrupts this thread but a listener that does so by mistake; closed ends it
    }
  }

  private void runOnce() {
    morePartitions();
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      try {
        read(record);
      } catch (RuntimeException e) {
        // it must not keep those behind it from being heard
        log.error("{} was left out", place(record), e);
      }
    }
  }

  private void morePartitions() {
    long now = nanoTime.getAsLong();
    if (now - partitionsAskedAt < PARTITIONS_EVERY.toNanos()) {
      return;
    }
    partitionsAskedAt = now;
    List<TopicPartition> added = new ArrayList<>();
    for (String topic : List.of(topics.events(), topics.requestsDlt())) {
      added.addAll(partitionsOf(topic)); // from what the consumer knows already
    }
    added.removeAll(partitions);
    if (!added.isEmpty()) {
      partitions.addAll(added);
      consumer.assign(partitions); // those that stay keep their positions
      consumer.seekToBeginning(added);
    }
  }

  private void read(ConsumerRecord<byte[], byte[]> record) {
    if (record.topic().equals(topics.events())) {
      switch (ResultDecoder.decode(record.key(), record.value(), record.headers())) {
        case DecodedResult.Result result -> awaited.told(result.event());
        case Refused refused ->
            log.warn("{} is no result: {}; it is left out", place(record), refused.message());
      }
    } else {
      readLetter(record);
    }
  }

  private void readLetter(ConsumerRecord<byte[], byte[]> record) {
    OperationKey key = key(record.key());
    String eventId = DeadLetterHeaders.text(record.headers(), "ce_id");
    if (key == null || eventId == null) {
      return; // not one of a client's requests
    }
    String name = DeadLetterHeaders.text(record.headers(), DeadLetterHeaders.CODE);
    String message = DeadLetterHeaders.text(record.headers(), DeadLetterHeaders.MESSAGE);
    Code code =
        Arrays.stream(Code.values()).filter(c -> c.name().equals(name)).findFirst().orElse(null);
    awaited.refused(key, eventId, code, message == null ? "" : message);
  }

  private static @Nullable OperationKey key(byte @Nullable [] key) {
    if (key == null) {
      return null;
    }
    try {
      return OperationKey.parse(new String(key, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException _) {
      return null; // letters hold whatever was published
    }
  }

  private static String place(ConsumerRecord<byte[], byte[]> record) {
    return record.topic() + "-" + record.partition() + "@" + record.offset();
  }

  /** Ends the reading thread within a bound. Safe to call again. */
  @Override
  public void close() {
    closed.countDown();
    consumer.wakeup();
    if (Thread.currentThread().equals(thread)) {
      return; // what depends on a result closes the client
    }
    try {
      if (!thread.join(CLOSE_WITHIN)) {
        log.warn("the reading thread is still busy with what depends on a result");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
