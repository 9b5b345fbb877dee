package dev.tollgate.reconciler.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.event.DecodedResult;
import dev.tollgate.schema.event.ResultDecoder;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.RequestHash;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Ending;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.worker.reading.StreamAddresses;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private static final RequestHash HASH = new RequestHash(Sha256.of(new byte[1]));

  private static final StreamAddresses STREAMS =
      new StreamAddresses(Optional.of(URI.create("https://streams.example.com/t/")), new byte[32]);

  private final Outbox outbox = new Outbox();
  private final Broker broker = new Broker();
  private final List<Integer> relayed = new ArrayList<>();
  private final List<List<OutboxRow>> forgetting = new ArrayList<>();
  private final Relay relay =
      new Relay(
          outbox,
          broker,
          new Telling(Topics.DEFAULT, "EUR", Set.of("writer"), STREAMS),
          100,
          new UUID(0, 1),
          System::nanoTime,
          relayed::add,
          forgetting::add);

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

  @Test
  void runOnce_finished_areToldWithWhatIsStored_readOnceForAll() throws Exception {
    outbox.add(1, Fixture.key(1), 2);
    outbox.finish(2, OperationState.COMPLETE, Code.OUTPUT_STORED);
    outbox.finish(3, OperationState.FAILED, Code.PROVIDER_REJECTED);
    relay.runOnce();
    assertThat(outbox.asked).containsExactly(List.of(Fixture.key(2), Fixture.key(3)));
    ResultEvent accepted = told(0);
    assertThat(accepted.details()).isEqualTo(ResultEvent.Details.NONE);
    ResultEvent complete = told(1);
    assertThat(complete.id()).isEqualTo(Fixture.key(2) + "/3");
    assertThat(complete.output())
        .isEqualTo(
            new ResultEvent.Output(
                "file:///outputs/1",
                Sha256.fromBytes(Fixture.output(1).sha256()),
                1001,
                "video/mp4"));
    assertThat(complete.details())
        .isEqualTo(
            ResultEvent.Details.ended(
                HASH, "task", new ResultEvent.Price(Money.of("0.35"), "EUR"), null));
    ResultEvent failed = told(2);
    assertThat(failed.code()).isEqualTo(Code.PROVIDER_REJECTED);
    assertThat(failed.details())
        .isEqualTo(ResultEvent.Details.ended(HASH, "task", null, "it said no"));
  }

  /** After the broker was away, one round tells of all that an operation went through. */
  @Test
  void runOnce_onItsWayAndFinishedInOneRound_theEndAloneHasWhatIsStored() throws Exception {
    outbox.add(1, Fixture.key(2), 2);
    outbox.finish(2, OperationState.COMPLETE, Code.OUTPUT_STORED);
    relay.runOnce();
    assertThat(told(0).details()).isEqualTo(ResultEvent.Details.NONE);
    assertThat(told(0).output()).isNull();
    assertThat(told(1).output()).isNotNull();
  }

  @Test
  void runOnce_accepted_ofAProviderThatStreams_tellsWhereItIsRead() throws Exception {
    outbox.add(1, Fixture.key(1), 2, "writer");
    outbox.finish(2, OperationState.COMPLETE, Code.OUTPUT_STORED);
    relay.runOnce();
    URI stream = told(0).details().stream();
    assertThat(stream).isEqualTo(STREAMS.of(Fixture.key(1)).orElseThrow());
    assertThat(stream)
        .asString()
        .matches(
            "https://streams.example.com/t/operations/" + Fixture.key(1) + "/stream/[0-9a-f]{32}");
    assertThat(told(1).details().stream()).isNull();
  }

  @Test
  void record_withoutAPublicAddress_namesNoStream() {
    StreamAddresses nowhere = new StreamAddresses(Optional.empty(), new byte[32]);
    outbox.add(1, Fixture.key(1), 2, "writer");
    ProducerRecord<byte[], byte[]> record =
        new Telling(Topics.DEFAULT, "EUR", Set.of("writer"), nowhere)
            .record(outbox.rows.getFirst(), null);
    assertThat(new String(record.value(), StandardCharsets.UTF_8)).doesNotContain("stream");
  }

  @Test
  void runOnce_nothingFinished_asksForNothing() throws Exception {
    outbox.add(1, Fixture.key(1), 2);
    relay.runOnce();
    assertThat(outbox.asked).isEmpty();
  }

  /** Whoever has to do something about it writes that down before it is forgotten. */
  @Test
  void runOnce_acknowledged_areHeardOfBeforeTheyAreForgotten() throws Exception {
    outbox.add(1, Fixture.key(1), 2);
    outbox.add(2, Fixture.key(2), 2);
    broker.refused = 1;
    outbox.refuses = true;
    assertThatThrownBy(relay::runOnce).hasMessage("away");
    assertThat(forgetting).hasSize(1);
    assertThat(forgetting.getFirst()).extracting(OutboxRow::id).containsExactly(1L);
    outbox.refuses = false;
    relay.runOnce();
    assertThat(forgetting.getLast()).extracting(OutboxRow::id).containsExactly(1L, 2L);
    assertThat(outbox.rows).isEmpty();
  }

  private ResultEvent told(int n) {
    ProducerRecord<byte[], byte[]> record = broker.history().get(n);
    DecodedResult decoded = ResultDecoder.decode(record.key(), record.value(), record.headers());
    assertThat(decoded).isInstanceOf(DecodedResult.Result.class);
    return ((DecodedResult.Result) decoded).event();
  }

  /** Holds rows until they are relayed. */
  private static final class Outbox extends ScriptedStore {
    private final List<OutboxRow> rows = new ArrayList<>();
    private final List<List<OperationKey>> asked = new ArrayList<>();
    private boolean refuses;

    void add(long id, OperationKey key, int version) {
      add(id, key, version, "keyed");
    }

    void add(long id, OperationKey key, int version, String provider) {
      rows.add(
          new OutboxRow(
              id,
              key,
              false,
              OperationState.ACCEPTED,
              version,
              1,
              provider,
              null,
              "job-1",
              Instant.EPOCH));
    }

    void finish(int n, OperationState state, Code reason) {
      rows.add(
          new OutboxRow(
              n, Fixture.key(n), false, state, 3, 1, "keyed", reason, "job-1", Instant.EPOCH));
    }

    List<Long> ids() {
      return rows.stream().map(OutboxRow::id).toList();
    }

    @Override
    public List<OutboxRow> outbox(int atLeast) {
      return List.copyOf(rows);
    }

    @Override
    public Map<OperationKey, Ending> endings(Collection<OutboxRow> finished) {
      asked.add(finished.stream().map(OutboxRow::key).toList());
      Map<OperationKey, Ending> endings = new HashMap<>();
      for (OutboxRow row : finished) {
        boolean complete = row.state() == OperationState.COMPLETE;
        endings.put(
            row.key(),
            new Ending(
                HASH,
                "task",
                Fixture.PRICE,
                complete ? Fixture.output(1) : null,
                complete ? null : "it said no",
                row.at().minusSeconds(90)));
      }
      return endings;
    }

    @Override
    public void relayed(List<Long> ids) {
      if (refuses) {
        throw new IllegalStateException("away");
      }
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
