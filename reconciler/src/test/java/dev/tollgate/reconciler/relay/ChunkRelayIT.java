package dev.tollgate.reconciler.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.embedded.SharedServices;
import dev.tollgate.schema.event.ChunkEvent;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.Stream;
import dev.tollgate.schema.store.ScriptedChunks;
import dev.tollgate.schema.store.StoreFailures;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.schema.store.TestStreams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Chunks on their way from PostgreSQL to Kafka: each at least once, in order, under its id. */
final class ChunkRelayIT {
  private final Topics topics = new Topics(SharedServices.topicPrefix(ChunkRelayIT.class));
  private final Clients clients = new Clients(SharedServices.kafka().bootstrapServers(), Map.of());
  private final List<Integer> relayed = new ArrayList<>();

  private TestStreams streams;
  private Producer<byte[], byte[]> producer;

  @BeforeEach
  void open() {
    streams = TestStreams.open(ChunkRelayIT.class);
    SharedServices.kafka().createTopics(2, topics.chunks());
    producer = clients.producer(Relay.PRODUCER);
  }

  @AfterEach
  void close() {
    producer.close();
    streams.close();
  }

  private ChunkRelay relay(Chunks chunks, Producer<byte[], byte[]> to, UUID holder) {
    return new ChunkRelay(
        chunks, streams.store(), to, topics, 100, holder, System::nanoTime, relayed::add);
  }

  private ChunkRelay relay(Chunks chunks) {
    return relay(chunks, producer, new UUID(0, 1));
  }

