package dev.tollgate.worker.intake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * How far intake is behind the log, as the consumer knows it without asking a broker. Written by
 * the intake thread, read by any.
 */
public final class IntakeLag {
  private final InstantSource clock;
  private volatile long unread;
  private volatile boolean storing;
  private volatile @Nullable Instant oldest;

  /**
   * @param clock compared with the records' timestamps, which are a producer's or a broker's: for
   *     people, and decides nothing
   */
  public IntakeLag(InstantSource clock) {
    this.clock = clock;
  }

  /** Takes the consumer's own word on what it has not fetched. */
  void polled(Consumer<?, ?> consumer) {
    Collection<TopicPartition> owned = consumer.assignment();
    long sum = 0;
    for (TopicPartition partition : owned) {
      OptionalLong lag = consumer.currentLag(partition);
      sum += lag.isPresent() ? lag.getAsLong() : 0;
    }
    unread = sum;
  }

  /** A batch is about to be stored. */
  void storing(ConsumerRecords<byte[], byte[]> batch) {
    long first = Long.MAX_VALUE;
    for (ConsumerRecord<byte[], byte[]> record : batch) {
      first = Math.min(first, record.timestamp());
    }
    oldest = Instant.ofEpochMilli(first);
    storing = true;
  }

  /** That batch is durable. */
  void stored() {
    storing = false;
  }

  /** Records of the assigned partitions that were not fetched yet. */
  public long records() {
    return unread;
  }

  /**
   * Age of the oldest record of the last batch while there is something to read or to store: at
   * most a batch's span more than that of the first record which is not durable. Zero otherwise.
   */
  public Duration age() {
    Instant first = oldest;
    if (first == null || (unread == 0 && !storing)) {
      return Duration.ZERO;
    }
    Duration age = Duration.between(first, clock.instant());
    return age.isNegative() ? Duration.ZERO : age;
  }
}
