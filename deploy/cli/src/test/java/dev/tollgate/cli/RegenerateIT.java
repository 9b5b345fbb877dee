package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Decoded;
import dev.tollgate.schema.event.GenerationRequest;
import dev.tollgate.schema.event.NextGeneration;
import dev.tollgate.schema.event.RequestDecoder;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.NewIntent;
import dev.tollgate.schema.store.PostgresOperationStore;
import dev.tollgate.schema.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A person asks for the next generation, and sees which there are. */
final class RegenerateIT {
  private static final String LINE =
      "{\"kind\":\"video\",\"product\":\"p-1\",\"provider\":\"keyed\",\"params\":{\"prompt\":\"secret kite\"}}";

  @TempDir Path folder;
  private KafkaStage stage;
  private Database database;
  private PostgresOperationStore store;

  @BeforeEach
  void open() throws IOException {
    DatabaseSettings settings = TestDatabase.migrated(RegenerateIT.class);
    stage =
        KafkaStage.open(
            RegenerateIT.class,
            folder,
            """
            tollgate.database.url=%s
            tollgate.database.user=%s
            tollgate.database.password=%s
            tollgate.providers.keyed.price=0.35
            """
                .formatted(settings.url(), settings.user(), settings.password()));
    database = new Database(settings, "test", 1, null);
    store = new PostgresOperationStore(database.dsl());
  }

  @AfterEach
  void close() {
    database.close();
    stage.close();
  }

  private void configure(String line) throws IOException {
    Files.writeString(stage.config, line + "\n", StandardOpenOption.APPEND);
  }

  /** The n-th generation of one output; each after the first names the one before. */
  private static GenerationRequest generation(int n) {
    RequestWriter.Ready ready = (RequestWriter.Ready) RequestWriter.fromJsonLine(LINE, "/shop");
    for (int i = 1; i < n; i++) {
      ready =
          (RequestWriter.Ready)
              NextGeneration.ofJsonLine(ready.message().value(), "/shop", "anna", "too dark");
    }
    return ((Decoded.Request)
            RequestDecoder.decode(
                ready.message().keyBytes(),
                ready.message().valueBytes(),
                ready.message().kafkaHeaders()))
        .request();
  }

  /** Brings a generation to a state, as worker and reconciler would. */
  private OperationKey stored(int n, OperationState state) {
    return stored(n, state, null);
  }

  private OperationKey stored(int n, OperationState state, @Nullable Instant deadline) {
    GenerationRequest request = generation(n);
    UUID id = UUID.randomUUID();
    NewIntent intent =
        new NewIntent(
            request.key(),
            request.provider(),
            request.requestHash().bytes(),
            Arrays.copyOf(request.key().bytes(), 16),
            state != OperationState.PREPARED,
            deadline,
            "campaign/17",
            request.dimensions(),
            request.params().bytes(),
            0,
            n,
            "/shop",
            Fixture.PRICE,
            request.retry());
    store.insert(List.of(intent), id, "test", List.of(Fixture.TERMS));
    if (state != OperationState.PREPARED && state != OperationState.SENDING) {
      bring(store.claimed(request.provider(), id).getFirst(), n, state);
    }
    return request.key();
  }

  private void bring(Claim claim, int n, OperationState state) {
    if (state == OperationState.UNKNOWN) {
      store.apply(List.of(Fixture.unknown(claim)));
      return;
    }
    store.apply(List.of(Fixture.accepted(claim, "job-" + n)));
    Follow follow =
        new Follow(
            claim.key(),
            claim.provider(),
            claim.fence(),
            claim.claim(),
            "job-" + n,
            claim.seq(),
            Fixture.SENDS_TO);
    if (state == OperationState.COMPLETE) {
      store.apply(List.of(Fixture.complete(follow, Fixture.output(n))));
    } else if (state == OperationState.FAILED) {
      store.apply(
          List.of(
              Change.ofFollow(
                  follow,
                  OperationState.FAILED,
                  Code.PROVIDER_FAILED,
                  null,
                  null,
                  Duration.ZERO,
                  Evidence.note(Evidence.Source.STATUS, Code.PROVIDER_FAILED, "failed: code 7"))));
    }
  }

