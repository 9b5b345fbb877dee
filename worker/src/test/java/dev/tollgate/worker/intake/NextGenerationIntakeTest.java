package dev.tollgate.worker.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.kafka.DeadLetters.Letter;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.StoreFailures;
import dev.tollgate.worker.gate.InMemoryGate;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A next generation is taken in only after the one before has ended. */
final class NextGenerationIntakeTest {
  private final InMemoryGate.Store redis = new InMemoryGate.Store();
  private final IntakeBench bench = new IntakeBench(redis, "w1");
  private final ConsumerRecord<byte[], byte[]> first = bench.record(1);
  private final OperationKey earlier = IntakeBench.key(first);

  @AfterEach
  void close() {
    bench.close();
  }

  private void firstIs(OperationState state) throws InterruptedException {
    assertThat(bench.take(List.of(first)).stored()).isEqualTo(1);
    bench.store.states.put(earlier, state);
  }

  @ParameterizedTest
  @EnumSource(
      value = OperationState.class,
      names = {"FAILED", "COMPLETE"})
  void earlierHasEnded_isStoredWithWhatItTriesAgain(OperationState state) throws Exception {
    firstIs(state);
    var second = bench.next(first, "anna");
    var taken = bench.take(List.of(second, bench.record(2)));
    assertThat(taken.stored()).isEqualTo(2);
    assertThat(taken.letters()).isEmpty();
    assertThat(bench.store.stored(IntakeBench.key(second)).retry())
        .isEqualTo(new Retry(earlier, "anna", "too dark"));
    assertThat(bench.generations).containsExactly("keyed request");
  }

