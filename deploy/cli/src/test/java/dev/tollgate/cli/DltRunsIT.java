package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.cli.dlt.Selection;
import dev.tollgate.cli.dlt.Terms;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Decoded;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.GenerationRequest;
import dev.tollgate.schema.event.RequestDecoder;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.DeadLetterFate.At;
import dev.tollgate.schema.store.DeadLetterRun;
import dev.tollgate.schema.store.DeadLetterRuns;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.NewIntent;
import dev.tollgate.schema.store.PostgresOperationStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is decided about letters is kept: runs at once, runs that died, what is on record. */
final class DltRunsIT {
  @TempDir Path folder;
  private DltStage stage;

  @BeforeEach
  void open() throws IOException {
    stage = DltStage.open(DltRunsIT.class, folder);
    Path key = Files.writeString(folder.resolve("key"), "not-a-real-key");
    stage.configure(
        """
        tollgate.providers.keyed.price=0.35
        tollgate.providers.keyed.descriptor=http-json
        tollgate.providers.keyed.endpoint=http://127.0.0.1:1/keyed
        tollgate.providers.keyed.offers=lookup-by-reference
        tollgate.providers.keyed.api-key=file:%s
        """
            .formatted(key.toAbsolutePath()));
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private List<String> sentKeys() {
    return stage.requests().stream()
        .map(record -> new String(record.key(), StandardCharsets.UTF_8))
        .toList();
  }

  private static GenerationRequest decoded(EventMessage message) {
    return ((Decoded.Request)
            RequestDecoder.decode(message.keyBytes(), message.valueBytes(), message.kafkaHeaders()))
        .request();
  }

  /** Brings an operation to its output, as a worker would. */
  private void complete(EventMessage message) {
    GenerationRequest request = decoded(message);
    PostgresOperationStore store = new PostgresOperationStore(stage.database.dsl());
    UUID id = UUID.randomUUID();
    NewIntent intent =
        new NewIntent(
            request.key(),
            request.provider(),
            request.requestHash().bytes(),
            Arrays.copyOf(request.key().bytes(), 16),
            true,
            null,
            null,
            request.dimensions(),
            request.params().bytes(),
            0,
            7,
            "/shop",
            Fixture.PRICE,
            null);
    store.insert(List.of(intent), id, "test", List.of(Fixture.TERMS));
    Claim claim = store.claimed(request.provider(), id).getFirst();
    store.apply(List.of(Fixture.accepted(claim, "job-1")));
    Follow follow =
        new Follow(
            claim.key(),
            claim.provider(),
            claim.fence(),
            claim.claim(),
            "job-1",
            claim.seq(),
            Fixture.SENDS_TO);
    store.apply(List.of(Fixture.complete(follow, Fixture.output(1))));
  }

  /** It would be refused by the worker, since its message is as old after a replay as before. */
  @Test
  void letterOlderThanAllThatIsRemembered_isToldSo_andLeft() throws Exception {
    stage.sentAt(InstantSource.system().instant().minus(Duration.ofDays(100)));
    stage.letter(DltStage.request("old"), Code.UNKNOWN_PROVIDER);
    Typed typed = stage.replay("--all", "--dry-run");
    assertThat(typed.err())
        .contains("it would be refused again: TOO_OLD", "retention.billing-window");
    assertThat(stage.requests()).isEmpty();
  }

  @Test
  void dryRun_saysForEachWhatWouldBe_andWhatItCosts_andDoesNothing() throws Exception {
    EventMessage done = DltStage.request("done");
    complete(done);
    stage.letter(DltStage.request("new"), Code.UNKNOWN_PROVIDER);
    stage.letter(done, Code.UNKNOWN_PROVIDER);
    stage.letter(DltStage.request("done", 8), Code.KEY_PARAMETERS_MISMATCH);
    stage.letter("k-1", "{", Code.INVALID_EVENT, "bad");

    Typed typed = stage.replay("--all", "--dry-run");
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.out())
        .contains("would replay ", "provider keyed is configured now; it costs 0.35 USD")
        .contains("would settle ", "already complete: " + Fixture.output(1).address());
    assertThat(typed.errLines()).hasSize(2);
    assertThat(typed.err())
        .contains("it would be refused again: KEY_PARAMETERS_MISMATCH")
        .contains("it would be refused again: INVALID_EVENT");
    assertThat(typed.outLines().getLast())
        .isEqualTo(
            "nothing was done; would be: 1 replayed, for 0.35 USD, 1 answered from what is on record, 2 left");
    assertThat(stage.requests()).isEmpty();
    assertThat(stage.dlt("list").outLines().getFirst()).endsWith(": 4 dead letters");
    assertThat(stage.dlt("runs").out()).isEmpty();
  }

