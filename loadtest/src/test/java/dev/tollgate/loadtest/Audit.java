package dev.tollgate.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.event.DecodedResult;
import dev.tollgate.schema.event.ResultDecoder;
import dev.tollgate.schema.event.ResultEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What must hold after every run, whatever went wrong in it. */
final class Audit {
  private Audit() {}

  /** Rules that the database and the ledger show by themselves. */
  static void check(Stage stage) {
    oneTaskForEachOperation(stage);
    everyOpenOperationIsWoken(stage);
    everyRequestWasWrittenBeforeItWasSent(stage);
    whatFailedLeftNoTaskBehind(stage);
    nothingIsAcknowledgedBeforeItIsDurable(stage);
  }

  /** X8: inputs of distinct operations differ in these tests, so one input is one operation. */
  static void oneTaskForEachOperation(Stage stage) {
    Map<String, Integer> tasks = new TreeMap<>();
    stage
        .ledger()
        .tasks()
        .forEach(task -> tasks.merge(task.kind() + task.input(), 1, Integer::sum));
    assertThat(tasks).allSatisfy((input, made) -> assertThat(made).as(input).isEqualTo(1));
  }

  static void everyOpenOperationIsWoken(Stage stage) {
    assertThat(
            stage.sql(
                """
                SELECT key, state FROM operations
                WHERE (state IN ('failed', 'complete')) = (next IS NOT NULL)
                """))
        .as("open operations without a wake row, finished ones with one")
        .isEmpty();
    assertThat(
            stage.sql(
                """
                SELECT encode(op_key, 'hex') FROM intent FULL JOIN operation o USING (op_key)
                WHERE o.state IS NULL OR intent.params IS NULL
                """))
        .as("intents and operations come together")
        .isEmpty();
  }

  /** Rule 1, counted: never more requests than attempts. */
  static void everyRequestWasWrittenBeforeItWasSent(Stage stage) {
    List<String> attempts = stage.sql("SELECT count(*) FROM attempts");
    assertThat((long) stage.ledger().requests().size())
        .isLessThanOrEqualTo(Long.parseLong(attempts.getFirst()));
  }

  /** A refusal is the provider's clear word: a task that was made all the same is paid and lost. */
  static void whatFailedLeftNoTaskBehind(Stage stage) {
    Set<String> refused =
        new HashSet<>(
            stage.sql(
                """
                SELECT convert_from(i.params, 'UTF8') FROM operation o JOIN intent i USING (op_key)
                WHERE o.state = 'failed' AND o.remote_id IS NULL
                """));
    assertThat(stage.ledger().tasks())
        .as("tasks of operations that failed without one")
        .noneMatch(task -> refused.contains(String.valueOf(task.input())));
  }

  /** Rule 3: no committed offset is past a record that is neither an intent nor a dead letter. */
  static void nothingIsAcknowledgedBeforeItIsDurable(Stage stage) {
    Topic requests = stage.topic(stage.topics().requests());
    Map<Integer, Long> committed = requests.committed(stage.workerGroup());
    // read after the offsets, so that what is missing was missing when they were committed
    Set<String> durable = new HashSet<>(stage.states().keySet());
    Set<String> letters = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> letter :
        stage.topic(stage.topics().requestsDlt()).records()) {
      letters.add(
          header(letter, "__connect.errors.partition")
              + "@"
              + header(letter, "__connect.errors.offset"));
    }
    for (ConsumerRecord<byte[], byte[]> record : requests.records()) {
      if (record.offset() < committed.getOrDefault(record.partition(), 0L)) {
        String place = record.partition() + "@" + record.offset();
        assertThat(letters.contains(place) || durable.contains(Texts.utf8(record.key())))
            .as("%s is durable or a dead letter", place)
            .isTrue();
      }
    }
  }

  /** After repeats are dropped by their id, each operation's versions rise and the last is true. */
  static void eventsTellTheTruthInOrder(Stage stage) {
    Map<String, Long> versions = new HashMap<>();
    Map<String, String> last = new HashMap<>();
    Set<String> ids = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : stage.topic(stage.topics().events()).records()) {
      ResultEvent event =
          switch (ResultDecoder.decode(record.key(), record.value(), record.headers())) {
            case DecodedResult.Result result -> result.event();
            case dev.tollgate.schema.event.Refused refused ->
                throw new AssertionError(refused.message());
          };
      if (ids.add(event.id())) {
        String key = event.key().toString();
        Long before = versions.put(key, event.version());
        assertThat(before == null || before < event.version())
            .as("version %d of %s came after %s", event.version(), key, before)
            .isTrue();
        assertThat(last.put(key, event.state().name().toLowerCase(Locale.ROOT)))
            .as("state before the last event of %s", key)
            .isNotIn("complete", "failed");
      }
    }
    Map<String, String> states = stage.states();
    states.values().removeIf(state -> state.equals("prepared") || state.equals("sending"));
    states.forEach((key, state) -> assertThat(last).as("last event").containsEntry(key, state));
  }

  static void outboxIsEmptied(Stage stage) {
    Stage.eventually().until(() -> stage.sql("SELECT id FROM outbox LIMIT 1").isEmpty());
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    var header = record.headers().lastHeader(name);
    return header == null ? "" : Texts.utf8(header.value());
  }
}
