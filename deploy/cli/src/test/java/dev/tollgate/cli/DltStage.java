package dev.tollgate.cli;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.kafka.DeadLetters;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import dev.tollgate.schema.store.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** A broker's topics, a database, and dead letters as a worker writes them. */
final class DltStage implements AutoCloseable {
  static final Instant FIRST = Instant.parse("2026-03-01T10:00:00Z");

  /** Lately: what is older than all that is remembered is refused. */
  private Instant sentAt = InstantSource.system().instant();

  final KafkaStage kafka;
  final Database database;

  private DltStage(KafkaStage kafka, Database database) {
    this.kafka = kafka;
    this.database = database;
  }

  static DltStage open(Class<?> owner, Path folder) throws IOException {
    DatabaseSettings settings = TestDatabase.migrated(owner);
    KafkaStage kafka =
        KafkaStage.open(
            owner,
            folder,
            """
            tollgate.database.url=%s
            tollgate.database.user=%s
            tollgate.database.password=%s
            """
                .formatted(settings.url(), settings.user(), settings.password()));
    return new DltStage(kafka, new Database(settings, "test", 2, null));
  }

  void configure(String line) throws IOException {
    Files.writeString(kafka.config, line + "\n", StandardOpenOption.APPEND);
  }

  /** A request that a worker would take in, once its provider is configured. */
  static EventMessage request(String product) {
    return request(product, 7);
  }

  static EventMessage request(String product, int seed) {
    String line =
        "{\"kind\":\"video\",\"product\":\"%s\",\"provider\":\"keyed\",\"params\":{\"seed\":%d}}"
            .formatted(product, seed);
    return ((RequestWriter.Ready) RequestWriter.fromJsonLine(line, "/shop")).message();
  }

  void letter(EventMessage message, Code code) throws InterruptedException {
    write(code, "why", message.keyBytes(), message.valueBytes(), message.kafkaHeaders());
  }

  void letter(@Nullable String key, String value, Code code, String message)
      throws InterruptedException {
    Headers own = new RecordHeaders();
    DeadLetterHeaders.put(own, "mine", "yes");
    letter(key, value, own, code, message);
  }

  void letter(@Nullable String key, String value, Headers own, Code code, String message)
      throws InterruptedException {
    write(
        code,
        message,
        key == null ? null : key.getBytes(StandardCharsets.UTF_8),
        value.getBytes(StandardCharsets.UTF_8),
        own);
  }

  /** Letters from now on are of messages that were sent then. */
  void sentAt(Instant time) {
    sentAt = time;
  }

  private void write(Code code, String why, byte @Nullable [] key, byte[] value, Headers headers)
      throws InterruptedException {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(
            kafka.topics.requests(),
            1,
            42,
            sentAt.toEpochMilli(),
            TimestampType.CREATE_TIME,
            0,
            0,
            key,
            value,
            headers,
            Optional.empty());
    write(record, code, why);
  }

  private void write(ConsumerRecord<byte[], byte[]> record, Code code, String why)
      throws InterruptedException {
    new DeadLetters(kafka.producer, InstantSource.fixed(FIRST))
        .write(kafka.topics.requestsDlt(), List.of(new DeadLetters.Letter(record, code, why)));
  }

  /** What a worker does with the newest record of the requests topic that it cannot handle. */
  void comeBack(Code code) throws InterruptedException {
    write(requests().getLast(), code, "again");
  }

  List<ConsumerRecord<byte[], byte[]>> requests() {
    return kafka.records(kafka.topics.requests());
  }

  /** Where the newest letter with this key lies. */
  String place(String key) {
    return kafka.records(kafka.topics.requestsDlt()).stream()
        .filter(record -> key.equals(new String(record.key(), StandardCharsets.UTF_8)))
        .map(record -> record.partition() + "@" + record.offset())
        .reduce((_, last) -> last)
        .orElseThrow();
  }

  Typed dlt(String... words) {
    List<String> all = new ArrayList<>(List.of("dlt"));
    all.addAll(Arrays.asList(words));
    all.addAll(List.of("--config", kafka.config.toString()));
    return Typed.type(all.toArray(String[]::new));
  }

  Typed replay(String... words) {
    List<String> all = new ArrayList<>(List.of("replay", "--who", "ann", "--why", "mended it"));
    all.addAll(Arrays.asList(words));
    return dlt(all.toArray(String[]::new));
  }

  @Override
  public void close() {
    database.close();
    kafka.close();
  }
}
