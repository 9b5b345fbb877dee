package dev.tollgate.schema.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;

/**
 * How a process is a member of its consumer group. Immutable.
 *
 * <p>With either protocol the hand-over is cooperative: a partition that stays where it is goes on
 * being read while others move.
 *
 * @param instanceId makes a static member: one that comes back under this name before its session
 *     is over gets its partitions back without a rebalance. Unique within the group
 */
public record Membership(Protocol protocol, Optional<String> instanceId) {
  /** Who hands out the partitions. */
  public enum Protocol {
    /** One of the members does. Every broker knows it, and the client says how long it may die. */
    CLASSIC,
    /** The broker does (KIP-848): brokers from 4.0. */
    CONSUMER
  }

  /**
   * Until it is over, nobody reads what a dead member was assigned. Kafka's 45 s are for consumers
   * that an unneeded rebalance costs more than it costs these: a second reading of a record.
   */
  private static final int SESSION_MS = 10_000;

  /** A static member is waited for instead: a process needs this long to come back. */
  private static final int STATIC_SESSION_MS = 45_000;

  /** With the protocol of the broker, the broker's settings say these, and clients may not. */
  private static final Set<String> BROKERS =
      Set.of(
          ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
          ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);

  private static final String PREFIX = "tollgate.kafka.client.\"";

  /** What the members of no configured group are. */
  public static Membership usual() {
    return new Membership(Protocol.CLASSIC, Optional.empty());
  }

  /** What a consumer is given for it. */
  Map<String, Object> settings() {
    Map<String, Object> settings = new HashMap<>();
    switch (protocol) {
      case CLASSIC -> {
        settings.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        settings.put(
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            CooperativeStickyAssignor.class.getName());
        settings.put(
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            instanceId.isPresent() ? STATIC_SESSION_MS : SESSION_MS);
      }
      case CONSUMER -> settings.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "consumer");
    }
    instanceId.ifPresent(id -> settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id));
    return settings;
  }

  /**
   * What is wrong with client settings from outside, beside this membership: each names the setting
   * and says what to do.
   */
  public List<String> contradictions(Map<String, String> client) {
    List<String> found = new ArrayList<>();
    instead(client, ConsumerConfig.GROUP_PROTOCOL_CONFIG, "tollgate.kafka.group-protocol", found);
    instead(client, ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, "tollgate.kafka.instance-id", found);
    for (String name : BROKERS) {
      if (protocol == Protocol.CONSUMER && client.containsKey(name)) {
        found.add(
            "%s%s\" cannot be set with tollgate.kafka.group-protocol=consumer: there it is a setting of the broker's, or of the group's"
                .formatted(PREFIX, name));
      }
    }
    if (protocol == Protocol.CLASSIC
        && client.containsKey(ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG)) {
      found.add(
          "%s%s\" cannot be set with tollgate.kafka.group-protocol=classic: a member assigns there"
              .formatted(PREFIX, ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG));
    }
    if (instanceId.isPresent() && instanceId.get().isBlank()) {
      found.add("tollgate.kafka.instance-id is blank");
    }
    found.sort(null);
    return found;
  }

  private static void instead(
      Map<String, String> client, String name, String setting, List<String> found) {
    if (client.containsKey(name)) {
      found.add("%s%s\" cannot be set: use %s".formatted(PREFIX, name, setting));
    }
  }
}
