package dev.tollgate.loadtest.demo;

import dev.tollgate.schema.kafka.Clients;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** What a topic holds and what a group has not acknowledged yet. Not for use by several threads. */
final class Backlog implements AutoCloseable {
  private static final int ANSWER_SECONDS_MAX = 20;

  private final Admin admin;

  Backlog(Clients kafka) {
    this.admin = kafka.admin();
  }

  /** Records of a topic so far. */
  long size(String topic) {
    return ends(topic).values().stream().mapToLong(Long::longValue).sum();
  }

  /** Records of a topic that a group has not acknowledged. */
  long left(String group, String topic) {
    Map<TopicPartition, OffsetAndMetadata> committed =
        get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    long left = 0;
    for (Map.Entry<TopicPartition, Long> end : ends(topic).entrySet()) {
      OffsetAndMetadata at = committed.get(end.getKey());
      left += end.getValue() - (at == null ? 0 : at.offset());
    }
    return left;
  }

  private Map<TopicPartition, Long> ends(String topic) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (TopicDescription topicNow :
        get(admin.describeTopics(List.of(topic)).allTopicNames()).values()) {
      topicNow
          .partitions()
          .forEach(
              info -> asked.put(new TopicPartition(topic, info.partition()), OffsetSpec.latest()));
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    get(admin.listOffsets(asked).all()).forEach((at, info) -> ends.put(at, info.offset()));
    return ends;
  }

  private static <T> T get(org.apache.kafka.common.KafkaFuture<T> answer) {
    try {
      return answer.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the broker was asked", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the broker does not answer", e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
