package dev.tollgate.schema.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.embedded.SharedServices;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Members of a group on a real broker, with both protocols. One thread polls them all. */
final class MembershipIT {
  private static final Duration POLL = Duration.ofMillis(20);

  private final String topic =
      SharedServices.topicPrefix(MembershipIT.class) + "-" + UUID.randomUUID();
  private final Clients clients = new Clients(SharedServices.kafka().bootstrapServers(), Map.of());

  /** One member, and what it was told of its partitions. */
  private final class Member implements ConsumerRebalanceListener {
    final KafkaConsumer<byte[], byte[]> consumer;
    final Set<TopicPartition> revoked = new HashSet<>();
    int rebalances;

    Member(Membership.Protocol protocol, Optional<String> instanceId) {
      consumer = clients.consumer(topic, new Membership(protocol, instanceId), Map.of());
      consumer.subscribe(List.of(topic), this);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      rebalances++;
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      rebalances++;
      revoked.addAll(partitions);
    }

    Set<Integer> owned() {
      Set<Integer> owned = new TreeSet<>();
      consumer.assignment().forEach(partition -> owned.add(partition.partition()));
      return owned;
    }

    void close() {
      consumer.close(CloseOptions.timeout(Duration.ofSeconds(5)));
    }
  }

  private static void poll(Member... members) {
    for (Member member : members) {
      assertThat(member.consumer.poll(POLL)).isEmpty();
    }
  }

  private static void until(java.util.function.BooleanSupplier settled, Member... members) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .pollInSameThread()
        .until(
            () -> {
              poll(members);
              return settled.getAsBoolean();
            });
  }

  @ParameterizedTest
  @EnumSource
  void secondMember_getsHalf_andTheFirstGivesUpNoMore(Membership.Protocol protocol) {
    SharedServices.kafka().createTopics(4, List.of(topic));
    Member first = new Member(protocol, Optional.empty());
    Member second = new Member(protocol, Optional.empty());
    try {
      until(() -> first.owned().size() == 4, first);
      until(() -> first.owned().size() == 2 && second.owned().size() == 2, first, second);
      assertThat(first.revoked).as("the others were read all the time").hasSize(2);
      second.close();
      until(() -> first.owned().size() == 4, first);
      assertThat(first.revoked).hasSize(2);
    } finally {
      first.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void staticMember_thatComesBack_causesNoRebalance(Membership.Protocol protocol) {
    SharedServices.kafka().createTopics(4, List.of(topic));
    Member stays = new Member(protocol, Optional.of("stays"));
    Member leaves = new Member(protocol, Optional.of("leaves"));
    until(() -> stays.owned().size() == 2 && leaves.owned().size() == 2, stays, leaves);
    Set<Integer> had = leaves.owned();
    int generation = stays.consumer.groupMetadata().generationId();
    int rebalances = stays.rebalances;
    leaves.close();
    Member back = new Member(protocol, Optional.of("leaves"));
    try {
      until(() -> back.owned().size() == 2, stays, back);
      assertThat(back.owned()).isEqualTo(had);
      assertThat(stays.rebalances).isEqualTo(rebalances);
      assertThat(stays.consumer.groupMetadata().generationId()).isEqualTo(generation);
    } finally {
      stays.close();
      back.close();
    }
  }
}
