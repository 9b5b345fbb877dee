package dev.tollgate.loadtest.audit;

import dev.tollgate.schema.kafka.Clients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads a topic from its beginning to where it ended when the reading began. Stateless. */
final class WholeTopic {
  private static final Duration POLL = Duration.ofMillis(200);

  /** Polls in a row that bring nothing, after which the broker counts as gone. */
  private static final int EMPTY_POLLS_MAX = 150;

  private WholeTopic() {}

  static void read(Clients kafka, String topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
    try (KafkaConsumer<byte[], byte[]> consumer = kafka.consumer("tollgate-audit", Map.of())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions); // no group: nothing is committed
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      int empty = 0;
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        var records = consumer.poll(POLL);
        empty = records.isEmpty() ? empty + 1 : 0;
        if (empty > EMPTY_POLLS_MAX) {
          throw new IllegalStateException("topic " + topic + " cannot be read to its end");
        }
        for (ConsumerRecord<byte[], byte[]> record : records) {
          each.accept(record);
        }
      }
    }
  }
}
