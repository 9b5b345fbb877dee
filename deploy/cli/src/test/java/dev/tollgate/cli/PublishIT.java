package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.event.Decoded;
import dev.tollgate.schema.event.RequestDecoder;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.kafka.DeadLetters;
import dev.tollgate.schema.key.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PublishIT {
  @TempDir Path folder;
  private KafkaStage stage;

  @BeforeEach
  void open() throws IOException {
    stage =
        KafkaStage.open(
            PublishIT.class, folder, "tollgate.database.url=jdbc:postgresql://unused/unused");
  }

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void goodRequests_areAcknowledgedInOrder_andDecode() throws IOException {
    Typed typed = publish("--verbose", lines(50));
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.err()).isEmpty();
    assertThat(typed.outLines()).hasSize(51);
    assertThat(typed.outLines().getLast())
        .isEqualTo("50 acknowledged by %s, 0 refused, 0 not acknowledged", stage.topics.requests());
    List<ConsumerRecord<byte[], byte[]>> records = stage.records(stage.topics.requests());
    assertThat(records)
        .allSatisfy(
            record ->
                assertThat(RequestDecoder.decode(record.key(), record.value(), record.headers()))
                    .isInstanceOf(Decoded.Request.class));
    assertThat(records.stream().map(r -> new String(r.key(), StandardCharsets.UTF_8)))
        .containsExactlyInAnyOrderElementsOf(typed.outLines().subList(0, 50));
    assertThat(typed.outLines().subList(0, 50)).isEqualTo(key(lines(50)).outLines());
  }

  @Test
  void refusedLines_areToldAndStopNothing() throws IOException {
    Typed typed = publish("-v", "{}\n" + lines(1) + "\n\nnonsense\n");
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.errLines()).hasSize(2);
    assertThat(typed.errLines().get(0)).startsWith("line 1: INVALID_EVENT: ");
    assertThat(typed.errLines().get(1)).startsWith("line 4: INVALID_EVENT: ");
    assertThat(typed.outLines().getLast()).startsWith("1 acknowledged").contains("2 refused");
    assertThat(stage.records(stage.topics.requests())).hasSize(1);
  }

  @Test
  void topicThatIsNotThere_isStatus3() throws IOException {
    Files.writeString(
        stage.config, Files.readString(stage.config).replace("topic-prefix=", "topic-prefix=not"));
    Typed typed = publish("-v", lines(1));
    assertThat(typed.code()).isEqualTo(Failure.UNREACHABLE);
    assertThat(typed.err()).contains("not" + stage.topics.requests());
    assertThat(typed.errLines()).hasSize(1);
  }

  /** The second time its results are told from what was heard since. */
  @Test
  void waiting_printsEachResultAsItComes_alsoTheSecondTime() throws Exception {
    CompletableFuture<Typed> first =
        CompletableFuture.supplyAsync(() -> typeWaiting("--within=60", lines(2)));
    awaitRequests(2);
    tell(0, ResultEvent.State.COMPLETE);
    tell(1, ResultEvent.State.COMPLETE);
    for (Typed typed : List.of(first.get(60, TimeUnit.SECONDS), typeWaiting("-v", lines(2)))) {
      assertThat(typed.err()).isEmpty();
      assertThat(typed.code()).isZero();
      assertThat(typed.outLines())
          .contains(
              "complete %s file:///0 sha256:%s 1 bytes, 0.35 USD"
                  .formatted(keyOf(0), Sha256.of(new byte[1])))
          .contains(
              "2 acknowledged by %s, 0 refused, 0 not acknowledged"
                  .formatted(stage.topics.requests()));
      assertThat(typed.outLines().getLast())
          .isEqualTo("2 complete, 0 failed, 0 refused, 0 not told yet");
    }
  }

  @Test
  void waiting_oneFailedOneRefused_isStatus1() throws Exception {
    CompletableFuture<Typed> typing =
        CompletableFuture.supplyAsync(() -> typeWaiting("--within=60", lines(2)));
    awaitRequests(2);
    tell(0, ResultEvent.State.FAILED);
    for (ConsumerRecord<byte[], byte[]> record : stage.records(stage.topics.requests())) {
      if (keyOf(1).equals(new String(record.key(), StandardCharsets.UTF_8))) {
        new DeadLetters(stage.producer, () -> Instant.EPOCH)
            .write(
                stage.topics.requestsDlt(),
                List.of(new DeadLetters.Letter(record, Code.UNKNOWN_PROVIDER, "keyed is not")));
      }
    }
    Typed typed = typing.get(60, TimeUnit.SECONDS);
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.outLines())
        .contains(
            "failed %s PROVIDER_REJECTED: it said no".formatted(keyOf(0)),
            "refused %s UNKNOWN_PROVIDER: keyed is not".formatted(keyOf(1)))
        .endsWith("0 complete, 1 failed, 1 refused, 0 not told yet");
  }

  @Test
  void waiting_notToldInTime_isStatus1AndSaysSo() {
    Typed typed = typeWaiting("--within=1", lines(1));
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.outLines()).endsWith("0 complete, 0 failed, 0 refused, 1 not told yet");
  }

  private void awaitRequests(int count) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> stage.records(stage.topics.requests()).size() == count);
  }

  private static RequestWriter.Ready request(int n) {
    return (RequestWriter.Ready) RequestWriter.fromJsonLine(lines(n + 1).lines().toList().get(n));
  }

  private static String keyOf(int n) {
    return request(n).key().toString();
  }

  /** Tells an event as a reconciler does. */
  private void tell(int n, ResultEvent.State state) throws Exception {
    boolean complete = state == ResultEvent.State.COMPLETE;
    ResultEvent event =
        new ResultEvent(
            request(n).key(),
            state,
            3,
            "keyed",
            "job",
            complete
                ? new ResultEvent.Output("file:///" + n, Sha256.of(new byte[1]), 1, null)
                : null,
            complete ? Code.OUTPUT_STORED : Code.PROVIDER_REJECTED,
            Instant.EPOCH,
            1,
            ResultEvent.Details.ended(
                request(n).requestHash(),
                null,
                complete ? new ResultEvent.Price(Money.of("0.35"), "USD") : null,
                complete ? null : "it said no"));
    stage.producer.send(event.toMessage().toRecord(stage.topics.events())).get();
  }

  private Typed typeWaiting(String option, String text) {
    try {
      return Typed.type(
          "publish", "--wait", option, "--config", stage.config.toString(), file(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String lines(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                "{\"kind\":\"video\",\"product\":\"p-%s\",\"provider\":\"keyed\",\"params\":{\"seed\":%s}}"
                    .formatted(String.valueOf(i), String.valueOf(i)))
        .collect(Collectors.joining("\n"));
  }

  private Typed publish(String option, String text) throws IOException {
    return Typed.type("publish", option, "--config", stage.config.toString(), file(text));
  }

  private Typed key(String text) throws IOException {
    return Typed.type("key", file(text));
  }

  private String file(String text) throws IOException {
    Path file = folder.resolve("requests.jsonl");
    Files.writeString(file, text);
    return file.toString();
  }
}
