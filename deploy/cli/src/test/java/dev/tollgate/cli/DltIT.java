package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters are listed, shown and sent back as they were. */
final class DltIT {
  @TempDir Path folder;
  private DltStage stage;

  @BeforeEach
  void open() throws IOException {
    stage = DltStage.open(DltIT.class, folder);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void list_countsByCode_andFilters() throws Exception {
    stage.letter("k-1", "one", Code.INVALID_EVENT, "bad\u001b[2J");
    stage.letter("k-2", "two", Code.UNKNOWN_PROVIDER, "who");
    stage.letter(null, "three", Code.INVALID_EVENT, "no key");
    Typed typed = stage.dlt("list");
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.outLines().getFirst()).endsWith(": 3 dead letters");
    assertThat(typed.out()).contains("2  INVALID_EVENT", "1  UNKNOWN_PROVIDER", "bad?[2J");
    assertThat(stage.dlt("list", "--code", "unknown_provider").out()).contains(": 1 dead letters");
    assertThat(stage.dlt("list", "--json").outLines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("{"));
    assertThat(stage.dlt("list", "--json", "--limit", "1").outLines()).hasSize(1);
    assertThat(stage.dlt("list", "--topic", "reconcile").out()).contains(": 0 dead letters");
    assertThat(stage.dlt("list", "--key", "k-2", "--json").outLines()).hasSize(1);
    assertThat(stage.dlt("list", "--since", "1h").out()).contains(": 3 dead letters");
    assertThat(stage.dlt("list", "--until", "2026-01-31").out()).contains(": 0 dead letters");
    assertThat(stage.dlt("list", "--provider", "keyed").out()).contains(": 0 dead letters");
    EventMessage request = DltStage.request("p");
    stage.letter(request, Code.UNKNOWN_PROVIDER);
    assertThat(stage.dlt("list", "--provider", "keyed").out()).contains(": 1 dead letters");
    String digits = request.key().substring(request.key().indexOf(':') + 1).substring(0, 8);
    assertThat(stage.dlt("list", "--key", digits).out()).contains(": 1 dead letters");
  }

