package dev.tollgate.reconciler.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.schema.store.ScriptedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

final class RelayTest {
  private final Outbox outbox = new Outbox();
  private final Broker broker = new Broker();
  private final List<Integer> relayed = new ArrayList<>();
  private final Relay relay =
      new Relay(
          outbox,
          broker,
          new Topics("generation"),
          100,
          new UUID(0, 1),
          System::nanoTime,
          relayed::add);

  @Test
  void runOnce_allAcknowledged_allAreForgotten() throws Exception {
    outbox.add(1, Fixture.key(1), 2);
    outbox.add(1, Fixture.key(2), 2);
    outbox.add(2, Fixture.key(3), 2);
    relay.runOnce();
    assertThat(outbox.rows).isEmpty();
    assertThat(relayed).containsExactly(3);
    assertThat(broker.history()).hasSize(3);
  }

  /** Half of a statement's changes cannot be forgotten: they are one row. */
  @Test
  void runOnce_oneOfARowIsNotAcknowledged_theWholeRowIsPublishedAgain() throws Exception {
    outbox.add(1, Fixture.key(1), 2);
    outbox.add(2, Fixture.key(2), 2);
    outbox.add(2, Fixture.key(3), 2);
    broker.refused = 2;
    relay.runOnce();
    assertThat(outbox.ids()).containsExactly(2L, 2L);
    assertThat(relayed).containsExactly(1);
    relay.runOnce();
    assertThat(outbox.rows).isEmpty();
  }

  /** Else an older word on an operation would be the last one that its readers hear. */
  @Test
  void runOnce_oneIsNotAcknowledged_thoseAfterItArePublishedAgainBehindIt() throws Exception {
    outbox.add(1, Fixture.key(1), 2);
    outbox.add(2, Fixture.key(1), 3);
    broker.refused = 0;
    relay.runOnce();
    assertThat(outbox.ids()).containsExactly(1L, 2L);
    relay.runOnce();
    assertThat(outbox.rows).isEmpty();
    assertThat(broker.history()).hasSize(3); // version 3, then 2 and 3
    byte[] last = broker.history().getLast().value();
    assertThat(broker.history().getFirst().value()).isEqualTo(last);
  }

  /** Holds rows until they are relayed. */
  private static final class Outbox extends ScriptedStore {
    private final List<OutboxRow> rows = new ArrayList<>();

    void add(long id, OperationKey key, int version) {
      rows.add(
          new OutboxRow(
              id,
              key,
              false,
              OperationState.ACCEPTED,
              version,
              1,
              "keyed",
              null,
              "job-1",
              Instant.EPOCH,
              null));
    }

    List<Long> ids() {
      return rows.stream().map(OutboxRow::id).toList();
    }

    @Override
    public List<OutboxRow> outbox(int atLeast) {
      return List.copyOf(rows);
    }

    @Override
    public void relayed(List<Long> ids) {
      rows.removeIf(row -> ids.contains(row.id()));
    }

    @Override
    public boolean duty(String name, UUID holder, Duration ttl) {
      return true;
    }
  }

  /** Acknowledges every record but one. */
  private static final class Broker extends MockProducer<byte[], byte[]> {
    private int refused = -1;
    private int sent;

    Broker() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      return sent++ == refused
          ? CompletableFuture.failedFuture(new TimeoutException("not acknowledged"))
          : super.send(record);
    }
  }
}