  private Typed regenerate(OperationKey key, String... options) {
    List<String> words = new ArrayList<>(List.of("operations", "regenerate", key.toString()));
    words.addAll(List.of("--who", "anna", "--why", "the kite is blue"));
    words.addAll(List.of(options));
    words.addAll(List.of("--config", stage.config.toString()));
    return Typed.type(words.toArray(String[]::new));
  }

  private List<GenerationRequest> published() {
    return stage.records(stage.topics.requests()).stream().map(RegenerateIT::decoded).toList();
  }

  private static GenerationRequest decoded(ConsumerRecord<byte[], byte[]> record) {
    return ((Decoded.Request) RequestDecoder.decode(record.key(), record.value(), record.headers()))
        .request();
  }

  private void assertRefused(Typed typed, String why) {
    assertThat(typed.code()).as(typed.err()).isEqualTo(Failure.REFUSED);
    assertThat(typed.errLines()).hasSize(1);
    assertThat(typed.err()).contains(why);
    assertThat(typed.out()).isEmpty();
    assertThat(published()).isEmpty();
  }

  @Test
  void failed_isAskedFor_withAllThatTheEarlierOneHad() {
    OperationKey first = stored(1, OperationState.FAILED);
    OperationKey second = generation(2).key();
    Typed typed = regenerate(first);
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.err()).isEmpty();
    assertThat(typed.outLines())
        .containsExactly(
            "asked for %s, generation 2 of at most 10, after %s".formatted(second, first),
            "it costs 0.35 USD",
            "%s has it; a worker takes it in, or says in the dead letters why not: `tollgate operations show %s`"
                .formatted(stage.topics.requests(), second));
    assertThat(published())
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.key()).isEqualTo(second);
              assertThat(request.requestHash()).isEqualTo(generation(1).requestHash());
              assertThat(request.productionTask()).isEqualTo("campaign/17");
              assertThat(request.producer()).isEqualTo("/shop");
              assertThat(request.retry()).isEqualTo(new Retry(first, "anna", "the kite is blue"));
            });
    assertThat(typed.out()).doesNotContain("secret kite");
  }

  @Test
  void askedTwice_isTheSameOperation() {
    OperationKey first = stored(1, OperationState.FAILED);
    assertThat(regenerate(first).code()).isZero();
    assertThat(regenerate(first).code()).isZero();
    assertThat(published())
        .hasSize(2)
        .extracting(GenerationRequest::key)
        .containsOnly(generation(2).key());
  }

  @ParameterizedTest
  @EnumSource(
      value = OperationState.class,
      names = {"PREPARED", "SENDING", "ACCEPTED", "UNKNOWN"})
  void open_isRefused_alsoWhereItsResultIsRejected(OperationState state) {
    OperationKey first = stored(1, state);
    assertRefused(regenerate(first), "is " + state.word());
    assertRefused(regenerate(first, "--rejected"), "is " + state.word());
  }

  @Test
  void complete_needsThatItsResultIsRejected() {
    OperationKey first = stored(1, OperationState.COMPLETE);
    assertRefused(regenerate(first), "--rejected");
    assertThat(regenerate(first, "--rejected").code()).isZero();
    assertThat(published()).hasSize(1);
  }

  @Test
  void laterGenerationIsThere_isRefused_andNamed() {
    OperationKey first = stored(1, OperationState.FAILED);
    OperationKey second = stored(2, OperationState.ACCEPTED);
    assertRefused(regenerate(first), "generation 2, " + second + ", which is accepted");
  }

  @Test
  void limitIsReached_isRefused() throws IOException {
    configure("tollgate.generations.max=2");
    OperationKey second = stored(2, OperationState.FAILED);
    assertRefused(regenerate(second), "GENERATION_LIMIT");
  }

  @Test
  void deadlineHasPassed_isRefused() {
    OperationKey first = stored(1, OperationState.FAILED, Instant.parse("2020-01-31T12:00:00Z"));
    assertRefused(regenerate(first), "deadline");
  }

  @Test
  void suspectedDuplicate_isSaid_andThePersonDecides() {
    OperationKey first = stored(1, OperationState.FAILED);
    store.lateEvidence(Map.of(first, "another-task"));
    Typed typed = regenerate(first, "--dry-run");
    assertThat(typed.code()).isZero();
    assertThat(typed.errLines())
        .singleElement()
        .asString()
        .contains("SUSPECTED_DUPLICATE", "operations show");
  }

  @Test
  void dryRun_sendsNothing() {
    OperationKey first = stored(1, OperationState.FAILED);
    Typed typed = regenerate(first, "--dry-run");
    assertThat(typed.code()).isZero();
    assertThat(typed.outLines().getFirst()).startsWith("would ask for " + generation(2).key());
    assertThat(typed.outLines().getLast()).isEqualTo("nothing was sent");
    assertThat(published()).isEmpty();
  }

  @Test
  void json_isOneObject() {
    OperationKey first = stored(1, OperationState.FAILED);
    assertThat(regenerate(first, "--json").outLines())
        .containsExactly(
            "{\"key\":\"%s\",\"retry_of\":\"%s\",\"generation\":2,\"generations_max\":10,\"provider\":\"keyed\",\"price\":\"0.35\",\"currency\":\"USD\",\"sent\":true}"
                .formatted(generation(2).key(), first));
    assertThat(regenerate(first, "--json", "--dry-run").out()).contains("\"sent\":false");
    assertThat(published()).hasSize(1);
  }

  @Test
  void topicIsNotThere_isStatus3() throws IOException {
    OperationKey first = stored(1, OperationState.FAILED);
    Files.writeString(
        stage.config, Files.readString(stage.config).replace("topic-prefix=", "topic-prefix=not"));
    assertThat(regenerate(first).code()).isEqualTo(Failure.UNREACHABLE);
  }

  @Test
  void unknownKey_isStatus1() {
    assertRefused(regenerate(generation(7).key()), "no operation has the key");
  }

  private Typed show(OperationKey key, String... options) {
    List<String> words = new ArrayList<>(List.of("operations", "show", key.toString()));
    words.addAll(List.of(options));
    words.addAll(List.of("--config", stage.config.toString()));
    return Typed.type(words.toArray(String[]::new));
  }

  @Test
  void show_attemptsAndGenerations_areCountedApart_eachWithItsLimit() throws IOException {
    configure("tollgate.generations.policy.on=failed\ntollgate.generations.policy.max=3");
    OperationKey first = stored(1, OperationState.FAILED);
    OperationKey second = stored(2, OperationState.FAILED);
    OperationKey third = stored(3, OperationState.PREPARED);
    assertThat(show(second).outLines())
        .contains(
            "attempts    1 of at most 100",
            "generation  2 of at most 10, by policy 3",
            "retry of    " + first,
            "            asked for by anna: too dark",
            "earlier     generation 1, failed: " + first,
            "later       generation 3, prepared: " + third);
    assertThat(show(third).outLines()).contains("attempts    0 of at most 100");
    assertThat(show(first).out()).doesNotContain("retry of");
    assertThat(show(second, "--json").out())
        .contains(
            "\"attempts\":1",
            "\"attempts_max\":100,\"generation\":2,\"generations_max\":10,\"generations_policy_max\":3,\"retry_of\":\""
                + first
                + "\",\"retry_by\":\"anna\",\"retry_why\":\"too dark\"",
            "{\"generation\":3,\"key\":\"%s\",\"state\":\"prepared\"}".formatted(third));
    assertThat(show(first, "--json").out()).contains("\"retry_of\":null");
  }
}
