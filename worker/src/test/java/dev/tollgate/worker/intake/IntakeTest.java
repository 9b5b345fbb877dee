package dev.tollgate.worker.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.NewIntent;
import dev.tollgate.schema.store.StoreFailures;
import dev.tollgate.worker.gate.GateAnswer;
import dev.tollgate.worker.gate.GateKey;
import dev.tollgate.worker.gate.InMemoryGate;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.send.Lanes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class IntakeTest {
  private final InMemoryGate.Store redis = new InMemoryGate.Store();
  private final IntakeBench bench = new IntakeBench(redis, "w1");
  private final InMemoryGate other = new InMemoryGate(redis, "1-1", "w2");
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void close() {
    release.countDown();
    bench.close();
  }

  private void providerIsSlow() {
    bench.adapter.submits(
        submission -> {
          try {
            release.await();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
          return new Verdict.Accepted("task-" + submission.submissionKey(), "");
        });
  }

  private GateKey gateKey(ConsumerRecord<byte[], byte[]> record) {
    NewIntent stored = bench.store.stored(IntakeBench.key(record));
    return new GateKey(stored.key().bytes(), stored.requestHash());
  }

  @Test
  void take_storesWhatItCosts_whereThatIsKnown() throws Exception {
    var priced = bench.record(1);
    var unpriced = bench.record(IntakeBench.BLIND, 2, 7);
    bench.take(List.of(priced, unpriced));
    NewIntent stored = bench.store.stored(IntakeBench.key(priced));
    assertThat(stored.price()).isEqualTo(stored.params().length);
    assertThat(stored.producer()).as("a plain record").isNull();
    assertThat(bench.store.stored(IntakeBench.key(unpriced)).price()).isNull();
  }

  @Test
  void take_moreThanThereAreSlots_restWaitsInTheDatabase() throws Exception {
    providerIsSlow();
    var taken = bench.take(bench.records(0, IntakeBench.SLOTS + 2));
    assertThat(taken.stored()).isEqualTo(IntakeBench.SLOTS + 2);
    assertThat(bench.store.inserts).hasSize(2);
    assertThat(bench.store.inserts.getFirst())
        .hasSize(IntakeBench.SLOTS)
        .allMatch(NewIntent::sendNow);
    assertThat(bench.store.inserts.getLast()).hasSize(2).noneMatch(NewIntent::sendNow);
    assertThat(bench.slotsInUse()).isEqualTo(IntakeBench.SLOTS);
    assertThat(bench.claimerWoken).hasPositiveValue();
    await().until(() -> bench.adapter.submissions().size() == IntakeBench.SLOTS);
    release.countDown();
    await().until(() -> bench.slotsInUse() == 0);
    assertThat(bench.adapter.submissions()).hasSize(IntakeBench.SLOTS);
  }

  @Test
  void take_olderOnesWaitForASlowProvider_newOnesQueueBehindThem() throws Exception {
    oneWaits();
    bench.lanes.values().forEach(Lanes::slow);
    bench.take(bench.records(10, 11));
    assertThat(bench.store.inserts.getLast()).noneMatch(NewIntent::sendNow);
  }

  @Test
  void take_olderOnesWaitForAFastProvider_newOnesTakeTheirTurn() throws Exception {
    oneWaits();
    bench.take(bench.records(10, 11));
    assertThat(bench.store.inserts.getLast()).allMatch(NewIntent::sendNow);
  }

  /** Leaves every slot free, and one operation that waits for one in the database. */
  private void oneWaits() throws InterruptedException {
    providerIsSlow();
    bench.take(bench.records(0, IntakeBench.SLOTS + 1));
    release.countDown();
    await().until(() -> bench.slotsInUse() == 0);
  }

  @Test
  void take_providerCannotBeAsked_isNeverStoredAsSending() throws Exception {
    bench.take(List.of(bench.record(IntakeBench.BLIND, 1, 7)));
    assertThat(bench.store.inserts.getFirst()).noneMatch(NewIntent::sendNow);
    assertThat(bench.claimerWoken).hasPositiveValue();
  }

  @Test
  void take_claimsPause_nothingIsStoredAsSending() throws Exception {
    bench.paused = true;
    bench.take(bench.records(0, 2));
    assertThat(bench.store.inserts.getFirst()).noneMatch(NewIntent::sendNow);
    assertThat(bench.slotsInUse()).isZero();
  }

  @Test
  void take_copiesAndContradictionsInOneBatch_firstDecides() throws Exception {
    var first = bench.record(IntakeBench.PROVIDER, 1, 7);
    var copy = bench.record(IntakeBench.PROVIDER, 1, 7);
    var contradiction = bench.record(IntakeBench.PROVIDER, 1, 8);
    var lastCopy = bench.record(IntakeBench.PROVIDER, 1, 7);
    var taken = bench.take(List.of(first, copy, contradiction, lastCopy, bench.record(2)));
    assertThat(taken.stored()).isEqualTo(2);
    assertThat(taken.duplicates()).isEqualTo(2);
    assertThat(taken.letters()).hasSize(1);
    assertThat(taken.letters().getFirst().record()).isSameAs(contradiction);
    assertThat(taken.letters().getFirst().code()).isEqualTo(Code.KEY_PARAMETERS_MISMATCH);
    await().until(() -> bench.adapter.submissions().size() == 2);
    assertThat(bench.adapter.submissions())
        .extracting(Submission::params)
        .noneMatch(params -> params.toUtf8().contains("\"seed\":8"));
  }

  @Test
  void fc53_mismatchWhereTheGateSaysConsumed_isADeadLetterAndTheMarkStays() throws Exception {
    var first = bench.record(IntakeBench.PROVIDER, 1, 7);
    bench.take(List.of(first));
    var taken = bench.take(List.of(bench.record(IntakeBench.PROVIDER, 1, 8)));
    assertThat(taken.letters()).hasSize(1);
    assertThat(bench.store.stored(IntakeBench.key(first)).params())
        .asString(UTF_8)
        .contains("\"seed\":7");
    assertThat(other.look(List.of(gateKey(first)))).containsExactly(GateAnswer.CONSUMED_SAME);
  }

  @Test
  void take_consumedWithTheSameRequest_needsNoStatement() throws Exception {
    bench.take(bench.records(0, 2));
    int before = bench.store.inserts.size();
    var taken = bench.take(bench.records(0, 2));
    assertThat(taken.duplicates()).isEqualTo(2);
    assertThat(bench.store.inserts).hasSize(before);
  }

  /** By the gate, by the database, and within one batch: each is one send that was not made. */
  @Test
  void take_whatIsOnRecord_isToldWithItsPrice_whoeverKnewIt() throws Exception {
    var first = bench.record(1);
    bench.take(List.of(first, bench.record(IntakeBench.BLIND, 2, 7)));
    assertThat(bench.answered).isEmpty();
    String priced =
        IntakeBench.PROVIDER + " " + bench.store.stored(IntakeBench.key(first)).params().length;
    bench.take(List.of(bench.record(1), bench.record(1)));
    assertThat(bench.answered).containsExactly(priced, priced);
    redis.away(true);
    bench.take(List.of(bench.record(1), bench.record(IntakeBench.BLIND, 2, 7)));
    assertThat(bench.answered)
        .containsExactlyInAnyOrder(priced, priced, priced, IntakeBench.BLIND + " -1");
    bench.take(List.of(bench.record(IntakeBench.PROVIDER, 1, 8)));
    assertThat(bench.answered).as("a contradiction is no answer").hasSize(4);
  }

  @Test
  void take_gateIsAway_databaseDecides() throws Exception {
    redis.away(true);
    assertThat(bench.take(bench.records(0, 2)).stored()).isEqualTo(2);
    assertThat(bench.take(bench.records(0, 2)).duplicates()).isEqualTo(2);
    assertThat(bench.store.rows).hasSize(2);
  }

  @Test
  void take_unknownProviderAndPoison_areLettersAndTheRestIsStored() throws Exception {
    var taken =
        bench.take(
            List.of(
                bench.record(1),
                bench.record("nobody", 2, 7),
                bench.record(null, null),
                bench.record(3)));
    assertThat(taken.stored()).isEqualTo(2);
    assertThat(taken.letters())
        .extracting(letter -> letter.code())
        .containsExactly(Code.UNKNOWN_PROVIDER, Code.INVALID_EVENT);
  }

  @Test
  void held_anotherFinishesMeanwhile_isADuplicateWithoutAStatement() throws Exception {
    var record = bench.record(1);
    bench.take(List.of(record));
    GateKey key = gateKey(record);
    redis.forgetAll();
    other.ask(List.of(key));
    int before = bench.store.inserts.size();
    bench.whileHeldBack = () -> other.consumed(List.of(key));
    var taken = bench.take(List.of(bench.record(1)));
    assertThat(taken.duplicates()).isEqualTo(1);
    assertThat(bench.heldBack).hasValue(1);
    assertThat(bench.store.inserts).hasSize(before);
  }

  @Test
  void held_anotherStaysSilent_databaseDecidesAfterOneWait() throws Exception {
    var record = bench.record(1);
    bench.take(List.of(record)); // makes the key known to the test
    GateKey key = gateKey(record);
    redis.forgetAll();
    bench.store.rows.clear();
    other.ask(List.of(key));
    var taken = bench.take(List.of(bench.record(1), bench.record(2)));
    assertThat(taken.stored()).isEqualTo(2);
    assertThat(bench.heldBack).hasValue(1);
    assertThat(bench.store.rows).hasSize(2);
  }

  @Test
  void fc19_answerOfTheInsertLost_ownRowsAreGivenBackUnsent() throws Exception {
    bench.adapter.submits(IntakeTest::asTheContractSays);
    bench.store.after = call -> call == 1 ? StoreFailures.unavailable() : null;
    var records = bench.records(0, 2);
    var taken = bench.take(records);
    assertThat(taken.stored()).isEqualTo(2);
    assertThat(bench.store.inserts).hasSize(2);
    await().until(() -> bench.store.changes.size() == 2);
    // no time is left by then: the adapter must see that, and nothing may be called known
    assertThat(bench.store.changes).extracting(Change::to).containsOnly(OperationState.PREPARED);
    await().until(() -> bench.slotsInUse() == 0);
  }

  @Test
  void commitNotReplicated_isRepeatedAndNothingIsSentOnIt() throws Exception {
    bench.adapter.submits(IntakeTest::asTheContractSays);
    bench.store.after = call -> call <= 2 ? StoreFailures.notReplicated() : null;
    bench.take(bench.records(0, 1));
    assertThat(bench.store.inserts).hasSize(3);
    await().until(() -> bench.store.changes.size() == 1);
    assertThat(bench.store.changes.getFirst().reason()).isEqualTo(Code.NOT_SENT);
  }

  private static Verdict asTheContractSays(Submission submission) {
    return submission.sendNotAfterNanos() - System.nanoTime() <= 0
        ? new Verdict.NotSent("the time to send is over")
        : new Verdict.Accepted("task-" + submission.submissionKey(), "");
  }

  @Test
  void answerLostThenAnotherTookSome_onlyOwnRowsAreTakenOn() throws Exception {
    var records = bench.records(0, 2);
    OperationKey theirs = IntakeBench.key(records.getFirst());
    bench.store.after =
        call -> {
          if (call == 1) {
            bench.store.rows.put(
                theirs, new IntakeBench.Store.Row(bench.store.stored(theirs), UUID.randomUUID()));
            return StoreFailures.unavailable();
          }
          return null;
        };
    var taken = bench.take(records);
    assertThat(taken.stored()).isEqualTo(1);
    await().until(() -> bench.adapter.submissions().size() == 1);
    await().until(() -> bench.slotsInUse() == 0);
    assertThat(bench.adapter.submissions()).hasSize(1);
  }

  @Test
  void batchFails_gateEntriesAndSlotsAreGivenBack() {
    bench.store.before = _ -> new IllegalStateException("a defect");
    var record = bench.record(1);
    assertThatThrownBy(() -> bench.take(List.of(record))).hasMessage("a defect");
    assertThat(bench.slotsInUse()).isZero();
    NewIntent refused = bench.store.inserts.getFirst().getFirst();
    GateKey key = new GateKey(refused.key().bytes(), refused.requestHash());
    assertThat(other.ask(List.of(key))).containsExactly(GateAnswer.ACQUIRED);
  }

  @Test
  void closedWhileTheDatabaseIsAway_interruptsAndGivesEverythingBack() {
    bench.store.before = _ -> StoreFailures.unavailable();
    assertThatThrownBy(() -> bench.take(bench.records(0, 2)))
        .isInstanceOf(InterruptedException.class);
    assertThat(bench.waits).hasValue(11);
    assertThat(bench.slotsInUse()).isZero();
    assertThat(bench.adapter.submissions()).isEmpty();
  }

  @Test
  void readingKnownIntentsFails_newOnesAreSentOnceAndTheRepeatFindsDuplicates() throws Exception {
    bench.take(bench.records(0, 1));
    await().until(() -> bench.slotsInUse() == 0);
    redis.forgetAll();
    bench.store.finding = call -> call == 1 ? StoreFailures.unavailable() : null;
    List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>(bench.records(0, 2));
    assertThatThrownBy(() -> bench.take(batch)).hasMessageContaining("SQLSTATE");
    var taken = bench.take(batch);
    assertThat(taken.stored()).isZero();
    assertThat(taken.duplicates()).isEqualTo(2);
    await().until(() -> bench.slotsInUse() == 0);
    assertThat(bench.adapter.submissions()).hasSize(2);
  }

  @Test
  void submissionKeys_sameOperation_sameKey_otherProvider_another() {
    var keys = new SubmissionKeys(new byte[32]);
    OperationKey key = IntakeBench.key(bench.record(1));
    assertThat(keys.of("a", key)).hasSize(16).isEqualTo(keys.of("a", key));
    assertThat(keys.of("b", key)).isNotEqualTo(keys.of("a", key));
    assertThat(new SubmissionKeys(new byte[] {1}).of("a", key)).isNotEqualTo(keys.of("a", key));
  }
}
