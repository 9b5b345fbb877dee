package dev.tollgate.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** What every implementation of {@link Services} must do. The servers are shared by the cases. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
abstract class ServicesContract {
  private Services services;

  /** Fresh services with temporary data. */
  abstract Services open(ServicesOptions options);

  @BeforeAll
  void openServices() {
    services =
        open(
            ServicesOptions.temporary()
                .withPostgresSettings(Map.of("timezone", "Asia/Kathmandu", "work_mem", "5MB")));
  }

  @AfterAll
  void closeServices() {
    services.close();
    services.close(); // again: nothing
    assertThatThrownBy(services::postgres).isInstanceOf(ServicesException.class);
  }

  @Test
  void postgres_keepsCommitsSafe() throws SQLException {
    try (Connection connection = connect(services.postgres(), PostgresServer.DEFAULT_DATABASE)) {
      assertThat(show(connection, "fsync")).isEqualTo("on");
      assertThat(show(connection, "synchronous_commit")).isEqualTo("on");
      assertThat(show(connection, "full_page_writes")).isEqualTo("on");
      assertThat(show(connection, "max_connections")).isEqualTo("200");
      assertThat(show(connection, "shared_buffers")).isEqualTo("256MB");
      assertThat(show(connection, "server_encoding")).isEqualTo("UTF8");
      assertThat(show(connection, "work_mem")).isEqualTo("5MB"); // as stated by the options
      assertThat(Integer.parseInt(show(connection, "server_version_num")))
          .isGreaterThanOrEqualTo(170_000);
    }
  }

  @Test
  void postgres_createDatabase_secondTime_isRefused() throws SQLException {
    PostgresServer postgres = services.postgres();
    String url = postgres.createDatabase("once");
    assertThat(url).isEqualTo(postgres.jdbcUrl("once"));
    try (Connection connection = connect(postgres, "once")) {
      assertThat(connection.getCatalog()).isEqualTo("once");
    }
    assertThatThrownBy(() -> postgres.createDatabase("once"))
        .isInstanceOfSatisfying(
            ServicesException.class,
            e -> assertThat(e.reason()).isEqualTo(ServicesException.Reason.REQUEST_FAILED));
    assertThatThrownBy(() -> postgres.createDatabase("a; drop"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void postgres_createDatabaseFromTemplate_copiesIt() throws SQLException {
    PostgresServer postgres = services.postgres();
    postgres.createDatabase("mould");
    try (Connection connection = connect(postgres, "mould")) {
      update(connection, "CREATE TABLE t (id int)");
    }
    postgres.createDatabase("cast_1", "mould");
    try (Connection connection = connect(postgres, "cast_1")) {
      update(connection, "INSERT INTO t VALUES (1)");
    }
  }

  @Test
  void postgres_stoppedImmediatelyAndStarted_keepsWhatWasCommitted() throws SQLException {
    PostgresServer postgres = services.postgres();
    postgres.createDatabase("crash");
    int port = postgres.port();
    try (Connection connection = connect(postgres, "crash")) {
      update(connection, "CREATE TABLE kept (id int)");
      update(connection, "INSERT INTO kept SELECT generate_series(1, 1000)");
      postgres.stopImmediately();
      postgres.stopImmediately(); // again: nothing
      assertThat(postgres.isUp()).isFalse();
      assertThatThrownBy(() -> update(connection, "INSERT INTO kept VALUES (0)"))
          .isInstanceOf(SQLException.class);
    }
    postgres.start();
    postgres.start(); // again: nothing
    assertThat(postgres.isUp()).isTrue();
    assertThat(postgres.port()).isEqualTo(port);
    try (Connection connection = connect(postgres, "crash")) {
      assertThat(query(connection, "SELECT count(*) FROM kept")).isEqualTo("1000");
    }
  }

  @Test
  void redis_killedAndStarted_isEmptyOnTheSamePort() {
    RedisServer redis = services.redis();
    int port = redis.port();
    try (Jedis jedis = connect(redis)) {
      jedis.set("k", "v");
      assertThat(jedis.get("k")).isEqualTo("v");
      assertThat(redis.isUp()).isTrue();
      redis.kill();
      assertThat(redis.isUp()).isFalse();
      assertThatThrownBy(() -> jedis.get("k")).isInstanceOf(JedisException.class);
    }
    redis.start();
    assertThat(redis.isUp()).isTrue();
    assertThat(redis.port()).isEqualTo(port);
    try (Jedis jedis = connect(redis)) {
      assertThat(jedis.exists("k")).isFalse();
    }
  }

  @Test
  void redis_paused_answersNothingUntilResumed() {
    RedisServer redis = services.redis();
    try (Jedis jedis = connect(redis)) {
      assertThat(jedis.ping()).isEqualTo("PONG");
      redis.pause();
      assertThatThrownBy(jedis::ping).isInstanceOf(JedisException.class);
    } finally {
      redis.resume();
    }
    try (Jedis jedis = connect(redis)) {
      assertThat(jedis.ping()).isEqualTo("PONG");
    }
  }

  @Test
  void kafka_killedAndStarted_keepsWhatWasAcknowledged() throws Exception {
    KafkaBroker kafka = services.kafka();
    String address = kafka.bootstrapServers();
    kafka.createTopics(3, "kept");
    kafka.createTopics(3, "kept", "other"); // one is there already
    send(kafka, "kept", "before");
    kafka.kill();
    kafka.kill(); // again: nothing
    assertThat(kafka.isUp()).isFalse();
    kafka.start();
    kafka.start(); // again: nothing
    assertThat(kafka.isUp()).isTrue();
    assertThat(kafka.bootstrapServers()).isEqualTo(address);
    send(kafka, "kept", "after");
    assertThat(readAll(kafka, "kept", 2)).containsExactlyInAnyOrder("before", "after");
  }

  @Test
  void kafka_unknownTopic_isNotCreated() {
    assertThatThrownBy(() -> send(services.kafka(), "nobody-made-this", "x"))
        .hasMessageContaining("nobody-made-this");
  }

  private static void send(KafkaBroker kafka, String topic, String value) throws Exception {
    Map<String, Object> config =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "acks", "all", "max.block.ms", 1_500);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      var _ =
          producer
              .send(new ProducerRecord<>(topic, "key-" + value, value))
              .get(20, TimeUnit.SECONDS);
    }
  }

  private static List<String> readAll(KafkaBroker kafka, String topic, int expected) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(p.topic(), p.partition()))
              .toList());
      List<String> values = new ArrayList<>();
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                for (ConsumerRecord<String, String> message :
                    consumer.poll(Duration.ofMillis(200))) {
                  values.add(message.value());
                }
                return values.size() >= expected;
              });
      return values;
    }
  }

  static Connection connect(PostgresServer server, String database) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", server.user());
    properties.setProperty("password", server.password());
    return DriverManager.getConnection(server.jdbcUrl(database), properties);
  }

  static Jedis connect(RedisServer redis) {
    return new Jedis(
        new HostAndPort(redis.host(), redis.port()),
        DefaultJedisClientConfig.builder().timeoutMillis(1_000).build());
  }

  private static String show(Connection connection, String setting) throws SQLException {
    return query(connection, "SHOW " + setting);
  }

  static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  static void update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
