package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.eventually;
import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.kafka.Membership;
import dev.tollgate.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Members of the group freeze, come and go: nothing is skipped, and what comes twice is told. */
final class RebalanceIT {
  private Stage stage;

  @BeforeEach
  void open() {
    stage = Stage.open(RebalanceIT.class);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private static List<String> requests(String name, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(n -> request("keyed", "%s-%03d".formatted(name, n)))
        .toList();
  }

  private long committed() {
    return stage.topic(stage.topics().requests()).committed(stage.workerGroup()).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** One member's way to the database is silent for longer than a poll may take. */
  @ParameterizedTest
  @EnumSource
  void fc22_memberFreezesInsideIntake_theOtherGoesOnAndCopiesAreTold(Membership.Protocol protocol) {
    stage
        .set("kafka.group-protocol", protocol.name())
        .set("kafka.client.\"max.poll.interval.ms\"", "2500");
    if (protocol == Membership.Protocol.CLASSIC) {
      stage
          .set("kafka.client.\"session.timeout.ms\"", "6000")
          .set("kafka.client.\"heartbeat.interval.ms\"", "500");
    }
    Tap tap = stage.tap();
    stage.through(tap).worker();
    List<String> keys = new ArrayList<>(stage.publishAll(requests("warm", 0, 4)));
    eventually().until(() -> stage.states().size() == 4);
    stage.direct().worker();
    stage.reconciler();
    // both have a partition when each has taken something in
    eventually()
        .until(
            () -> {
              int n = keys.size();
              keys.addAll(stage.publishAll(requests("warm", n, n + 4)));
              return owners() == 2;
            });
    eventually().until(() -> committed() == keys.size());
    tap.freeze();
    List<String> frozen = stage.publishAll(requests("frozen", 0, 40));
    long all = keys.size() + (long) frozen.size();
    eventually().until(() -> committed() == all);
    assertThat(stage.states()).hasSize((int) all);
    Audit.nothingIsAcknowledgedBeforeItIsDurable(stage);
    tap.thaw();
    List<String> after = stage.publishAll(requests("after", 0, 10));
    stage.awaitStates(keys, "complete");
    stage.awaitStates(frozen, "complete");
    stage.awaitStates(after, "complete");
    eventually().until(() -> committed() == all + after.size());
    Audit.check(stage);
  }

  /**
   * Scaled by somebody who cannot decide, to nobody at all among others; each worker is replaced.
   */
  @Test
  void fc23_fc37_fleetGrowsAndShrinksAndIsReplaced_noSecondTaskAndNoLag() {
    stage.reconciler();
    List<Worker> workers = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    int round = 0;
    for (int size : new int[] {1, 4, 2, 5, 0, 3, 3, 3}) {
      keys.addAll(stage.publishAll(requests("fleet", round * 100, round * 100 + 100)));
      if (size == workers.size()) {
        stage.stop(workers.removeFirst());
      }
      while (workers.size() > size) {
        stage.stop(workers.removeFirst());
      }
      while (workers.size() < size) {
        workers.add(stage.worker());
      }
      Audit.nothingIsAcknowledgedBeforeItIsDurable(stage);
      round++;
    }
    eventually().until(() -> committed() == keys.size());
    stage.awaitStates(keys, "complete");
    assertThat(stage.ledger().tasks()).hasSize(keys.size());
    Audit.check(stage);
  }

  private int owners() {
    return Integer.parseInt(
        stage.sql("SELECT count(DISTINCT owner) FROM attempts WHERE fence = 1").getFirst());
  }

  /** Partitions move again and again between poll and commit, with poison in between. */
  @ParameterizedTest
  @EnumSource
  void fc25_workersComeAndGo_noOffsetPassesARecordWithoutAnIntent(Membership.Protocol protocol) {
    stage.set("kafka.group-protocol", protocol.name());
    stage.reconciler();
    List<Worker> workers = new ArrayList<>(List.of(stage.worker()));
    List<String> keys = new ArrayList<>();
    for (int round = 0; round < 6; round++) {
      keys.addAll(stage.publishAll(requests("churn", round * 30, round * 30 + 30)));
      stage.publish(
          new ProducerRecord<>(
              stage.topics().requests(), round % 2, null, new byte[] {(byte) round}));
      if (round % 2 == 0) {
        workers.add(stage.worker());
      } else {
        stage.stop(workers.removeFirst());
      }
      Audit.nothingIsAcknowledgedBeforeItIsDurable(stage);
    }
    long published = keys.size() + 6L;
    eventually().until(() -> committed() == published);
    assertThat(stage.states()).hasSize(keys.size());
    assertThat(stage.topic(stage.topics().requestsDlt()).records()).hasSizeGreaterThanOrEqualTo(6);
    stage.awaitStates(keys, "complete");
    assertThat(stage.ledger().tasks()).hasSize(keys.size());
    Audit.check(stage);
  }

  /**
   * A record is stuck behind another transaction's row; its worker dies there, but its statement is
   * carried out all the same when the row is free.
   */
  @Test
  void fc26_recordIsBlockedInTheDatabaseAndItsWorkerDies_restIsTakenInOnce() throws SQLException {
    Tap tap = stage.tap();
    List<String> requests = requests("block", 0, 7);
    try (Connection blocking = connection()) {
      Worker dying = stage.through(tap).worker();
      List<String> first = stage.publishAll(requests.subList(0, 3));
      eventually().until(() -> committed() == 3);
      holdRow(blocking, requests.get(3));
      stage.publishAll(requests.subList(3, 7));
      eventually().until(() -> waitingForALock() > 0);
      tap.cut();
      stage.stop(dying);
      assertThat(committed()).isEqualTo(3);
      stage.direct().run();
      eventually().until(() -> waitingForALock() > 1);
      blocking.rollback();
      stage.awaitStates(first, "complete");
    }
    stage.awaitStates(requests.stream().map(r -> Stage.message(r).key()).toList(), "complete");
    eventually().until(() -> committed() == 7);
    assertThat(stage.ledger().tasks()).hasSize(7);
    Audit.check(stage);
  }

  private Connection connection() throws SQLException {
    var settings = stage.databaseSettings();
    Connection connection =
        DriverManager.getConnection(settings.url(), settings.user(), settings.password());
    connection.setAutoCommit(false);
    return connection;
  }

  private static void holdRow(Connection connection, String request) throws SQLException {
    byte[] key = dev.tollgate.schema.key.OperationKey.parse(Stage.message(request).key()).bytes();
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO intent (op_key, provider, request_hash, submission_key, created_at,
                                source_partition, source_offset, dimensions, params)
            VALUES (?, 'keyed', ?, ?, now(), 0, 0, '{}', ?)
            """)) {
      insert.setBytes(1, key);
      insert.setBytes(2, new byte[32]);
      insert.setBytes(3, new byte[16]);
      insert.setBytes(4, "{}".getBytes(StandardCharsets.UTF_8));
      insert.executeUpdate();
    }
  }

  private int waitingForALock() {
    return Integer.parseInt(
        stage
            .sql(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)
            .getFirst());
  }

  /** A worker that is told to stop ends what it has sent, and leaves the rest to others. */
  @Test
  void drain_sendsUnderWay_areRecordedAndNoLeaseIsLost() {
    stage.set("providers.keyed.concurrency", "8");
    Worker draining = stage.worker();
    stage.reconciler();
    List<String> keys =
        stage.publishAll(
            IntStream.range(0, 24)
                .mapToObj(n -> request("keyed", "drain-%02d".formatted(n), "slow(400)"))
                .toList());
    eventually().until(() -> stage.ledger().requests().size() >= 8);
    stage.stop(draining);
    assertThat(stage.states().values()).doesNotContain("sending", "unknown");
    long sent = stage.ledger().requests().size();
    assertThat(sent).isBetween(8L, 23L);
    stage.worker();
    stage.awaitStates(keys, "complete");
    assertThat(stage.sql("SELECT op_key FROM evidence WHERE code = 'LEASE_LOST'")).isEmpty();
    assertThat(stage.ledger().requests()).hasSize(24);
    Audit.check(stage);
  }
}
