package dev.tollgate.schema.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.DeadLetterFate.At;
import dev.tollgate.schema.store.DeadLetterFate.Decision;
import dev.tollgate.schema.store.DeadLetterFate.Fate;
import dev.tollgate.schema.store.DeadLetterRuns.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A letter is claimed by one run, a run is held by one process, and what was done counts once. */
final class DeadLetterRunsIT extends StoreContract {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final String TOPIC = "generation.requests.dlt";
  private static final UUID TOPIC_ID = UUID.randomUUID();
  private static PostgresHarness harness;
  private static DeadLetterRuns runs;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(DeadLetterRunsIT.class));
    runs = new DeadLetterRuns(harness.sql());
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  @Override
  protected StoreHarness harness() {
    return harness;
  }

  private static Hold start() {
    return start(TOPIC_ID);
  }

  private static Hold start(UUID topicId) {
    return runs.start(
        DeadLetterRun.Kind.REPLAY,
        TOPIC,
        topicId,
        "anna",
        "mended",
        "{}",
        UUID.randomUUID(),
        LEASE);
  }

  private static DeadLetterRun run(Hold hold) {
    return runs.run(hold.run()).orElseThrow();
  }

  private static Decision replayed(At at, @Nullable Long micros) {
    return new Decision(at.partition(), at.offset(), Fate.REPLAYED, "to 0@7", micros);
  }

  private static List<At> letters(int count) {
    List<At> letters = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      letters.add(new At(n % 3, n));
    }
    return letters;
  }

  private static void letTheLeaseEnd() {
    harness.sql().execute("UPDATE dead_letter_run SET until = now() - interval '1 s'");
  }

  @Test
  void claim_byTwoAtOnce_eachIsOnes() {
    Hold one = start();
    Hold other = start();
    for (int round = 0; round < 10; round++) {
      List<At> letters = new ArrayList<>();
      for (int n = 0; n < 50; n++) {
        letters.add(new At(round, n));
      }
      Together.Both<Set<At>> both =
          Together.run(
              () -> runs.claim(one, letters, false).orElseThrow(),
              () -> runs.claim(other, letters.reversed(), false).orElseThrow());
      assertThat(Together.all(both)).hasSize(50).doesNotHaveDuplicates();
    }
  }

  @Test
  void claim_repeated_isTheRunsOwn_untilItIsRecorded() {
    Hold hold = start();
    List<At> letters = letters(2);
    assertThat(runs.claim(hold, letters, false)).hasValue(Set.copyOf(letters));
    assertThat(runs.claim(hold, letters, false)).hasValue(Set.copyOf(letters));
    runs.record(hold, List.of(replayed(letters.getFirst(), 350_000L)));
    assertThat(runs.claim(hold, letters, false)).hasValue(Set.of(letters.getLast()));
  }

  @Test
  void record_repeated_countsOnce() {
    Hold hold = start();
    List<At> letters = letters(3);
    assertThat(runs.claim(hold, letters, false)).isPresent();
    List<Decision> decisions =
        List.of(
            replayed(letters.get(0), 350_000L),
            replayed(letters.get(1), null),
            new Decision(2, 2, Fate.SETTLED, "already complete", 0L));
    runs.record(hold, decisions);
    runs.record(hold, decisions);
    assertThat(run(hold).counts()).isEqualTo(new DeadLetterRun.Counts(2, 1, 0, 0, 350_000, 1));
    assertThat(runs.ofRun(hold.run()))
        .extracting(DeadLetterFate::fate)
        .containsExactly(Fate.REPLAYED, Fate.REPLAYED, Fate.SETTLED);
    assertThat(runs.ofTopic(TOPIC_ID)).hasSize(3);
    assertThat(runs.of(TOPIC_ID, letters.getFirst()).orElseThrow().note()).isEqualTo("to 0@7");
    runs.end(hold, 4);
    assertThat(run(hold).counts().left()).isEqualTo(4);
    assertThat(run(hold).endedAt()).isNotNull();
  }

  @Test
  void takeUp_onlyWhenTheLeaseIsOver_andTheEarlierHolderClaimsNoMore() {
    Hold dead = start();
    List<At> letters = letters(2);
    assertThat(runs.claim(dead, letters, false)).isPresent();
    UUID another = UUID.randomUUID();
    assertThat(runs.takeUp(run(dead), another, LEASE)).isEmpty();
    letTheLeaseEnd();
    assertThat(run(dead).claimed()).isEqualTo(2);
    Hold taken = runs.takeUp(run(dead), another, LEASE).orElseThrow();
    assertThat(runs.claim(dead, letters(4), false)).as("it was taken over").isEmpty();
    assertThat(runs.claim(taken, letters, false)).hasValue(Set.copyOf(letters));
    // what the first had sent all the same is a fact
    runs.record(dead, List.of(replayed(letters.getFirst(), 0L)));
    runs.end(dead, 0);
    assertThat(run(dead).endedAt()).isNull();
    assertThat(run(dead).counts().replayed()).isEqualTo(1);
    runs.end(taken, 0);
    letTheLeaseEnd();
    assertThat(runs.takeUp(run(dead), another, LEASE)).as("it has ended").isEmpty();
  }

  /** A process that was thought dead records what it did while the next one claims the same. */
  @Test
  void recordAndClaimAtOnce_neitherFails_andEachLetterCountsOnce() {
    for (int round = 0; round < 30; round++) {
      Hold dead = start();
      List<At> letters = new ArrayList<>();
      for (int n = 0; n < 20; n++) {
        letters.add(new At(round, n));
      }
      assertThat(runs.claim(dead, letters, false)).isPresent();
      runs.letGo(dead);
      Hold taken = runs.takeUp(run(dead), UUID.randomUUID(), LEASE).orElseThrow();
      List<Decision> decisions = letters.stream().map(letter -> replayed(letter, 1L)).toList();
      Together.Both<Boolean> both =
          Together.run(
              () -> {
                runs.record(dead, decisions);
                return true;
              },
              () -> {
                boolean held = runs.claim(taken, letters.reversed(), false).isPresent();
                runs.record(taken, decisions);
                return held;
              });
      assertThat(both.second()).isTrue();
      assertThat(run(dead).counts()).isEqualTo(new DeadLetterRun.Counts(20, 0, 0, 0, 20, 0));
      assertThat(run(dead).claimed()).isZero();
    }
  }

  @Test
  void letGo_isTakenUpAtOnce() {
    Hold hold = start();
    runs.letGo(hold);
    assertThat(runs.takeUp(run(hold), UUID.randomUUID(), LEASE)).isPresent();
  }

  @Test
  void claim_discarded_onlyWhereThatIsAskedFor() {
    Hold first = start();
    List<At> letters = letters(1);
    assertThat(runs.claim(first, letters, false)).isPresent();
    runs.record(first, List.of(new Decision(0, 0, Fate.DISCARDED, null, 0L)));
    Hold second = start();
    assertThat(runs.claim(second, letters, false)).hasValue(Set.of());
    assertThat(runs.claim(second, letters, true)).hasValue(Set.copyOf(letters));
    runs.record(second, List.of(replayed(letters.getFirst(), 0L)));
    assertThat(runs.claim(start(), letters, true)).hasValue(Set.of());
  }

  @Test
  void forget_whatKafkaHasForgotten_aFewAtATime() {
    Hold hold = start();
    assertThat(runs.claim(hold, letters(9), false)).isPresent();
    Hold gone = start(UUID.randomUUID());
    assertThat(runs.claim(gone, letters(1), false)).isPresent();
    Map<Integer, Long> firsts = Map.of(0, 4L, 1, 0L, 2, 100L);
    assertThat(runs.forget(TOPIC, TOPIC_ID, firsts, 3)).isEqualTo(3);
    assertThat(runs.forget(TOPIC, TOPIC_ID, firsts, 3)).isEqualTo(2);
    assertThat(runs.forget(TOPIC, TOPIC_ID, firsts, 3)).isZero();
    assertThat(runs.ofTopic(TOPIC_ID))
        .extracting(fate -> fate.partition() + "@" + fate.offset())
        .containsExactly("0@6", "1@1", "1@4", "1@7");
    assertThat(runs.ofTopic(gone.topicId())).as("it may be another cluster's").hasSize(1);
    harness.sql().execute("UPDATE dead_letter SET at = now() - interval '31 days'");
    assertThat(runs.forget(TOPIC, TOPIC_ID, firsts, 3)).isEqualTo(1);
    assertThat(runs.ofTopic(gone.topicId())).isEmpty();
  }

  @Test
  void runs_newestFirst() {
    Hold first = start();
    Hold second = start();
    assertThat(runs.runs(10))
        .extracting(DeadLetterRun::id)
        .containsExactly(second.run(), first.run());
    assertThat(runs.runs(1)).hasSize(1);
    assertThat(runs.run(second.run() + 1)).isEmpty();
  }

  @Test
  void standing_tellsStateReasonAndOutput() {
    apply(Fixture.complete(accepted(1), Fixture.output(1)));
    apply(
        Change.ofFollow(
            accepted(2),
            OperationState.FAILED,
            Code.PROVIDER_FAILED,
            null,
            null,
            Duration.ZERO,
            Evidence.note(Evidence.Source.STATUS, Code.PROVIDER_FAILED, "failed: code 7")));
    StandingReader standings = new StandingReader(harness.sql());
    var found = standings.of(List.of(Fixture.key(1), Fixture.key(2), Fixture.key(3)));
    assertThat(found).hasSize(2);
    assertThat(found.get(Fixture.key(1)))
        .satisfies(
            standing -> {
              assertThat(standing.intent().state()).isEqualTo(OperationState.COMPLETE);
              assertThat(standing.output()).isEqualTo(Fixture.output(1).address());
            });
    assertThat(found.get(Fixture.key(2)))
        .satisfies(
            standing -> {
              assertThat(standing.reason()).isEqualTo(Code.PROVIDER_FAILED);
              assertThat(standing.output()).isNull();
            });
    assertThat(standings.of(List.of())).isEmpty();
  }
}
