package dev.tollgate.schema.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Who reads which partitions of a topic, and how much is left to read. Immutable.
 *
 * @param state the broker's word for the group's state
 * @param lag records that are not committed yet, by partition; all that Kafka has of a partition of
 *     which nothing is committed
 */
public record GroupStanding(String state, List<Member> members, Map<Integer, Long> lag) {
  /**
   * A member of the group.
   *
   * @param name the client's id
   * @param partitions those of the topic that it was given
   */
  public record Member(
      String name, String host, Optional<String> instanceId, Set<Integer> partitions) {}

  /** What no member was given. */
  public Set<Integer> unread() {
    Set<Integer> unread = new TreeSet<>(lag.keySet());
    members.forEach(member -> unread.removeAll(member.partitions()));
    return unread;
  }

  /**
   * Asks the broker.
   *
   * @param partitions how many the topic has
   * @param timeoutMs for each of the questions, of which there are four at the most
   * @throws ExecutionException with what the broker or the client said as its cause
   */
  public static GroupStanding read(
      Admin admin, String group, String topic, int partitions, int timeoutMs)
      throws ExecutionException, InterruptedException {
    String state = "Dead";
    List<Member> members = new ArrayList<>();
    try {
      KafkaFuture<ConsumerGroupDescription> asked =
          admin
              .describeConsumerGroups(
                  List.of(group), new DescribeConsumerGroupsOptions().timeoutMs(timeoutMs))
              .describedGroups()
              .get(group);
      ConsumerGroupDescription described = Objects.requireNonNull(asked).get();
      state = described.groupState().toString();
      described.members().forEach(member -> members.add(member(member, topic)));
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw e;
      }
    }
    return new GroupStanding(
        state, List.copyOf(members), lag(admin, group, topic, partitions, timeoutMs));
  }

  private static Member member(MemberDescription member, String topic) {
    Set<Integer> partitions = new TreeSet<>();
    for (TopicPartition partition : member.assignment().topicPartitions()) {
      if (partition.topic().equals(topic)) {
        partitions.add(partition.partition());
      }
    }
    return new Member(member.clientId(), member.host(), member.groupInstanceId(), partitions);
  }

  private static Map<Integer, Long> lag(
      Admin admin, String group, String topic, int partitions, int timeoutMs)
      throws ExecutionException, InterruptedException {
    Set<TopicPartition> all = new HashSet<>();
    for (int n = 0; n < partitions; n++) {
      all.add(new TopicPartition(topic, n));
    }
    // asked for first: what is written meanwhile makes a lag too large, never negative
    Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    try {
      KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> asked =
          admin
              .listConsumerGroupOffsets(
                  group, new ListConsumerGroupOffsetsOptions().timeoutMs(timeoutMs))
              .partitionsToOffsetAndMetadata();
      committed.putAll(asked.get());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw e;
      }
    }
    Map<TopicPartition, Long> first = offsets(admin, all, OffsetSpec.earliest(), timeoutMs);
    Map<TopicPartition, Long> end = offsets(admin, all, OffsetSpec.latest(), timeoutMs);
    Map<Integer, Long> lag = new TreeMap<>();
    for (TopicPartition partition : all) {
      OffsetAndMetadata at = committed.get(partition);
      long from = first.getOrDefault(partition, 0L);
      long read = at == null ? from : Math.max(at.offset(), from);
      lag.put(partition.partition(), Math.max(0, end.getOrDefault(partition, read) - read));
    }
    return lag;
  }

  private static Map<TopicPartition, Long> offsets(
      Admin admin, Set<TopicPartition> partitions, OffsetSpec spec, int timeoutMs)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    admin
        .listOffsets(
            partitions.stream().collect(Collectors.toMap(Function.identity(), _ -> spec)),
            new ListOffsetsOptions().timeoutMs(timeoutMs))
        .all()
        .get()
        .forEach((partition, info) -> offsets.put(partition, info.offset()));
    return offsets;
  }
}
