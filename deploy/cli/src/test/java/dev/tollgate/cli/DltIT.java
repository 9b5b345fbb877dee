package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.kafka.DeadLetters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DltIT {
  private static final Instant FIRST = Instant.parse("2026-03-01T10:00:00Z");

  @TempDir Path folder;
  private KafkaStage stage;

  @BeforeEach
  void open() throws IOException {
    stage =
        KafkaStage.open(
            DltIT.class, folder, "tollgate.database.url=jdbc:postgresql://unused/unused");
  }

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void list_countsByCode_andFilters() throws Exception {
    letter("k-1", "one", Code.INVALID_EVENT, "bad\u001b[2J");
    letter("k-2", "two", Code.UNKNOWN_PROVIDER, "who");
    letter(null, "three", Code.INVALID_EVENT, "no key");
    Typed typed = dlt("list");
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.outLines().getFirst()).endsWith(": 3 dead letters");
    assertThat(typed.out()).contains("2  INVALID_EVENT", "1  UNKNOWN_PROVIDER", "bad?[2J");
    assertThat(dlt("list", "--code", "unknown_provider").out()).contains(": 1 dead letters");
    assertThat(dlt("list", "--json").outLines()).hasSize(3).allMatch(line -> line.startsWith("{"));
    assertThat(dlt("list", "--json", "--limit", "1").outLines()).hasSize(1);
    assertThat(dlt("list", "--topic", "reconcile").out()).contains(": 0 dead letters");
  }

  @Test
  void show_printsHeadersAndValue() throws Exception {
    letter("k-1", "{\"a\":1}", Code.INVALID_EVENT, "bad");
    Typed typed = dlt("show", place("k-1"));
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.out())
        .contains("INVALID_EVENT", "* mine: yes", "kafka_dlt-original-offset: 42", "{\"a\":1}");
    assertThat(dlt("show", "1@999").code()).isEqualTo(Failure.REFUSED);
    assertThat(dlt("show", "9@0").code()).isEqualTo(Failure.REFUSED);
  }

  @Test
  void replay_sendsKeyValueAndOwnHeadersBack_andCountsItself() throws Exception {
    letter("k-1", "one", Code.UNKNOWN_PROVIDER, "who");
    letter("k-2", "two", Code.INVALID_EVENT, "bad");
    Typed typed = replay("--code", "UNKNOWN_PROVIDER", "--who", "ann", "--why", "configured it");
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.outLines().getLast()).startsWith("1 replayed to " + stage.topics.requests());
    List<ConsumerRecord<byte[], byte[]>> sent = stage.records(stage.topics.requests());
    assertThat(sent).hasSize(1);
    ConsumerRecord<byte[], byte[]> record = sent.getFirst();
    assertThat(record.key()).asString().isEqualTo("k-1");
    assertThat(record.value()).asString().isEqualTo("one");
    Headers headers = record.headers();
    assertThat(DeadLetterHeaders.text(headers, "mine")).isEqualTo("yes");
    assertThat(DeadLetterHeaders.text(headers, DeadLetterHeaders.REPLAYS)).isEqualTo("1");
    assertThat(DeadLetterHeaders.text(headers, DeadLetterHeaders.FIRST_FAILED_AT))
        .isEqualTo(FIRST.toString());
    assertThat(DeadLetterHeaders.text(headers, DeadLetterHeaders.REPLAYED_BY))
        .startsWith("ann at ")
        .endsWith("from " + stage.topics.requestsDlt() + "-" + place("k-1") + ": configured it");
    assertThat(DeadLetterHeaders.text(headers, DeadLetterHeaders.CODE)).isNull();
    assertThat(headers.lastHeader("kafka_dlt-original-topic")).isNull();
  }

  @Test
  void replay_neverGoesWhereAHeaderPoints() throws Exception {
    Headers own = new RecordHeaders();
    DeadLetterHeaders.add(own, "kafka_dlt-original-topic", stage.topics.events());
    DeadLetterHeaders.add(own, "__connect.errors.topic", stage.topics.events());
    letter("k-1", "one", own, Code.INVALID_EVENT, "bad");
    assertThat(replay("--all", "--why", "x").code()).isZero();
    assertThat(stage.records(stage.topics.events())).isEmpty();
    assertThat(stage.records(stage.topics.requests())).hasSize(1);
  }

  @Test
  void replay_copiesOfOneMessageGoOnce_andTheirHighestCountIsTheLimits() throws Exception {
    letter("k-1", "one", Code.INVALID_EVENT, "bad");
    for (int round = 1; round <= 2; round++) {
      assertThat(replay("--all", "--why", "round", "--max-replays", "2").code()).isZero();
      comeBack(Code.INVALID_EVENT);
    }
    Typed typed = replay("--all", "--why", "once more", "--max-replays", "2");
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.errLines()).singleElement().asString().contains("REPLAY_LIMIT");
    assertThat(typed.out()).contains("0 replayed", "1 left", "2 copies");
    assertThat(stage.records(stage.topics.requests())).hasSize(2);
  }

  @Test
  void replay_sameKeyWithOtherValue_isAnotherMessage() throws Exception {
    letter("k-1", "one", Code.INVALID_EVENT, "bad");
    letter("k-1", "two", Code.INVALID_EVENT, "bad");
    assertThat(replay("--all", "--why", "x").out()).contains("2 replayed");
  }

  @Test
  void replay_shortenedRecord_isLeftAndSaysWhy() throws Exception {
    Headers own = new RecordHeaders();
    DeadLetterHeaders.add(own, DeadLetterHeaders.ORIGINAL_SHA256, "00".repeat(32));
    letter("k-1", "the beginni", own, Code.INVALID_EVENT, "too long");
    Typed typed = replay("--all", "--why", "x");
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.err()).contains("only the beginning of its value was kept");
    assertThat(stage.records(stage.topics.requests())).isEmpty();
  }

  @Test
  void replay_dryRunSendsNothing_andPlacesThatHoldNothingAreTold() throws Exception {
    letter("k-1", "one", Code.INVALID_EVENT, "bad");
    Typed dry = replay("--offset", place("k-1"), "--why", "x", "--dry-run");
    assertThat(dry.code()).isZero();
    assertThat(dry.out()).contains("would replay " + place("k-1"), "1 would be replayed");
    assertThat(stage.records(stage.topics.requests())).isEmpty();

    Typed nothing = replay("--offset", "1@12345", "--why", "x");
    assertThat(nothing.code()).isEqualTo(Failure.REFUSED);
    assertThat(nothing.err()).contains("left 1@12345");
  }

  @Test
  void replay_boundsItsRate() throws Exception {
    for (int i = 0; i < 5; i++) {
      letter("k-" + i, "v", Code.INVALID_EVENT, "bad");
    }
    long began = System.nanoTime();
    assertThat(replay("--all", "--why", "x", "--rate", "10").code()).isZero();
    assertThat(System.nanoTime() - began).isGreaterThan(400_000_000L);
  }

  /** What a worker does with the newest record of the requests topic that it cannot handle. */
  private void comeBack(Code code) throws InterruptedException {
    ConsumerRecord<byte[], byte[]> last = stage.records(stage.topics.requests()).getLast();
    letters()
        .write(stage.topics.requestsDlt(), List.of(new DeadLetters.Letter(last, code, "again")));
  }

  private void letter(@Nullable String key, String value, Code code, String message)
      throws InterruptedException {
    Headers own = new RecordHeaders();
    DeadLetterHeaders.add(own, "mine", "yes");
    letter(key, value, own, code, message);
  }

  private void letter(@Nullable String key, String value, Headers own, Code code, String message)
      throws InterruptedException {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(
            stage.topics.requests(),
            1,
            42,
            FIRST.toEpochMilli(),
            TimestampType.CREATE_TIME,
            0,
            0,
            key == null ? null : key.getBytes(StandardCharsets.UTF_8),
            value.getBytes(StandardCharsets.UTF_8),
            own,
            Optional.empty());
    letters()
        .write(stage.topics.requestsDlt(), List.of(new DeadLetters.Letter(record, code, message)));
  }

  private DeadLetters letters() {
    return new DeadLetters(stage.producer, InstantSource.fixed(FIRST));
  }

  private String place(String key) {
    return stage.records(stage.topics.requestsDlt()).stream()
        .filter(record -> key.equals(new String(record.key(), StandardCharsets.UTF_8)))
        .map(record -> record.partition() + "@" + record.offset())
        .findFirst()
        .orElseThrow();
  }

  private Typed dlt(String... words) {
    return typed(words, "dlt");
  }

  private Typed replay(String... words) {
    return typed(words, "dlt", "replay");
  }

  private Typed typed(String[] words, String... before) {
    List<String> all = new java.util.ArrayList<>(List.of(before));
    all.addAll(List.of(words));
    all.addAll(List.of("--config", stage.config.toString()));
    return Typed.type(all.toArray(String[]::new));
  }
}
