package dev.tollgate.worker.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

final class IntakeLagTest {
  private static final TopicPartition PARTITION = new TopicPartition("requests", 0);
  private static final Instant FIRST = Instant.parse("2026-03-01T10:00:00Z");

  private Instant now = FIRST;
  private final IntakeLag lag = new IntakeLag(() -> now);
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

  private void end(long end) {
    consumer.updateEndOffsets(Map.of(PARTITION, end));
    lag.polled(consumer);
  }

  private void read(long offset) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(
            "requests",
            0,
            offset,
            FIRST.toEpochMilli(),
            TimestampType.CREATE_TIME,
            0,
            0,
            new byte[0],
            new byte[0],
            new RecordHeaders(),
            Optional.empty());
    lag.storing(new ConsumerRecords<>(Map.of(PARTITION, List.of(record)), Map.of()));
  }

  @Test
  void recordsThatWereNotFetched_areTheLag_andAgeWhileTheyWait() {
    consumer.assign(List.of(PARTITION));
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.seek(PARTITION, 3);
    end(10);
    read(2);
    lag.stored();
    now = FIRST.plusSeconds(30);
    assertThat(lag.records()).isEqualTo(7);
    assertThat(lag.age()).isEqualTo(Duration.ofSeconds(30));
    consumer.seek(PARTITION, 10);
    end(10);
    assertThat(lag.records()).isZero();
    assertThat(lag.age()).isZero();
  }

  /** The log may be read to its end while the database takes nothing. */
  @Test
  void aBatchThatIsNotStored_ages() {
    read(0);
    now = FIRST.plusSeconds(45);
    assertThat(lag.records()).isZero();
    assertThat(lag.age()).isEqualTo(Duration.ofSeconds(45));
    lag.stored();
    assertThat(lag.age()).isZero();
  }

  @Test
  void aTimestampOfTheFuture_isNoNegativeAge() {
    read(0);
    now = FIRST.minusSeconds(5);
    assertThat(lag.age()).isZero();
  }
}
