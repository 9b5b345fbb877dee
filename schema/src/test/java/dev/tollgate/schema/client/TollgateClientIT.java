package dev.tollgate.schema.client;

import static dev.tollgate.schema.client.Told.event;
import static dev.tollgate.schema.client.Told.json;
import static dev.tollgate.schema.client.Told.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.embedded.KafkaBroker;
import dev.tollgate.embedded.Services;
import dev.tollgate.embedded.ServicesOptions;
import dev.tollgate.embedded.SharedServices;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.event.Decoded;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.GenerationRequest;
import dev.tollgate.schema.event.RequestDecoder;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.event.ResultEvent.State;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.kafka.DeadLetters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The client against a real broker. The test tells the events that an installation would tell. */
final class TollgateClientIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final Topics topics = new Topics(SharedServices.topicPrefix(TollgateClientIT.class));

  @AfterEach
  void close() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  private <T extends AutoCloseable> T closed(T resource) {
    opened.push(resource);
    return resource;
  }

  /** The installation's side, on a broker. */
  private final class Installation {
    private final KafkaBroker broker;
    private final Clients clients;
    private final KafkaProducer<byte[], byte[]> producer;

    Installation(KafkaBroker broker, Map<String, String> settings) {
      this.broker = broker;
      broker.createTopics(3, topics.all());
      clients = new Clients(broker.bootstrapServers(), settings);
      producer = closed(clients.producer(Map.of()));
    }

    ClientOptions options() {
      return ClientOptions.of(broker.bootstrapServers()).withTopicPrefix(topics.prefix());
    }

    void tell(ResultEvent... events) {
      List<Future<?>> sent = new ArrayList<>();
      for (ResultEvent event : events) {
        sent.add(producer.send(event.toMessage().toRecord(topics.events())));
      }
      sent.forEach(TollgateClientIT::acknowledged);
    }

    /** A dead letter of a record, as intake writes it. */
    void refuse(ConsumerRecord<byte[], byte[]> record, Code code, String why) throws Exception {
      new DeadLetters(producer, () -> Instant.EPOCH)
          .write(topics.requestsDlt(), List.of(new DeadLetters.Letter(record, code, why)));
    }

    List<ConsumerRecord<byte[], byte[]>> requests() {
      try (KafkaConsumer<byte[], byte[]> consumer = clients.reader(Map.of())) {
        List<TopicPartition> partitions =
            consumer.partitionsFor(topics.requests()).stream()
                .map(info -> new TopicPartition(topics.requests(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        while (ends.entrySet().stream()
            .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
          consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        }
        return records;
      }
    }
  }

  private Installation shared() {
    return new Installation(SharedServices.kafka(), Map.of());
  }

  private static void acknowledged(Future<?> sent) {
    try {
      sent.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("not acknowledged", e);
    }
  }

  private static Result result(Submission submission) throws Exception {
    return submission.result().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static void published(Submission submission) throws Exception {
    submission.published().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void submitNext_publishesTheNextGeneration_andOneThatCannotBeIsNotPublished() throws Exception {
    Installation installation = shared();
    TollgateClient client = closed(TollgateClient.open(installation.options()));
    String json = json(1);
    Submission first = client.submit(json);
    assertThat(first.retryOf()).isNull();
    Submission next = client.submitNext(json, "the kite is blue");
    published(first);
    published(next);
    assertThat(next.retryOf()).isEqualTo(first.key());
    assertThat(next.key()).isNotEqualTo(first.key());
    ConsumerRecord<byte[], byte[]> record =
        installation.requests().stream()
            .filter(r -> next.key().toString().equals(new String(r.key(), StandardCharsets.UTF_8)))
            .findFirst()
            .orElseThrow();
    assertThat(RequestDecoder.decode(record.key(), record.value(), record.headers()))
        .isInstanceOfSatisfying(
            Decoded.Request.class,
            decoded ->
                assertThat(decoded.request().retry())
                    .isEqualTo(new Retry(first.key(), null, "the kite is blue")));
    installation.refuse(record, Code.EARLIER_STILL_OPEN, "it is sending");
    assertThat(result(next))
        .isInstanceOfSatisfying(
            Result.Refused.class,
            refused -> assertThat(refused.code()).isEqualTo(Code.EARLIER_STILL_OPEN));
    assertThatThrownBy(() -> client.submitNext(json, ""))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("retry_why");
    assertThat(installation.requests()).hasSize(2);
  }

  @Test
  void submit_publishesARequestThatIntakeTakes_andItsEventIsTheResult() throws Exception {
    Installation installation = shared();
    BlockingQueue<ResultEvent> progress = new LinkedBlockingQueue<>();
    TollgateClient client =
        closed(
            TollgateClient.open(
                installation.options().withSource("/shop/web").withProgress(progress::add)));
    Submission first = client.submit(json(1));
    Submission second = client.submit(request(2));
    published(first);
    published(second);
    List<GenerationRequest> taken =
        installation.requests().stream()
            .map(r -> RequestDecoder.decode(r.key(), r.value(), r.headers()))
            .map(decoded -> ((Decoded.Request) decoded).request())
            .toList();
    assertThat(taken)
        .extracting(GenerationRequest::key)
        .containsExactlyInAnyOrder(first.key(), second.key());
    assertThat(taken)
        .extracting(GenerationRequest::producer)
        .containsExactlyInAnyOrder("/shop/web", "/tollgate/publish");

    ResultEvent accepted = event(1, State.ACCEPTED, 2);
    installation.tell(accepted, accepted, event(3, State.COMPLETE, 3), event(2, State.FAILED, 2));
    assertThat(result(second)).isEqualTo(new Result.Failed(event(2, State.FAILED, 2)));
    installation.tell(event(1, State.COMPLETE, 3), accepted);
    assertThat(result(first))
        .isEqualTo(new Result.Completed(Told.output(1), event(1, State.COMPLETE, 3)));
    assertThat(progress).containsExactly(accepted);
  }

  @Test
  void submit_refusedByIntake_isRefusedWithItsCode() throws Exception {
    Installation installation = shared();
    TollgateClient client = closed(TollgateClient.open(installation.options()));
    Submission submission = client.submit(json(1));
    Submission other = client.submit(json(1, 8));
    published(submission);
    published(other);
    ConsumerRecord<byte[], byte[]> record =
        installation.requests().stream()
            .filter(r -> new String(r.value(), StandardCharsets.UTF_8).contains("\"seed\":8"))
            .findFirst()
            .orElseThrow();
    installation.refuse(
        new ConsumerRecord<>(topics.requests(), 0, 0, new byte[] {-1}, new byte[0]),
        Code.INVALID_EVENT,
        "somebody else's");
    installation.refuse(record, Code.KEY_PARAMETERS_MISMATCH, "other parameters");
    assertThat(result(other))
        .isEqualTo(
            new Result.Refused(other.key(), Code.KEY_PARAMETERS_MISMATCH, "other parameters"));
    assertThat(submission.result()).isNotDone();
  }

  @Test
  void submit_whatIsNoRequest_throwsAndPublishesNothing() {
    Installation installation = shared();
    TollgateClient client = closed(TollgateClient.open(installation.options()));
    assertThatThrownBy(() -> client.submit("{}")).isInstanceOf(RefusedException.class);
    assertThat(installation.requests()).isEmpty();
  }

  @Test
  void poisonAmongTheEvents_isLeftOut() throws Exception {
    Installation installation = shared();
    TollgateClient client = closed(TollgateClient.open(installation.options()));
    Submission submission = client.submit(json(1));
    EventMessage good = event(1, State.COMPLETE, 3).toMessage();
    acknowledged(
        installation.producer.send(
            new ProducerRecord<>(
                topics.events(), good.keyBytes(), "{".getBytes(StandardCharsets.UTF_8))));
    acknowledged(
        installation.producer.send(new ProducerRecord<>(topics.events(), good.keyBytes(), null)));
    installation.tell(event(1, State.COMPLETE, 3));
    assertThat(result(submission)).isInstanceOf(Result.Completed.class);
  }

  @Test
  void from_hearsWhatEndedBeforeItWasOpened_andNoEarlierLetter() throws Exception {
    Installation installation = shared();
    TollgateClient before = TollgateClient.open(installation.options());
    Submission refused = before.submit(json(2));
    published(before.submit(json(1)));
    published(refused);
    installation.tell(event(1, State.COMPLETE, 3));
    for (ConsumerRecord<byte[], byte[]> record : installation.requests()) {
      if (new String(record.key(), StandardCharsets.UTF_8).equals(refused.key().toString())) {
        installation.refuse(record, Code.UNKNOWN_PROVIDER, "not configured yet");
      }
    }
    assertThat(result(refused)).isInstanceOf(Result.Refused.class);
    before.close();

    TollgateClient now = closed(TollgateClient.open(installation.options()));
    Submission unheard = now.submit(json(1));
    TollgateClient late =
        closed(TollgateClient.open(installation.options().withFrom(Instant.EPOCH, 100)));
    assertThat(result(late.submit(json(1)))).isInstanceOf(Result.Completed.class);
    Submission again = late.submit(json(2));
    published(again);
    installation.tell(event(2, State.COMPLETE, 3));
    assertThat(result(again))
        .as("the letter was of an earlier try")
        .isInstanceOf(Result.Completed.class);
    assertThat(unheard.result()).as("its event is behind").isNotDone();
  }

  @Test
  void open_topicIsNotThere_isUnreachable() {
    KafkaBroker broker = SharedServices.kafka();
    ClientOptions options = ClientOptions.of(broker.bootstrapServers()).withTopicPrefix("nobodys");
    assertThatThrownBy(() -> TollgateClient.open(options))
        .isInstanceOf(ClientException.Unreachable.class)
        .hasMessageContaining("nobodys.events");
  }

  @Test
  void open_settingThatBreaksARule_isRefused() {
    ClientOptions options =
        ClientOptions.of(SharedServices.kafka().bootstrapServers())
            .withSettings(Map.of("acks", "1"));
    assertThatThrownBy(() -> TollgateClient.open(options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("acks");
  }

  @Test
  void close_endsWhatIsOpen_alsoFromWhatDependsOnAResult() throws Exception {
    Installation installation = shared();
    TollgateClient client = TollgateClient.open(installation.options());
    Submission open = client.submit(json(1));
    CompletableFuture<Void> closing = client.submit(json(2)).result().thenRun(client::close);
    installation.tell(event(2, State.COMPLETE, 3));
    closing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(open.published()).as("what was in the buffer went out").isCompleted();
    assertThatThrownBy(() -> result(open))
        .hasCauseInstanceOf(ClientException.Closed.class)
        .hasMessageContaining(open.key().toString());
    assertThatThrownBy(() -> client.submit(json(3))).isInstanceOf(ClientException.Closed.class);
    client.close();
  }

  /** What was told while the client had no broker is told when it is back, and once. */
  @Test
  void brokerComesBack_readingGoesOnWhereItWas() throws Exception {
    Map<String, String> quick = Map.of("reconnect.backoff.max.ms", "200");
    try (Services own = Services.chosen(ServicesOptions.temporary())) {
      Installation installation = new Installation(own.kafka(), quick);
      BlockingQueue<ResultEvent> progress = new LinkedBlockingQueue<>();
      TollgateClient client =
          TollgateClient.open(
              installation.options().withSettings(quick).withProgress(progress::add));
      Submission first = client.submit(json(1));
      Submission second = client.submit(json(2));
      published(second);
      installation.tell(event(1, State.ACCEPTED, 2), event(2, State.COMPLETE, 3));
      assertThat(result(second)).isInstanceOf(Result.Completed.class);

      own.kafka().kill();
      CompletableFuture<Submission> submitting =
          CompletableFuture.supplyAsync(() -> client.submit(json(3))); // waits for the broker
      own.kafka().start();
      Submission meanwhile = submitting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      published(meanwhile);
      installation.tell(
          event(1, State.ACCEPTED, 2), event(1, State.COMPLETE, 3), event(3, State.FAILED, 2));
      assertThat(result(first)).isInstanceOf(Result.Completed.class);
      assertThat(result(meanwhile)).isInstanceOf(Result.Failed.class);
      assertThat(progress).containsExactly(event(1, State.ACCEPTED, 2));

      Submission open = client.submit(json(4));
      published(open);
      own.kafka().kill();
      CompletableFuture<Result> last =
          CompletableFuture.supplyAsync(() -> client.submit(json(5)))
              .thenCompose(Submission::result);
      long before = System.nanoTime();
      client.close();
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
      assertThat(open.result()).isCompletedExceptionally();
      assertThat(last)
          .failsWithin(PATIENCE)
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(ClientException.class);
      installation.producer.close(Duration.ZERO);
    }
  }
}
