package dev.tollgate.cli;

import static org.awaitility.Awaitility.await;

import dev.tollgate.embedded.SharedServices;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;

/** Topics of a test's own on the shared broker, and a configuration file that names them. */
final class KafkaStage implements AutoCloseable {
  final Topics topics;
  final Path config;
  final KafkaProducer<byte[], byte[]> producer;
  private final Clients clients;

  private KafkaStage(Topics topics, Path config, Clients clients) {
    this.topics = topics;
    this.config = config;
    this.clients = clients;
    this.producer = clients.producer(Map.of());
  }

  /**
   * @param further lines of the configuration
   */
  static KafkaStage open(Class<?> owner, Path folder, String further) throws IOException {
    Topics topics = new Topics(SharedServices.topicPrefix(owner));
    String servers = SharedServices.kafka().bootstrapServers();
    SharedServices.kafka().createTopics(2, topics.all());
    Path config = folder.resolve("tollgate.properties");
    Files.writeString(
        config,
        """
        tollgate.kafka.bootstrap-servers=%s
        tollgate.kafka.topic-prefix=%s
        %s
        """
            .formatted(servers, topics.prefix(), further));
    return new KafkaStage(topics, config, new Clients(servers, Map.of()));
  }

  /** Deletes a topic and makes one of the same name. */
  void makeAgain(String topic) throws InterruptedException, ExecutionException {
    try (Admin admin = clients.admin()) {
      admin.deleteTopics(List.of(topic)).all().get();
    }
    await()
        .ignoreExceptions()
        .untilAsserted(() -> SharedServices.kafka().createTopics(2, List.of(topic)));
  }

  /** All records of a topic, each partition in order. */
  List<ConsumerRecord<byte[], byte[]>> records(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = clients.consumer("test-reader", Map.of())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
