package dev.tollgate.schema.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.kafka.DeadLetters.Letter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class DeadLettersTest {
  private static final String TOPIC = "generation.requests.dlt";
  private static final Instant NOW = Instant.parse("2025-06-01T12:00:00Z");

  /** A producer whose answers are scripted: a failure for each send, or none. */
  private static final class Scripted extends MockProducer<byte[], byte[]> {
    private final int takes;
    private final @Nullable RuntimeException failure;
    private final boolean thrown;
    int sends;

    Scripted(int takes, @Nullable RuntimeException failure, boolean thrown) {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
      this.takes = takes;
      this.failure = failure;
      this.thrown = thrown;
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
      sends++;
      byte[] value = record.value();
      boolean tooLarge = value != null && value.length > takes;
      if (failure != null && (tooLarge || !(failure instanceof RecordTooLargeException))) {
        if (thrown) {
          throw failure;
        }
        return CompletableFuture.failedFuture(failure);
      }
      return CompletableFuture.completedFuture(
          new RecordMetadata(new TopicPartition(TOPIC, 0), 0, 0, 0, 0, 0));
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      return send(record, null);
    }
  }

  private static Letter letter(int offset, byte @Nullable [] value) {
    return new Letter(
        new ConsumerRecord<>("generation.requests", 3, offset, null, value),
        Code.INVALID_EVENT,
        "not JSON");
  }

  private static void write(Scripted producer, Letter... letters) throws InterruptedException {
    new DeadLetters(producer, () -> NOW).write(TOPIC, List.of(letters));
  }

  static Stream<RuntimeException> failures() {
    return Stream.of(
        new TopicAuthorizationException(TOPIC),
        new NotEnoughReplicasException("1 of 2"),
        new TimeoutException("not present in metadata"),
        new OutOfOrderSequenceException("17"),
        new ProducerFencedException("fenced"),
        new AuthenticationException("no"),
        new RecordTooLargeException("even the shortest"),
        new IllegalStateException("closed"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void fc33_everyFailureOfTheProducer_isAFailureOfTheLetter(RuntimeException failure) {
    for (boolean thrown : new boolean[] {false, true}) {
      assertThatThrownBy(
              () -> write(new Scripted(-1, failure, thrown), letter(7, new byte[100_000])))
          .isInstanceOf(DeadLetterFailed.class)
          .hasMessageContaining("generation.requests-3@7");
    }
  }

  @Test
  void fc33_interrupt_isNeverASuccess() {
    var producer = new Scripted(0, new InterruptException("closing"), true);
    assertThatThrownBy(() -> write(producer, letter(1, new byte[1])))
        .isInstanceOf(DeadLetterFailed.class);
    assertThat(Thread.interrupted()).as("the flag stays set for the loop").isTrue();
  }

  @Test
  void write_topicIsNotThere_firstLetterIsEnoughToTell() {
    var producer = new Scripted(0, new TimeoutException("not present in metadata"), false);
    assertThatThrownBy(
            () -> write(producer, letter(1, new byte[1]), letter(2, null), letter(3, null)))
        .isInstanceOf(DeadLetterFailed.class);
    assertThat(producer.sends).isEqualTo(1);
  }

  @Test
  void write_valueTooLarge_isKeptShortened() throws InterruptedException {
    var producer = new Scripted(20_000, new RecordTooLargeException("too large"), false);
    write(producer, letter(1, "x".repeat(100_000).getBytes(StandardCharsets.UTF_8)));
    assertThat(producer.sends).as("whole, half, an eighth").isEqualTo(3);
  }

  @Test
  void write_tombstoneThatIsTooLarge_fails() {
    var producer = new Scripted(-1, new IllegalStateException("too large"), false);
    assertThatThrownBy(() -> write(producer, letter(1, null))).isInstanceOf(DeadLetterFailed.class);
  }

  /** Whatever is in them when they come: they are replaced and capped, round after round. */
  @Test
  void headers_overTenRounds_doNotGrow_andTheProducersOwnStay() {
    Headers headers = new RecordHeaders();
    headers.add("mine", new byte[] {1, 2});
    headers.add("mine", new byte[] {3});
    DeadLetterHeaders.put(headers, DeadLetterHeaders.FIRST_FAILED_AT, "x".repeat(10_000));
    DeadLetterHeaders.put(headers, DeadLetterHeaders.REPLAYS, "-1");
    DeadLetterHeaders.put(headers, DeadLetterHeaders.ORIGINAL_SHA256, "00".repeat(5_000));
    headers.add("kafka_dlt-exception-stacktrace", new byte[10_000]);
    int size = 0;
    for (int round = 0; round < 10; round++) {
      ConsumerRecord<byte[], byte[]> record =
          new ConsumerRecord<>(
              "generation.requests",
              3,
              round,
              NOW.toEpochMilli(),
              TimestampType.CREATE_TIME,
              0,
              0,
              null,
              new byte[0],
              headers,
              Optional.empty());
      Headers letter = DeadLetterHeaders.of(record, Code.INVALID_EVENT, "m".repeat(100_000), NOW);
      assertThat(DeadLetterHeaders.replays(letter)).isEqualTo(round);
      assertThat(DeadLetterHeaders.firstFailedAt(letter, Instant.MAX)).isEqualTo(NOW);
      if (round == 1) {
        size = size(letter);
      } else if (round > 1) {
        assertThat(size(letter)).as("round " + round).isEqualTo(size);
      }
      headers =
          DeadLetterHeaders.replayed(letter, NOW, round + 1, "anna: " + "because ".repeat(1_000));
      assertThat(DeadLetterHeaders.ours("mine")).isFalse();
      assertThat(headers.headers("mine")).extracting(Header::value).hasSize(2);
      assertThat(headers.lastHeader("kafka_dlt-original-topic")).isNull();
    }
    assertThat(size).isLessThan(4_000);
  }

  private static int size(Headers headers) {
    int size = 0;
    for (Header header : headers) {
      size += header.key().length() + header.value().length;
    }
    return size;
  }
}
