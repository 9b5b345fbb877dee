package dev.tollgate.loadtest;

import dev.tollgate.schema.kafka.Clients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** What a test asks of the broker about one topic. Confined to the test's thread. */
public final class Topic {
  private static final Duration POLL = Duration.ofMillis(200);

  private final Clients clients;
  private final String name;

  Topic(Clients clients, String name) {
    this.clients = clients;
    this.name = name;
  }

  /** Every record that is there now. */
  public List<ConsumerRecord<byte[], byte[]>> records() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        clients.consumer("reader-" + UUID.randomUUID(), Map.of())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(name).stream()
              .map(info -> new TopicPartition(name, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
        consumer.poll(POLL).forEach(records::add);
      }
    }
    return records;
  }

  /** Committed offsets of a group, by partition; partitions without one are left out. */
  Map<Integer, Long> committed(String group) {
    Map<Integer, Long> offsets = new HashMap<>();
    try (Admin admin = clients.admin()) {
      get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
          .forEach(
              (partition, offset) -> {
                if (partition.topic().equals(name) && offset != null) {
                  offsets.put(partition.partition(), offset.offset());
                }
              });
    }
    return offsets;
  }

  void delete() {
    try (Admin admin = clients.admin()) {
      get(admin.deleteTopics(List.of(name)).all());
    }
  }

  void configure(String setting, String value) {
    try (Admin admin = clients.admin()) {
      get(
          admin
              .incrementalAlterConfigs(
                  Map.of(
                      new ConfigResource(ConfigResource.Type.TOPIC, name),
                      List.of(
                          new AlterConfigOp(
                              new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
              .all());
    }
  }

  private static <T> T get(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
