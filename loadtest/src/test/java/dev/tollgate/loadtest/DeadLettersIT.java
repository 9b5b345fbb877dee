package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.eventually;
import static dev.tollgate.loadtest.Stage.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.Worker;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What cannot be taken in becomes a dead letter, whole, and before its offset is committed. */
final class DeadLettersIT {
  private static final List<byte[]> POISON =
      List.of(
          HexFormat.of().parseHex("000000002A0266"), // as a schema registry frames it
          HexFormat.of().parseHex("FFFE00"),
          "{\"kind\":".getBytes(UTF_8),
          "Obj\u0001avro.schema".getBytes(UTF_8),
          new byte[] {0x7B});

  private Stage stage;

  @BeforeEach
  void open() {
    stage = Stage.open(DeadLettersIT.class);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private List<ConsumerRecord<byte[], byte[]>> letters() {
    return stage.topic(stage.topics().requestsDlt()).records();
  }

  private List<ConsumerRecord<byte[], byte[]>> awaitLetters(int count) {
    eventually().until(() -> letters().size() >= count);
    return letters();
  }

  private void publish(int partition, byte @Nullable [] key, byte @Nullable [] value) {
    stage.publish(new ProducerRecord<>(stage.topics().requests(), partition, key, value));
  }

  private long published(int partition) {
    return stage.topic(stage.topics().requests()).records().stream()
        .filter(record -> record.partition() == partition)
        .count();
  }

  private boolean everythingIsCommitted() {
    Map<Integer, Long> committed =
        stage.topic(stage.topics().requests()).committed(stage.workerGroup());
    return committed.getOrDefault(0, 0L) == published(0)
        && committed.getOrDefault(1, 0L) == published(1);
  }

  @Test
  void fc29_fc30_poisonAndTombstones_areKeptByteForByteAndTheRestGoesOn() {
    stage.run();
    String good = request("keyed", "between");
    byte[] goodKey = Stage.message(good).keyBytes();
    for (byte[] poison : POISON) {
      publish(0, "a key".getBytes(UTF_8), poison);
    }
    publish(0, goodKey, null);
    publish(0, null, null);
    publish(0, goodKey, new byte[0]);
    publish(0, new byte[] {(byte) 0xFF}, Stage.message(good).valueBytes());
    String key = stage.publish(good);

    awaitLetters(POISON.size() + 4);
    stage.awaitState(key, "complete");
    publish(0, goodKey, null); // a tombstone cancels nothing
    List<ConsumerRecord<byte[], byte[]>> letters = awaitLetters(POISON.size() + 5);
    assertThat(letters).hasSize(POISON.size() + 5);
    assertThat(letters)
        .allSatisfy(
            letter -> {
              assertThat(Audit.header(letter, "tollgate-code")).isEqualTo("INVALID_EVENT");
              assertThat(Audit.header(letter, "__connect.errors.topic"))
                  .isEqualTo(stage.topics().requests());
            });
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : stage.topic(stage.topics().requests()).records()) {
      letters.stream()
          .filter(letter -> place(letter).equals(record.partition() + "@" + record.offset()))
          .forEach(
              letter -> {
                assertThat(letter.key()).isEqualTo(record.key());
                assertThat(letter.value()).isEqualTo(record.value());
                records.add(record);
              });
    }
    assertThat(records).as("each letter tells where it comes from").hasSize(letters.size());
    assertThat(stage.operation(key)).containsEntry("state", "complete");
    eventually().until(this::everythingIsCommitted);
    Audit.check(stage);
  }

  private static String place(ConsumerRecord<byte[], byte[]> letter) {
    return Audit.header(letter, "__connect.errors.partition")
        + "@"
        + Audit.header(letter, "__connect.errors.offset");
  }

  @Test
  void fc53_fc90_sameKeyOtherParameters_isALetterAndTheFirstIsUntouched() {
    stage.run();
    String key = stage.publish(request("keyed", "first"));
    stage.awaitState(key, "complete");
    Map<String, String> before = stage.operation(key);
    String other = request("keyed", "first").replace("\"seed\":7", "\"seed\":8");
    String tools = request("keyed", "first").replace("\"seed\":7", "\"seed\":7,\"tools\":[]");
    String provider = request("keyed", "first").replace("\"keyed\"", "\"lookup\"");

    assertThat(stage.publish(other)).isEqualTo(key); // the gate knows the first as consumed
    assertThat(stage.publish(tools)).isEqualTo(key);
    assertThat(stage.publish(provider)).isEqualTo(key);
    awaitLetters(3);
    Gates.forgetAll();
    stage.publish(other); // now only the database knows
    stage.publish(request("keyed", "first"));
    eventually().until(this::everythingIsCommitted);

    assertThat(letters())
        .hasSize(4)
        .allSatisfy(
            letter ->
                assertThat(Audit.header(letter, "tollgate-code"))
                    .isEqualTo("KEY_PARAMETERS_MISMATCH"));
    assertThat(stage.operation(key)).isEqualTo(before);
    assertThat(stage.ledger().requests()).hasSize(1);
    Audit.check(stage);
  }

  /** The letter's topic is not there, then takes nothing of any size: each time the log waits. */
  @Test
  void fc32_fc33_letterIsNotTaken_partitionWaitsUntilItIs() {
    Topic letters = stage.topic(stage.topics().requestsDlt());
    Topic requests = stage.topic(stage.topics().requests());
    stage.set("kafka.client.\"max.block.ms\"", "1000");
    letters.delete();
    publish(0, "a key".getBytes(UTF_8), POISON.getFirst());
    publish(0, "a key".getBytes(UTF_8), POISON.getLast());
    String elsewhere = publishTo(1, "elsewhere");
    String behind = publishTo(0, "behind");
    Worker worker = stage.worker();
    stage.reconciler();
    stage.awaitState(elsewhere, "complete");
    stage.awaitState(behind, "complete"); // durable, though its offset waits
    assertThat(requests.committed(stage.workerGroup()).getOrDefault(0, 0L)).isZero();

    stage.recreate(stage.topics().requestsDlt());
    eventually().until(this::everythingIsCommitted);
    assertThat(letters.records()).hasSizeGreaterThanOrEqualTo(2);

    letters.configure("max.message.bytes", "100");
    long before = requests.committed(stage.workerGroup()).getOrDefault(0, 0L);
    publish(0, "a key".getBytes(UTF_8), POISON.get(1));
    // an idle intake makes progress with each poll
    eventually().until(() -> worker.sinceProgress().toSeconds() >= 2);
    publishTo(0, "after");
    assertThat(requests.committed(stage.workerGroup()).getOrDefault(0, 0L)).isEqualTo(before);
    letters.configure("max.message.bytes", "1048588");
    eventually().until(this::everythingIsCommitted);
    assertThat(letters.records()).anyMatch(letter -> place(letter).equals("0@" + before));
    eventually().until(() -> stage.ledger().tasks().size() == 3);
    Audit.check(stage);
  }

  private String publishTo(int partition, String product) {
    var message = Stage.message(request("keyed", product));
    stage.publish(
        new ProducerRecord<>(
            stage.topics().requests(),
            partition,
            message.keyBytes(),
            message.valueBytes(),
            message.kafkaHeaders()));
    return message.key();
  }
}
