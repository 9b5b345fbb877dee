package dev.tollgate.schema.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class MembershipTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CLASSIC  | session.timeout.ms            |
          CLASSIC  | heartbeat.interval.ms         |
          CLASSIC  | partition.assignment.strategy |
          CLASSIC  | max.poll.interval.ms          |
          CONSUMER | max.poll.interval.ms          |
          CONSUMER | group.remote.assignor         |
          CONSUMER | session.timeout.ms            | group-protocol=consumer: there it is a setting of the broker's
          CONSUMER | heartbeat.interval.ms         | group-protocol=consumer: there it is a setting of the broker's
          CONSUMER | partition.assignment.strategy | group-protocol=consumer: there it is a setting of the broker's
          CLASSIC  | group.remote.assignor         | group-protocol=classic: a member assigns there
          CLASSIC  | group.protocol                | use tollgate.kafka.group-protocol
          CONSUMER | group.protocol                | use tollgate.kafka.group-protocol
          CLASSIC  | group.instance.id             | use tollgate.kafka.instance-id
          CONSUMER | group.instance.id             | use tollgate.kafka.instance-id
          """)
  void clientSettings_areTakenWhereTheProtocolAllowsThem(
      Membership.Protocol protocol, String name, String refusal) {
    List<String> found =
        new Membership(protocol, Optional.empty()).contradictions(Map.of(name, "x"));
    if (refusal == null) {
      assertThat(found).isEmpty();
    } else {
      assertThat(found).singleElement().asString().contains(name, refusal);
    }
  }

  /** The client itself refuses what its protocol does not know. */
  @ParameterizedTest
  @EnumSource
  void ownSettings_areOnesThatTheClientTakes(Membership.Protocol protocol) {
    Membership membership = new Membership(protocol, Optional.of("pod-0"));
    try (KafkaConsumer<byte[], byte[]> consumer =
        new Clients("127.0.0.1:1", Map.of()).consumer("g", membership, Map.of())) {
      assertThat(consumer.groupMetadata().groupInstanceId()).contains("pod-0");
    }
  }
}