  private List<ConsumerRecord<byte[], byte[]>> published() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = clients.reader(Map.of())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topics.chunks()).stream()
              .map(info -> new TopicPartition(topics.chunks(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
      }
    }
    return records;
  }

  private static List<String> ids(
      List<ConsumerRecord<byte[], byte[]>> records, Chunks.Stream stream) {
    return records.stream()
        .filter(record -> new String(record.key(), UTF_8).equals(stream.key().toString()))
        .map(record -> String.valueOf(DeadLetterHeaders.text(record.headers(), "ce_id")))
        .toList();
  }

  private static List<String> ids(Stream stream, int from, int to) {
    return IntStream.range(from, to).mapToObj(n -> ChunkEvent.id(stream.key(), n)).toList();
  }

  @Test
  void runOnce_publishesEachStreamInOrder_andForgetsWhatIsAcknowledged() throws Exception {
    Stream first = streams.accepted(1);
    Stream second = streams.accepted(2);
    streams.append(first, TestStreams.some(0, 70));
    streams.append(second, TestStreams.some(0, 3));
    streams.append(first, TestStreams.some(70, 150));
    ChunkRelay relay = relay(streams.chunks());
    assertThat(relay.runOnce()).as("more is there").isTrue();
    assertThat(relay.runOnce()).isFalse();
    List<ConsumerRecord<byte[], byte[]>> records = published();
    assertThat(ids(records, first)).isEqualTo(ids(first, 0, 150));
    assertThat(ids(records, second)).isEqualTo(ids(second, 0, 3));
    assertThat(relayed.stream().mapToInt(n -> n).sum()).isEqualTo(153);
    assertThat(streams.chunks().outbox(1000)).isEmpty();
  }

  @Test
  void body_isThatOfTheChunk() throws Exception {
    Stream stream = streams.accepted(1);
    Chunk chunk =
        TestStreams.chunk(0, "\"\\u0000 \\ud800 é\"", "{\"a\":1.50e3}", Chunks.End.SUCCEEDED);
    streams.append(stream, List.of(chunk));
    relay(streams.chunks()).runOnce();
    assertThat(new String(published().getFirst().value(), UTF_8))
        .isEqualTo(ChunkEvent.body(stream.key(), chunk))
        .endsWith("\"text\":\"\\u0000 \\ud800 é\",\"end\":\"succeeded\",\"data\":{\"a\":1.50e3}}");
  }

  /** The relay dies with chunks stored and none published: the next one finds them. */
  @Test
  void killedBetweenInsertAndPublish_theNextRelayPublishesWithTheSameIds() throws Exception {
    Stream stream = streams.accepted(1);
    streams.append(stream, TestStreams.some(0, 5));
    var dead = new Broken();
    assertThatThrownBy(() -> relay(streams.chunks(), dead, new UUID(0, 1)).runOnce())
        .isInstanceOf(IllegalStateException.class);
    assertThat(published()).isEmpty();
    relay(streams.chunks()).runOnce();
    assertThat(ids(published(), stream)).isEqualTo(ids(stream, 0, 5));
  }

  /** The relay dies with chunks published and not forgotten: they come again, the same. */
  @Test
  void killedBetweenPublishAndDelete_theSameIdsAndBytesComeAgain() throws Exception {
    Stream stream = streams.accepted(1);
    streams.append(stream, TestStreams.some(0, 5));
    Forgetful forgetful = new Forgetful(streams.chunks());
    assertThatThrownBy(() -> relay(forgetful).runOnce()).isInstanceOf(StoreUnavailable.class);
    relay(streams.chunks()).runOnce();
    List<ConsumerRecord<byte[], byte[]>> records = published();
    List<String> twice = new ArrayList<>(ids(stream, 0, 5));
    twice.addAll(ids(stream, 0, 5));
    assertThat(ids(records, stream)).isEqualTo(twice);
    for (int i = 0; i < 5; i++) {
      assertThat(records.get(i).value()).isEqualTo(records.get(i + 5).value());
    }
    assertThat(streams.chunks().outbox(1000)).isEmpty();
  }

  @Test
  void runOnce_oneIsNotAcknowledged_itsRowAndThoseBehindComeAgain() throws Exception {
    Stream stream = streams.accepted(1);
    streams.append(stream, TestStreams.some(0, 2));
    streams.append(stream, TestStreams.some(2, 4));
    streams.append(stream, TestStreams.some(4, 6));
    Broken broker = new Broken();
    broker.refused = 3;
    relay(streams.chunks(), broker, new UUID(0, 1)).runOnce();
    assertThat(streams.chunks().outbox(1000))
        .extracting(row -> row.chunk().offset())
        .containsExactly(2, 3, 4, 5);
    assertThat(relayed).containsExactly(2);
  }

  /** Such a chunk is in the database for whoever reads the stream; the others must not wait. */
  @Test
  void runOnce_chunkLargerThanTheBrokerTakes_holdsUpNobody() throws Exception {
    Stream stream = streams.accepted(1);
    String long1 = "\"" + "x".repeat(1_048_000) + "\"";
    streams.append(stream, List.of(TestStreams.chunk(0, long1, long1, null)));
    streams.append(stream, TestStreams.some(1, 3));
    relay(streams.chunks()).runOnce();
    assertThat(ids(published(), stream)).isEqualTo(ids(stream, 1, 3));
    assertThat(streams.chunks().outbox(1000)).isEmpty();
  }

  @Test
  void runOnce_anotherIsOnDuty_publishesNothing() throws Exception {
    Stream stream = streams.accepted(1);
    streams.append(stream, TestStreams.some(0, 1));
    assertThat(streams.store().duty("chunks", new UUID(0, 9), Duration.ofMinutes(1))).isTrue();
    assertThat(relay(streams.chunks()).runOnce()).isFalse();
    assertThat(published()).isEmpty();
  }

  /** A broker to which the way is cut: from the first record on, or for one record. */
  private static final class Broken extends MockProducer<byte[], byte[]> {
    private int refused = -1;
    private int sent;

    Broken() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      if (refused < 0) {
        throw new IllegalStateException("killed");
      }
      return sent++ == refused
          ? CompletableFuture.failedFuture(new TimeoutException("not acknowledged"))
          : super.send(record);
    }
  }

  /** Loses the database just before rows are deleted. */
  private static final class Forgetful extends ScriptedChunks {
    Forgetful(Chunks real) {
      super(real);
    }

    @Override
    public void published(List<Long> ids) {
      throw StoreFailures.unavailable();
    }
  }
}