  @ParameterizedTest
  @EnumSource(
      value = OperationState.class,
      names = {"PREPARED", "SENDING", "ACCEPTED", "UNKNOWN"})
  void earlierIsOpen_isADeadLetter_andNothingIsPaidTwice(OperationState state) throws Exception {
    firstIs(state);
    var second = bench.next(first, "anna");
    var taken = bench.take(List.of(second, bench.record(2)));
    assertThat(taken.stored()).isEqualTo(1);
    assertThat(taken.letters())
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.code()).isEqualTo(Code.EARLIER_STILL_OPEN);
              assertThat(letter.record()).isSameAs(second);
              assertThat(letter.message()).contains(earlier.toString(), state.word());
            });
    assertThat(bench.store.rows).doesNotContainKey(IntakeBench.key(second));
    assertThat(bench.generations).isEmpty();
  }

  /** The gate kept nothing of the refusal. */
  @Test
  void refusedThenReplayedWhenItHasEnded_isStored() throws Exception {
    firstIs(OperationState.UNKNOWN);
    var second = bench.next(first, Retry.POLICY);
    assertThat(bench.take(List.of(second)).letters()).hasSize(1);
    bench.store.states.put(earlier, OperationState.FAILED);
    assertThat(bench.take(List.of(second)).stored()).isEqualTo(1);
    assertThat(bench.take(List.of(second)).duplicates()).isEqualTo(1);
    assertThat(bench.generations).containsExactly("keyed policy");
  }

  @Test
  void earlierIsNotStored_isADeadLetter() throws Exception {
    var taken = bench.take(List.of(bench.next(first, "anna")));
    assertThat(taken.letters()).extracting(Letter::code).containsExactly(Code.EARLIER_NOT_FOUND);
    assertThat(bench.store.rows).isEmpty();
  }

  /** Both in one batch: the earlier one has not ended yet. */
  @Test
  void earlierAndNextTogether_theNextIsRefused() throws Exception {
    var taken = bench.take(List.of(first, bench.next(first, "anna")));
    assertThat(taken.stored()).isEqualTo(1);
    assertThat(taken.letters()).hasSize(1);
  }

  @Test
  void beyondTheLimit_isADeadLetter_andTheLimitItselfIsNot() throws Exception {
    firstIs(OperationState.FAILED);
    var asked = first;
    for (int generation = 2; generation <= IntakeBench.GENERATIONS_MAX; generation++) {
      asked = bench.next(asked, "anna");
      assertThat(bench.take(List.of(asked)).stored()).isEqualTo(1);
      bench.store.states.put(IntakeBench.key(asked), OperationState.FAILED);
    }
    assertThat(bench.take(List.of(bench.next(asked, "anna"))).letters())
        .extracting(Letter::code)
        .containsExactly(Code.GENERATION_LIMIT);
  }

  private ConsumerRecord<byte[], byte[]> ofTask(
      ConsumerRecord<byte[], byte[]> record, String task) {
    String json = new String(record.value(), UTF_8);
    String with = json.substring(0, json.length() - 1) + ",\"production_task\":\"" + task + "\"}";
    return bench.record(record.key(), with.getBytes(UTF_8));
  }

  private void firstFailedAsPartOf(String task) throws InterruptedException {
    assertThat(bench.take(List.of(ofTask(first, task))).stored()).isEqualTo(1);
    bench.store.states.put(earlier, OperationState.FAILED);
  }

  @Test
  void ofAnotherProductionTask_isADeadLetterThatNamesBoth() throws Exception {
    firstFailedAsPartOf("film-1");
    var second = ofTask(bench.next(first, "anna"), "film-2");
    assertThat(bench.take(List.of(second)).letters())
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.code()).isEqualTo(Code.INVALID_EVENT);
              assertThat(letter.message()).contains("film-1", "film-2", earlier.toString());
            });
    assertThat(bench.store.rows).doesNotContainKey(IntakeBench.key(second));
  }

  /** Replaying it when the earlier one has ended would not help. */
  @Test
  void ofAnotherProductionTask_whileTheEarlierIsOpen_isRefusedForGood() throws Exception {
    firstFailedAsPartOf("film-1");
    bench.store.states.put(earlier, OperationState.UNKNOWN);
    assertThat(bench.take(List.of(ofTask(bench.next(first, "anna"), "film-2"))).letters())
        .extracting(Letter::code)
        .containsExactly(Code.INVALID_EVENT);
  }

  @Test
  void ofTheSameProductionTask_orOfNone_belongsToThatOfTheEarlier() throws Exception {
    firstFailedAsPartOf("film-1");
    var second = bench.next(first, "anna");
    assertThat(bench.take(List.of(second)).stored()).isEqualTo(1);
    assertThat(bench.store.stored(IntakeBench.key(second)).productionTask()).isEqualTo("film-1");
    bench.store.states.put(IntakeBench.key(second), OperationState.FAILED);
    var third = ofTask(bench.next(second, "anna"), "film-1");
    assertThat(bench.take(List.of(third)).stored()).isEqualTo(1);
    assertThat(bench.store.stored(IntakeBench.key(third)).productionTask()).isEqualTo("film-1");
  }

  /** Nothing is taken from another one. */
  @Test
  void earlierIsOfNoProductionTask_theNextMayNameOne() throws Exception {
    firstIs(OperationState.FAILED);
    var second = ofTask(bench.next(first, "anna"), "film-1");
    assertThat(bench.take(List.of(second)).stored()).isEqualTo(1);
    assertThat(bench.store.stored(IntakeBench.key(second)).productionTask()).isEqualTo("film-1");
  }

  @Test
  void noneIsTriedAgain_needsNoStatementMore() throws Exception {
    bench.take(bench.records(2, 5));
    assertThat(bench.store.finds).hasValue(0);
  }

  @Test
  void lookingTheEarlierUpFails_batchIsHandledAgain() throws Exception {
    firstIs(OperationState.FAILED);
    var second = bench.next(first, "anna");
    bench.store.finding = call -> call == 1 ? StoreFailures.unavailable() : null;
    assertThatThrownBy(() -> bench.take(List.of(second))).hasMessageContaining("SQLSTATE");
    assertThat(bench.take(List.of(second)).stored()).isEqualTo(1);
  }

  /** Whether it was taken in before the loss is not known; a letter is not paid for. */
  @Test
  void readAgainAfterALostHistory_earlierIsStillOpen_isADeadLetter() throws Exception {
    firstIs(OperationState.UNKNOWN);
    var second = bench.next(first, "anna");
    assertThat(bench.takeAgain(List.of(second)).letters())
        .extracting(Letter::code)
        .containsExactly(Code.EARLIER_STILL_OPEN);
    assertThat(bench.store.rows).doesNotContainKey(IntakeBench.key(second));
  }
}
