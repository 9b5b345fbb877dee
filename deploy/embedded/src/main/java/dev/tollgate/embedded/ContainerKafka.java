package dev.tollgate.embedded;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.testcontainers.kafka.KafkaContainer;

/** A Kafka broker as a container. Thread-safe. */
final class ContainerKafka implements KafkaBroker {
  private static final String IMAGE = "apache/kafka:4.3.1";
  private static final int PORT = 9092;

  /** Testcontainers wires the listeners itself. */
  private static final Set<String> NOT_OURS =
      Set.of(
          "process.roles",
          "node.id",
          "controller.listener.names",
          "inter.broker.listener.name",
          "listener.security.protocol.map");

  /**
   * The first start is Testcontainers' own: wait for its script, which formats the storage and
   * writes the configuration. A restart uses what that left behind, since formatting twice fails.
   */
  private static final String COMMAND =
      """
      if [ -f /tmp/formatted ]; then
        exec /opt/kafka/bin/kafka-server-start.sh /opt/kafka/config/server.properties
      fi
      while [ ! -f /tmp/testcontainers_start.sh ]; do sleep 0.1; done
      touch /tmp/formatted
      exec /tmp/testcontainers_start.sh
      """;

  private final ManagedContainer server;

  private ContainerKafka(ManagedContainer server) {
    this.server = server;
  }

  static ContainerKafka start(ServicesOptions options) {
    Map<String, String> settings = new TreeMap<>(KafkaSettings.DEFAULTS);
    settings.keySet().removeAll(NOT_OURS);
    settings.putAll(options.kafkaSettings());
    KafkaContainer container = new KafkaContainer(IMAGE);
    settings.forEach((name, value) -> container.withEnv(variable(name), value));
    container.setCommand("sh", "-c", COMMAND);
    container.withEnv("KAFKA_HEAP_OPTS", "-Xmx" + options.kafkaHeapMb() + "m");
    ManagedContainer server =
        new ManagedContainer("Kafka", container, PORT, options.kafkaPort(), options.startTimeout());
    ContainerKafka kafka = new ContainerKafka(server);
    server.startFirst(kafka::answers);
    return kafka;
  }

  /** As the image reads its settings. */
  private static String variable(String setting) {
    return "KAFKA_" + setting.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  private boolean answers() {
    return KafkaAdmin.answers(bootstrapServers());
  }

  @Override
  public String bootstrapServers() {
    return server.host() + ":" + server.port();
  }

  @Override
  public void createTopics(int partitions, Collection<String> names) {
    KafkaAdmin.createTopics(bootstrapServers(), partitions, names);
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public boolean isUp() {
    return server.isUp();
  }

  @Override
  public void start() {
    server.start(this::answers);
  }

  @Override
  public void pause() {
    server.freeze();
  }

  @Override
  public void resume() {
    server.thaw();
  }

  @Override
  public void close() {
    server.close();
  }
}
