package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The few administrative calls that are ours to make. */
final class KafkaAdmin {
  private static final Duration PROBE = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(50);

  private KafkaAdmin() {}

  /** Whether the broker serves and the controller has let it in. */
  static boolean answers(String bootstrapServers) {
    try (Admin admin = admin(bootstrapServers, PROBE)) {
      return !get(admin.describeCluster().nodes(), PROBE).isEmpty();
    } catch (ExecutionException | TimeoutException _) {
      return false; // not up yet
    }
  }

  static void createTopics(String bootstrapServers, int partitions, Collection<String> names) {
    List<NewTopic> topics =
        names.stream()
            .map(name -> new NewTopic(name, Optional.of(partitions), Optional.of((short) 1)))
            .toList();
    try (Admin admin = admin(bootstrapServers, PATIENCE)) {
      for (KafkaFuture<Void> created : admin.createTopics(topics).values().values()) {
        createdOrThere(created);
      }
      awaitLeaders(admin, names);
    } catch (ExecutionException | TimeoutException e) {
      throw new ServicesException(
          Reason.REQUEST_FAILED,
          "Kafka at %s did not create topics %s".formatted(bootstrapServers, names),
          e);
    }
  }

  private static void createdOrThere(KafkaFuture<Void> created)
      throws ExecutionException, TimeoutException {
    try {
      get(created, PATIENCE);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  private static void awaitLeaders(Admin admin, Collection<String> names)
      throws ExecutionException, TimeoutException {
    Deadline deadline = Deadline.in(PATIENCE);
    while (!led(admin, names)) {
      if (deadline.passed()) {
        throw new TimeoutException("some partitions have no leader after " + PATIENCE);
      }
      pause();
    }
  }

  private static boolean led(Admin admin, Collection<String> names)
      throws ExecutionException, TimeoutException {
    try {
      return get(admin.describeTopics(names).allTopicNames(), PATIENCE).values().stream()
          .map(TopicDescription::partitions)
          .flatMap(List::stream)
          .allMatch(partition -> partition.leader() != null && !partition.leader().isEmpty());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false; // the broker has not heard of it from the controller yet
      }
      throw e;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      throw ServicesException.interrupted("waiting for topics", e);
    }
  }

  private static <T> T get(KafkaFuture<T> future, Duration timeout)
      throws ExecutionException, TimeoutException {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw ServicesException.interrupted("waiting for Kafka", e);
    }
  }

  private static Admin admin(String bootstrapServers, Duration timeout) {
    int millis = Math.toIntExact(timeout.toMillis());
    return Admin.create(
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis));
  }
}
