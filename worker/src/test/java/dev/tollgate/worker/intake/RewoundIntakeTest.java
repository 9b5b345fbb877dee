package dev.tollgate.worker.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.schema.kafka.DeadLetters;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.History;
import dev.tollgate.schema.store.IntakeProgress;
import dev.tollgate.schema.store.StoreFailures;
import dev.tollgate.worker.gate.InMemoryGate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * The whole loop: a rewound partition goes and comes back while its batch waits for the database.
 */
final class RewoundIntakeTest {
  private static final String TOPIC = "generation.requests";
  private static final TopicPartition P = new TopicPartition(TOPIC, 0);
  private static final UUID OLD = UUID.fromString("11111111-0000-4000-8000-000000000000");
  private static final UUID NEW = UUID.fromString("22222222-0000-4000-8000-000000000000");
  private static final int COMMITTED = 20;
  private static final int ACCOUNT = 12;
  private static final int END = 30;

  @Test
  void aRewoundPartitionThatComesBack_losesNoIntent_andPaysForNoneTwice() throws Exception {
    rewound(true);
  }

  @Test
  void aRewoundPartitionThatStays_losesNoIntent_andPaysForNoneTwice() throws Exception {
    rewound(false);
  }

  private static void rewound(boolean goesAndComes) throws Exception {
    IntakeBench bench = new IntakeBench(new InMemoryGate.Store(), "w1");
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int n = 0; n < END; n++) {
      records.add(bench.record(n)); // offset n
    }
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.setMaxPollRecords(3);
    consumer.updateBeginningOffsets(Map.of(P, 0L));
    consumer.updateEndOffsets(Map.of(P, (long) END));
    Runnable fetch = () -> records.subList(ACCOUNT, END).forEach(consumer::addRecord);
    consumer.schedulePollTask(
        () -> {
          consumer.rebalance(List.of(P));
          consumer.commitSync(
              Map.of(P, new OffsetAndMetadata(COMMITTED, new OffsetMark(OLD, 3, null).text())));
          fetch.run();
        });
    Instant at = Instant.parse("2026-11-05T10:00:00Z");
    IntakeLoop loop =
        new IntakeLoop(
            consumer,
            TOPIC,
            TOPIC + ".dlt",
            new DeadLetters(
                new MockProducer<>(
                    true, null, new ByteArraySerializer(), new ByteArraySerializer()),
                InstantSource.system()),
            new IntakePositions(
                new History(NEW, "place", at, true, 0, true, "w1"),
                3,
                _ -> Map.of(0, new IntakeProgress(ACCOUNT, at))),
            () -> false,
            new IntakeListener() {},
            new IntakeLag(InstantSource.system()),
            System::nanoTime);
    // the database is away for the first batch after the rewind; the member is fenced meanwhile
    AtomicBoolean away = new AtomicBoolean(true);
    bench.store.before = _ -> away.get() ? StoreFailures.unavailable() : null;
    bench.whileWaiting =
        failures -> {
          if (away.compareAndSet(true, false) && goesAndComes) {
            consumer.rebalance(List.of()); // lost
            consumer.rebalance(List.of(P)); // and joined again
            fetch.run();
            try {
              loop.await(1); // as in production: keeps the membership
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    loop.start(bench.intake);
    OperationKey last = IntakeBench.key(records.get(END - 1));
    await().atMost(Duration.ofSeconds(20)).until(() -> bench.store.rows.containsKey(last));
    loop.close();

    Set<Integer> missing = new HashSet<>();
    Set<Integer> sentAgain = new HashSet<>();
    for (int n = ACCOUNT; n < END; n++) {
      OperationKey key = IntakeBench.key(records.get(n));
      if (!bench.store.rows.containsKey(key)) {
        missing.add(n);
      } else if (n < COMMITTED + 3 && !bench.store.possiblySent.contains(key)) {
        sentAgain.add(n);
      }
    }
    assertThat(Map.of("never read", missing, "was paid, stored as new", sentAgain))
        .isEqualTo(Map.of("never read", Set.of(), "was paid, stored as new", Set.of()));
    bench.close();
  }
}
