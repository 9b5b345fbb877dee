package dev.tollgate.embedded;

import java.util.Map;

/** What a single small broker needs to differ from a cluster. */
final class KafkaSettings {
  /**
   * The session timeout is short because a broker that was killed is let in again only when the
   * session of its former life is over.
   */
  static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("process.roles", "broker,controller"),
          Map.entry("node.id", "1"),
          Map.entry("controller.listener.names", "CONTROLLER"),
          Map.entry("inter.broker.listener.name", "PLAINTEXT"),
          Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
          Map.entry("auto.create.topics.enable", "false"),
          Map.entry("offsets.topic.replication.factor", "1"),
          Map.entry("offsets.topic.num.partitions", "4"),
          Map.entry("transaction.state.log.replication.factor", "1"),
          Map.entry("transaction.state.log.min.isr", "1"),
          Map.entry("transaction.state.log.num.partitions", "4"),
          Map.entry("share.coordinator.state.topic.replication.factor", "1"),
          Map.entry("share.coordinator.state.topic.min.isr", "1"),
          Map.entry("share.coordinator.state.topic.num.partitions", "4"),
          Map.entry("group.initial.rebalance.delay.ms", "0"),
          Map.entry("broker.session.timeout.ms", "4000"),
          Map.entry("broker.heartbeat.interval.ms", "500"),
          Map.entry("log.cleaner.dedupe.buffer.size", "16777216"));

  /** To standard output, which is the broker's log file. */
  static final String LOGGING =
      """
      <configuration>
        <statusListener class="ch.qos.logback.core.status.NopStatusListener"/>
        <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
          <encoder>
            <pattern>%d %-5level [%thread] %logger: %msg%n</pattern>
          </encoder>
        </appender>
        <root level="INFO">
          <appender-ref ref="OUT"/>
        </root>
      </configuration>
      """;

  private KafkaSettings() {}
}