  @Test
  void replay_whatIsOnRecord_isAnsweredFromThere_andTheReportIsKept() throws Exception {
    EventMessage done = DltStage.request("done");
    complete(done);
    stage.letter(DltStage.request("new"), Code.UNKNOWN_PROVIDER);
    stage.letter(done, Code.UNKNOWN_PROVIDER);
    stage.letter("k-1", "{", Code.INVALID_EVENT, "bad");

    Typed typed = stage.replay("--all", "--json");
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.outLines()).hasSize(4).allMatch(line -> line.startsWith("{"));
    assertThat(typed.outLines().getLast())
        .isEqualTo(
            "{\"run\":1,\"dry_run\":false,\"topic\":\"%s\",\"replayed\":1,\"settled\":1,\"discarded\":0,\"left\":1,\"cost\":\"0.35\",\"currency\":\"USD\",\"price_unknown\":0,\"decided_before\":0}"
                .formatted(stage.kafka.topics.requestsDlt()));
    assertThat(sentKeys()).containsExactly(DltStage.request("new").key());
    assertThat(stage.dlt("list").outLines().getFirst()).endsWith(": 1 dead letters");
    assertThat(stage.dlt("list", "--all").out())
        .contains(": 3 dead letters", "replayed by run 1", "settled by run 1");
    assertThat(stage.dlt("runs").out())
        .startsWith("1     replay  ")
        .contains(
            "by ann  mended it: 1 replayed, for 0.35 USD, 1 answered from what is on record, 1 left");
    assertThat(stage.dlt("run", "1").out())
        .contains("why      mended it", "settled", "already complete: ", "replayed", "to ");
    assertThat(stage.dlt("run", "1", "--json").out()).contains("\"fate\":\"settled\"");
    assertThat(stage.dlt("run", "2").code()).isEqualTo(Failure.REFUSED);
    assertThat(stage.dlt("show", stage.place(done.key())).out())
        .contains(
            "decided  settled at ", "by run 1, already complete", "known    already complete");
  }

  @Test
  void replayed_isNotReplayedAgain_untilItComesBack() throws Exception {
    EventMessage request = DltStage.request("p");
    stage.letter(request, Code.UNKNOWN_PROVIDER);
    assertThat(stage.replay("--all").code()).isZero();
    Typed again = stage.replay("--all");
    assertThat(again.code()).isZero();
    assertThat(again.outLines()).containsExactly("run 2: 0 replayed, 1 decided on before");
    Typed named = stage.replay("--offset", stage.place(request.key()));
    assertThat(named.code()).isEqualTo(Failure.REFUSED);
    assertThat(named.err()).contains("run 1 replayed it");
    stage.comeBack(Code.UNKNOWN_PROVIDER);
    assertThat(stage.replay("--all").out()).contains("(replay 2)");
    assertThat(stage.requests()).hasSize(2);
  }

  @Test
  void twoOperatorsAtOnce_noLetterIsSentTwice() throws Exception {
    for (int n = 0; n < 60; n++) {
      stage.letter(DltStage.request("p-" + n), Code.UNKNOWN_PROVIDER);
    }
    Executor threads = task -> Thread.ofVirtual().start(task);
    CompletableFuture<Typed> one =
        CompletableFuture.supplyAsync(() -> stage.replay("--all", "--rate", "100/s"), threads);
    CompletableFuture<Typed> other =
        CompletableFuture.supplyAsync(() -> stage.replay("--all", "--rate", "10/s"), threads);
    one.join();
    other.join();
    assertThat(sentKeys()).hasSize(60).doesNotHaveDuplicates();
    assertThat(new DeadLetterRuns(stage.database.dsl()).runs(2))
        .allSatisfy(run -> assertThat(run.endedAt()).isNotNull())
        .extracting(run -> run.counts().replayed())
        .satisfies(counts -> assertThat(counts.get(0) + counts.get(1)).isEqualTo(60));
    assertThat(stage.dlt("list").outLines().getFirst()).endsWith(": 0 dead letters");
  }

  /** It had claimed three, sent one of them, and recorded none. */
  @Test
  void runThatDied_isGoneOnWith_andNothingIsLostOrForgotten() throws Exception {
    for (int n = 0; n < 5; n++) {
      stage.letter(DltStage.request("p-" + n), Code.UNKNOWN_PROVIDER);
    }
    List<At> letters =
        stage.kafka.records(stage.kafka.topics.requestsDlt()).stream()
            .map(record -> new At(record.partition(), record.offset()))
            .toList();
    DeadLetterRuns runs = new DeadLetterRuns(stage.database.dsl());
    // a run that was told to do all of them, and ended at once, tells the topic's id
    assertThat(stage.replay("--offset", "1@12345").code()).isEqualTo(Failure.REFUSED);
    DeadLetterRun told = runs.runs(1).getFirst();
    Terms terms = new Terms(Selection.ALL.before(Map.of(0, 1_000L, 1, 1_000L)), false, false, 5, 0);
    DeadLetterRuns.Hold dead =
        runs.start(
            DeadLetterRun.Kind.REPLAY,
            told.topic(),
            told.topicId(),
            "ann",
            "mended it",
            terms.toJson(),
            UUID.randomUUID(),
            Duration.ofMinutes(1));
    assertThat(runs.claim(dead, letters.subList(0, 3), false)).isPresent();
    ConsumerRecord<byte[], byte[]> sent =
        stage.kafka.records(stage.kafka.topics.requestsDlt()).getFirst();
    stage
        .kafka
        .producer
        .send(
            new org.apache.kafka.clients.producer.ProducerRecord<>(
                stage.kafka.topics.requests(), sent.key(), sent.value()))
        .get();

    String id = String.valueOf(dead.run());
    Typed early = stage.dlt("replay", "--resume", id);
    assertThat(early.code()).isEqualTo(Failure.REFUSED);
    assertThat(early.err()).contains("run " + id + " is under way, or its process died");
    Typed another = stage.replay("--all", "--dry-run");
    assertThat(another.err()).contains("run " + id + " has it in hand");
    assertThat(stage.dlt("runs").out())
        .contains("3 claimed and not known to be done; `tollgate dlt replay --resume " + id);

    runs.letGo(dead);
    Typed resumed = stage.dlt("replay", "--resume", id);
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(resumed.outLines().getLast())
        .isEqualTo("run %s: 5 replayed, for 1.75 USD".formatted(id));
    assertThat(sentKeys()).hasSize(6);
    assertThat(sentKeys().stream().distinct()).hasSize(5);
    assertThat(runs.run(dead.run()).orElseThrow().counts().replayed()).isEqualTo(5);
    Typed over = stage.dlt("replay", "--resume", id);
    assertThat(over.code()).isEqualTo(Failure.REFUSED);
    assertThat(over.err()).contains("run " + id + " ended at ");
  }

  /** A process of its own, ended where it stands. */
  @Test
  void runThatWasKilled_isGoneOnWith_andAtMostItsLastBatchIsSentAgain() throws Exception {
    for (int n = 0; n < 40; n++) {
      stage.letter(DltStage.request("p-" + n), Code.UNKNOWN_PROVIDER);
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "dlt",
                "replay",
                "--all",
                "--why",
                "mended it",
                "--rate",
                "5/s",
                "--config",
                stage.kafka.config.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("killed.log").toFile())
            .start();
    try {
      await().atMost(Duration.ofMinutes(2)).until(() -> stage.requests().size() >= 7);
    } finally {
      process.destroyForcibly().waitFor();
    }
    int before = stage.requests().size();
    assertThat(before).isLessThan(40);
    DeadLetterRun died = new DeadLetterRuns(stage.database.dsl()).runs(1).getFirst();
    assertThat(died.endedAt()).isNull();
    stage.database.dsl().execute("UPDATE dead_letter_run SET until = now()"); // its lease is over

    Typed resumed = stage.dlt("replay", "--resume", String.valueOf(died.id()), "--rate", "100/s");
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(sentKeys().stream().distinct()).hasSize(40);
    assertThat(sentKeys()).hasSizeLessThanOrEqualTo(45);
    assertThat(new DeadLetterRuns(stage.database.dsl()).run(died.id()).orElseThrow())
        .satisfies(
            run -> {
              assertThat(run.endedAt()).isNotNull();
              assertThat(run.claimed()).isZero();
              assertThat(run.counts().replayed()).isEqualTo(40);
              assertThat(run.counts().micros()).isEqualTo(40 * 350_000L);
            });
  }

  @Test
  void limit_isOfTheRun() throws Exception {
    for (int n = 0; n < 5; n++) {
      stage.letter(DltStage.request("p-" + n), Code.UNKNOWN_PROVIDER);
    }
    assertThat(stage.replay("--all", "--limit", "2").outLines().getLast())
        .isEqualTo("run 1: 2 replayed, for 0.70 USD");
    assertThat(stage.dlt("list").outLines().getFirst()).endsWith(": 3 dead letters");
  }

  @Test
  void discard_marksAndHides_andReplayTakesItOnlyWhenTold() throws Exception {
    EventMessage request = DltStage.request("p");
    stage.letter(request, Code.UNKNOWN_PROVIDER);
    stage.letter("k-1", "{", Code.INVALID_EVENT, "bad");
    Typed dry = stage.dlt("discard", "--code", "UNKNOWN_PROVIDER", "--why", "a test", "--dry-run");
    assertThat(dry.outLines().getFirst()).startsWith("would discard ");
    Typed typed = stage.dlt("discard", "--code", "UNKNOWN_PROVIDER", "--why", "a test");
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.outLines().getLast()).endsWith("1 discarded");
    assertThat(stage.dlt("list").outLines().getFirst()).endsWith(": 1 dead letters");
    assertThat(stage.dlt("list", "--all").out()).contains("discarded by run 1");

    assertThat(stage.replay("--code", "UNKNOWN_PROVIDER").out()).contains("0 replayed");
    assertThat(stage.replay("--offset", stage.place(request.key())).err())
        .contains("run 1 discarded it; --discarded takes it all the same");
    assertThat(stage.requests()).isEmpty();
    assertThat(stage.replay("--code", "UNKNOWN_PROVIDER", "--discarded").code()).isZero();
    assertThat(sentKeys()).containsExactly(request.key());
  }

  /** Its offsets begin anew: what was decided about another letter there says nothing of it. */
  @Test
  void topicMadeAgain_isAnotherTopic() throws Exception {
    stage.letter(DltStage.request("p"), Code.UNKNOWN_PROVIDER);
    assertThat(stage.replay("--all").code()).isZero();
    stage.kafka.makeAgain(stage.kafka.topics.requestsDlt());
    stage.letter(DltStage.request("p-2"), Code.UNKNOWN_PROVIDER);
    assertThat(stage.dlt("list").outLines().getFirst()).endsWith(": 1 dead letters");
    assertThat(stage.replay("--all").out()).contains("1 replayed");
  }
}
