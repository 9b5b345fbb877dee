package dev.tollgate.schema.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes clients from a cluster's address and further settings. Immutable. */
public final class Clients {
  /** What a setting from outside may not change, and why. */
  private static final Map<String, String> FIXED =
      Map.of(
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          "offsets are committed after the database has committed",
          ProducerConfig.ACKS_CONFIG,
          "a dead letter is acknowledged by every replica before its offset is committed",
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          "a retry of the client must not reorder or repeat",
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          "nothing rests on a transaction of Kafka: events are relayed until they are acknowledged,"
              + " and repeats are dropped by their event id");

  private static final Set<String> RESETS = Set.of("earliest", "none");

  private final String bootstrapServers;
  private final Map<String, String> settings;

  /**
   * @param settings further client settings (security, sizes, times), given to every client
   * @throws IllegalArgumentException naming each setting that would break a rule
   */
  public Clients(String bootstrapServers, Map<String, String> settings) {
    this.bootstrapServers = bootstrapServers;
    this.settings = Map.copyOf(settings);
    StringBuilder wrong = new StringBuilder();
    FIXED.forEach(
        (name, why) -> {
          if (settings.containsKey(name)) {
            wrong.append(name).append(" cannot be set: ").append(why).append("; ");
          }
        });
    String reset = settings.getOrDefault(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    if (!RESETS.contains(reset)) {
      wrong
          .append(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG)
          .append(" is ")
          .append(reset)
          .append(", which skips intents that were never read: use earliest or none; ");
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("refusing to start: " + wrong);
    }
  }

  /**
   * A member of a group that commits only when told.
   *
   * @param further settings of this consumer
   */
  public KafkaConsumer<byte[], byte[]> consumer(String group, Map<String, Object> further) {
    return consumer(group, Membership.usual(), further);
  }

  /**
   * A member of a group that commits only when told.
   *
   * @param further settings of this consumer
   */
  public KafkaConsumer<byte[], byte[]> consumer(
      String group, Membership membership, Map<String, Object> further) {
    Map<String, Object> config = base();
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.putAll(membership.settings());
    config.putAll(further);
    config.putAll(known(ConsumerConfig.configNames()));
    config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * A consumer that belongs to no group: what it reads, and from where, it is told.
   *
   * @param further settings of this consumer
   */
  public KafkaConsumer<byte[], byte[]> reader(Map<String, Object> further) {
    Map<String, Object> config = base();
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.putAll(further);
    config.putAll(known(ConsumerConfig.configNames()));
    config.remove(ConsumerConfig.GROUP_ID_CONFIG);
    config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** A producer whose acknowledgement means that every in-sync replica has the record. */
  public KafkaProducer<byte[], byte[]> producer(Map<String, Object> further) {
    Map<String, Object> config = base();
    config.putAll(further);
    config.putAll(known(ProducerConfig.configNames()));
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  public Admin admin() {
    Map<String, Object> config = base();
    config.putAll(known(org.apache.kafka.clients.admin.AdminClientConfig.configNames()));
    return Admin.create(config);
  }

  private Map<String, Object> base() {
    Map<String, Object> config = new HashMap<>();
    config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    return config;
  }

  private Map<String, Object> known(Set<String> names) {
    Map<String, Object> known = new HashMap<>();
    settings.forEach(
        (name, value) -> {
          if (names.contains(name)) {
            known.put(name, value);
          }
        });
    return known;
  }
}
