package dev.tollgate.cli.dlt;

import dev.tollgate.schema.kafka.Clients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads a dead-letter topic without a trace: no group, no commit. Not for use by several threads.
 */
public final class DeadLetterTopic implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final String topic;
  private final UUID id;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final LongSupplier nanoTime;
  private final List<TopicPartition> partitions;
  private final Map<TopicPartition, Long> ends;

  /**
   * Opens a topic; what is written to it later is not seen.
   *
   * @param id Kafka's id of it
   */
  public DeadLetterTopic(Clients clients, String topic, UUID id, LongSupplier nanoTime) {
    this.topic = topic;
    this.id = id;
    this.nanoTime = nanoTime;
    this.consumer = clients.reader(Map.of());
    try {
      this.partitions =
          consumer.partitionsFor(topic, PATIENCE).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      this.ends = consumer.endOffsets(partitions, PATIENCE);
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
  }

  public String topic() {
    return topic;
  }

  /** Kafka's id of the topic: one that is deleted and made again has another. */
  public UUID id() {
    return id;
  }

  /** The offset behind the last letter that is seen, by partition. */
  public Map<Integer, Long> ends() {
    return byNumber(ends);
  }

  /** The first offset that Kafka still has, by partition. */
  public Map<Integer, Long> firsts() {
    return byNumber(consumer.beginningOffsets(partitions, PATIENCE));
  }

  private static Map<Integer, Long> byNumber(Map<TopicPartition, Long> offsets) {
    Map<Integer, Long> byNumber = new TreeMap<>();
    offsets.forEach((partition, offset) -> byNumber.put(partition.partition(), offset));
    return byNumber;
  }

  /**
   * Hands every letter to a reader, each partition in order.
   *
   * @throws TimeoutException when the broker stops answering
   */
  public void forEach(Consumer<DeadLetter> reader) {
    forEachWhile(
        letter -> {
          reader.accept(letter);
          return true;
        });
  }

  /**
   * Hands letters to a reader until it has enough, each partition in order.
   *
   * @throws TimeoutException when the broker stops answering
   */
  public void forEachWhile(Predicate<DeadLetter> reader) {
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    long lastProgress = nanoTime.getAsLong();
    while (partitions.stream().anyMatch(this::behind)) {
      boolean any = false;
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        any = true;
        if (record.offset() < end(new TopicPartition(topic, record.partition()))
            && !reader.test(new DeadLetter(record))) {
          return;
        }
      }
      long now = nanoTime.getAsLong();
      if (any) {
        lastProgress = now;
      } else if (now - lastProgress > PATIENCE.toNanos()) {
        throw new TimeoutException(
            "no records of " + topic + " within " + PATIENCE.toSeconds() + " s");
      }
    }
  }

  /** The letter at a place; empty if none lies there. */
  public Optional<DeadLetter> at(Place place) {
    TopicPartition partition = new TopicPartition(topic, place.partition());
    if (!partitions.contains(partition) || place.offset() >= end(partition)) {
      return Optional.empty();
    }
    consumer.assign(List.of(partition));
    long first =
        consumer.beginningOffsets(List.of(partition), PATIENCE).getOrDefault(partition, 0L);
    if (place.offset() < first) {
      return Optional.empty();
    }
    consumer.seek(partition, place.offset());
    long began = nanoTime.getAsLong();
    while (nanoTime.getAsLong() - began < PATIENCE.toNanos()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        return record.offset() == place.offset()
            ? Optional.of(new DeadLetter(record))
            : Optional.empty(); // nothing lies there any more
      }
    }
    throw new TimeoutException("no record of " + topic + " within " + PATIENCE.toSeconds() + " s");
  }

  private boolean behind(TopicPartition partition) {
    return consumer.position(partition, PATIENCE) < end(partition);
  }

  private long end(TopicPartition partition) {
    return ends.getOrDefault(partition, 0L);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