  @Test
  void show_printsHeadersAndValue() throws Exception {
    stage.letter("k-1", "{\"a\":1}", Code.INVALID_EVENT, "bad");
    Typed typed = stage.dlt("show", stage.place("k-1"));
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.out())
        .contains("INVALID_EVENT", "* mine: yes", "kafka_dlt-original-offset: 42", "{\"a\":1}")
        .contains("no operation has its key", "it would be refused again: INVALID_EVENT: ");
    assertThat(stage.dlt("show", stage.place("k-1"), "--json").out())
        .startsWith("{\"topic\":")
        .contains("\"kafka_dlt-original-offset\":\"42\"");
    assertThat(stage.dlt("show", "1@999").code()).isEqualTo(Failure.REFUSED);
    assertThat(stage.dlt("show", "9@0").code()).isEqualTo(Failure.REFUSED);
  }

  @Test
  void replay_sendsKeyValueAndOwnHeadersBack_andCountsItself() throws Exception {
    stage.letter("k-1", "one", Code.UNKNOWN_PROVIDER, "who");
    stage.letter("k-2", "two", Code.INVALID_EVENT, "bad");
    Typed typed = stage.replay("--code", "UNKNOWN_PROVIDER", "--force");
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.outLines().getLast()).isEqualTo("run 1: 1 replayed");
    assertThat(typed.outLines().getFirst())
        .startsWith(
            "replayed %s UNKNOWN_PROVIDER k-1 -> %s "
                .formatted(stage.place("k-1"), stage.kafka.topics.requests()))
        .contains("(replay 1)");
    List<ConsumerRecord<byte[], byte[]>> sent = stage.requests();
    assertThat(sent).hasSize(1);
    ConsumerRecord<byte[], byte[]> record = sent.getFirst();
    assertThat(record.key()).asString().isEqualTo("k-1");
    assertThat(record.value()).asString().isEqualTo("one");
    Headers headers = record.headers();
    assertThat(DeadLetterHeaders.text(headers, "mine")).isEqualTo("yes");
    assertThat(DeadLetterHeaders.text(headers, DeadLetterHeaders.REPLAYS)).isEqualTo("1");
    assertThat(DeadLetterHeaders.text(headers, DeadLetterHeaders.FIRST_FAILED_AT))
        .isEqualTo(DltStage.FIRST.toString());
    assertThat(DeadLetterHeaders.text(headers, DeadLetterHeaders.REPLAYED_BY))
        .startsWith("ann at ")
        .endsWith(
            "from " + stage.kafka.topics.requestsDlt() + "-" + stage.place("k-1") + ": mended it");
    assertThat(DeadLetterHeaders.text(headers, DeadLetterHeaders.CODE)).isNull();
    assertThat(headers.lastHeader("kafka_dlt-original-topic")).isNull();
  }

  @Test
  void replay_neverGoesWhereAHeaderPoints() throws Exception {
    Headers own = new RecordHeaders();
    DeadLetterHeaders.put(own, "kafka_dlt-original-topic", stage.kafka.topics.events());
    DeadLetterHeaders.put(own, "__connect.errors.topic", stage.kafka.topics.events());
    stage.letter("k-1", "one", own, Code.INVALID_EVENT, "bad");
    assertThat(stage.replay("--all", "--force").code()).isZero();
    assertThat(stage.kafka.records(stage.kafka.topics.events())).isEmpty();
    assertThat(stage.requests()).hasSize(1);
  }

  @Test
  void replay_copiesOfOneMessageGoOnce_andTheirHighestCountIsTheLimits() throws Exception {
    stage.letter("k-1", "one", Code.INVALID_EVENT, "bad");
    for (int round = 1; round <= 2; round++) {
      assertThat(stage.replay("--all", "--force", "--max-replays", "2").code()).isZero();
      stage.comeBack(Code.INVALID_EVENT);
    }
    Typed typed = stage.replay("--all", "--force", "--max-replays", "2");
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.err()).contains("left " + stage.place("k-1") + " k-1: REPLAY_LIMIT");
    assertThat(typed.out()).contains("0 replayed, 1 left", "2 decided on before");
    assertThat(stage.requests()).hasSize(2);
  }

  /** Two letters that nobody has dealt with, of one message: one is sent, both are off the list. */
  @Test
  void replay_copies_theNewestStandsForAll() throws Exception {
    stage.letter("k-1", "one", Code.INVALID_EVENT, "bad");
    String first = stage.place("k-1");
    stage.letter("k-1", "one", Code.INVALID_EVENT, "bad");
    String second = stage.place("k-1");
    Typed typed = stage.replay("--all", "--force");
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.outLines().getFirst())
        .startsWith("settled " + first)
        .endsWith("a copy of " + second + ", which stands for it");
    assertThat(stage.requests()).hasSize(1);
    assertThat(stage.dlt("list").outLines().getFirst()).endsWith(": 0 dead letters");
  }

  @Test
  void replay_sameKeyWithOtherValue_isAnotherMessage() throws Exception {
    stage.letter("k-1", "one", Code.INVALID_EVENT, "bad");
    stage.letter("k-1", "two", Code.INVALID_EVENT, "bad");
    assertThat(stage.replay("--all", "--force").out()).contains("2 replayed");
  }

  @Test
  void replay_shortenedRecord_isLeftAndSaysWhy() throws Exception {
    Headers own = new RecordHeaders();
    DeadLetterHeaders.put(own, DeadLetterHeaders.ORIGINAL_SHA256, "00".repeat(32));
    stage.letter("k-1", "the beginni", own, Code.INVALID_EVENT, "too long");
    Typed typed = stage.replay("--all", "--force");
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.err()).contains("only the beginning of its value was kept");
    assertThat(stage.requests()).isEmpty();
  }

  @Test
  void replay_placesThatHoldNothing_areTold() {
    Typed nothing = stage.replay("--offset", "1@12345");
    assertThat(nothing.code()).isEqualTo(Failure.REFUSED);
    assertThat(nothing.err()).contains("left 1@12345");
  }

  @Test
  void replay_boundsItsRate() throws Exception {
    for (int i = 0; i < 5; i++) {
      stage.letter("k-" + i, "v", Code.INVALID_EVENT, "bad");
    }
    long began = System.nanoTime();
    assertThat(stage.replay("--all", "--force", "--rate", "10").code()).isZero();
    assertThat(System.nanoTime() - began).isGreaterThan(400_000_000L);
  }
}
