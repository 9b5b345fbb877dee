package dev.tollgate.cli;

import dev.tollgate.cli.serve.RedactedSettings;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.kafka.GroupStanding;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Looks whether the servers of a configuration answer, before a command rests on them: their own
 * clients would try for minutes, and then say something else.
 */
final class Reach {
  private static final int PATIENCE_SECONDS = 8;
  private static final String CONNECT_SECONDS = "5";
  private static final int CONNECT_MS = 5_000;

  private Reach() {}

  /**
   * PostgreSQL answers and has Tollgate's schema.
   *
   * @throws Failure otherwise
   */
  static void schema(TollgateConfig config) {
    try (Connection connection = connect(config);
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT to_regclass('operation') IS NOT NULL")) {
      if (!found.next() || !found.getBoolean(1)) {
        throw Failure.refused(
            "the database at %s has no Tollgate schema: run `tollgate migrate`"
                .formatted(RedactedSettings.withoutQuery(config.database().url())));
      }
    } catch (SQLException e) {
      throw postgres(config, e);
    }
  }

  /**
   * PostgreSQL answers.
   *
   * @throws Failure otherwise
   */
  static void database(TollgateConfig config) {
    try (Connection connection = connect(config)) {
      if (!connection.isValid(PATIENCE_SECONDS)) {
        throw new SQLException("it does not answer", "08006");
      }
    } catch (SQLException e) {
      throw postgres(config, e);
    }
  }

  private static Connection connect(TollgateConfig config) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", config.database().user());
    properties.setProperty("password", config.database().password().orElse(""));
    properties.setProperty("connectTimeout", CONNECT_SECONDS);
    properties.setProperty("loginTimeout", CONNECT_SECONDS);
    properties.setProperty("socketTimeout", String.valueOf(PATIENCE_SECONDS));
    return DriverManager.getConnection(config.database().url(), properties);
  }

  private static Failure postgres(TollgateConfig config, SQLException e) {
    return Failure.unreachable(
        "cannot reach PostgreSQL at %s: %s"
            .formatted(RedactedSettings.withoutQuery(config.database().url()), Explanation.said(e)),
        e);
  }

  /**
   * Kafka answers and has these topics.
   *
   * @return Kafka's id of each
   * @throws Failure otherwise
   */
  static Map<String, Uuid> topics(TollgateConfig config, Collection<String> topics) {
    Map<String, Uuid> ids = new HashMap<>();
    String servers = config.kafka().bootstrapServers();
    listens(servers);
    var asked =
        new DescribeTopicsOptions()
            .timeoutMs(Math.toIntExact(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)));
    Admin admin = kafka(config);
    try {
      for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
          admin.describeTopics(List.copyOf(topics), asked).topicNameValues().entrySet()) {
        ids.put(topic.getKey(), topic.getValue().get(PATIENCE_SECONDS, TimeUnit.SECONDS).topicId());
      }
      return ids;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw Failure.unreachable(
            "Kafka at %s does not have all of these topics: %s"
                .formatted(servers, String.join(", ", topics)),
            e);
      }
      throw unreachable(servers, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException | KafkaException e) {
      throw unreachable(servers, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.unreachable("interrupted while asking Kafka", e);
    } finally {
      admin.close(Duration.ZERO); // it would wait for what was given up
    }
  }

  /**
   * How a consumer group stands at a topic.
   *
   * @throws Failure when Kafka does not answer or does not have the topic
   */
  static GroupStanding group(TollgateConfig config, String group, String topic) {
    topics(config, List.of(topic));
    String servers = config.kafka().bootstrapServers();
    int timeoutMs = Math.toIntExact(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    Admin admin = kafka(config);
    try {
      KafkaFuture<TopicDescription> asked =
          admin
              .describeTopics(List.of(topic), new DescribeTopicsOptions().timeoutMs(timeoutMs))
              .topicNameValues()
              .get(topic);
      int partitions = Objects.requireNonNull(asked).get().partitions().size();
      return GroupStanding.read(admin, group, topic, partitions, timeoutMs);
    } catch (ExecutionException e) {
      throw unreachable(servers, e.getCause() == null ? e : e.getCause());
    } catch (KafkaException e) {
      throw unreachable(servers, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.unreachable("interrupted while asking Kafka", e);
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  /**
   * A port that nobody listens on is known at once; the client would try it until its time is up.
   */
  private static void listens(String servers) {
    Throwable last = new IllegalArgumentException("no address is configured");
    for (InetSocketAddress address : addresses(servers)) {
      try (Socket socket = new Socket()) {
        socket.connect(address, CONNECT_MS);
        return;
      } catch (IOException e) {
        last = e;
      }
    }
    throw unreachable(servers, last);
  }

  private static List<InetSocketAddress> addresses(String servers) {
    try {
      return ClientUtils.parseAndValidateAddresses(
          Arrays.stream(servers.split(",", -1)).map(String::strip).toList(), "use_all_dns_ips");
    } catch (KafkaException e) {
      throw unreachable(servers, e);
    }
  }

  private static Admin kafka(TollgateConfig config) {
    return new Clients(config.kafka().bootstrapServers(), config.kafka().client()).admin();
  }

  static Failure unreachable(String servers, Throwable e) {
    String said =
        e instanceof TimeoutException
                || e instanceof org.apache.kafka.common.errors.TimeoutException
            ? "no answer within %d s".formatted(PATIENCE_SECONDS)
            : Explanation.said(e);
    return Failure.unreachable("cannot reach Kafka at %s: %s".formatted(servers, said), e);
  }
}
