package dev.tollgate.worker.intake;

import static dev.tollgate.worker.intake.IntakeBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.kafka.DeadLetters.Letter;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.worker.gate.InMemoryGate;
import dev.tollgate.worker.retention.Horizon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is older than all that is remembered is taken in only if its key is known. */
final class OldRequestsTest {
  private static final Duration REMEMBERED = Duration.ofDays(90);
  private static final Instant OLD = NOW.minus(REMEMBERED).minusSeconds(1);
  private static final Instant RECENT = NOW.minus(REMEMBERED).plusSeconds(1);

  private final InMemoryGate.Store redis = new InMemoryGate.Store();
  private final IntakeBench bench = new IntakeBench(redis, "w1");

  @BeforeEach
  void remember() {
    bench.horizon = new Horizon(REMEMBERED, "an audit");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Intake.Taken take(ConsumerRecord<byte[], byte[]> record, Instant sentAt)
      throws InterruptedException {
    return bench.take(List.of(IntakeBench.sentAt(record, sentAt)));
  }

  @Test
  void oldRequest_isADeadLetter_andNothingIsStored() throws InterruptedException {
    Intake.Taken taken = take(bench.record(1), OLD);
    assertThat(taken.letters()).extracting(Letter::code).containsExactly(Code.TOO_OLD);
    assertThat(taken.letters().getFirst().message()).contains(OLD.toString(), "an audit");
    assertThat(bench.store.rows).isEmpty();
  }

  @Test
  void recentRequest_isStored_withoutAQuestion() throws InterruptedException {
    assertThat(take(bench.record(1), RECENT).stored()).isEqualTo(1);
    assertThat(bench.store.finds).hasValue(0);
  }

  @Test
  void oldRequest_whoseKeyIsKnown_isADuplicate() throws InterruptedException {
    ConsumerRecord<byte[], byte[]> record = bench.record(1);
    take(record, RECENT);
    bench.store.states.put(IntakeBench.key(record), OperationState.COMPLETE);
    redis.forgetAll();
    Intake.Taken taken = take(record, OLD);
    assertThat(taken.letters()).isEmpty();
    assertThat(taken.duplicates()).isEqualTo(1);
  }

  @Test
  void oldRequest_ofAKnownKeyWithOtherParameters_isAMismatch() throws InterruptedException {
    take(bench.record(IntakeBench.PROVIDER, 1, 7), RECENT);
    Intake.Taken taken = take(bench.record(IntakeBench.PROVIDER, 1, 8), OLD);
    assertThat(taken.letters())
        .extracting(Letter::code)
        .containsExactly(Code.KEY_PARAMETERS_MISMATCH);
  }

  /** The record is new; what it carries is not. */
  @Test
  void replay_isAsOldAsItsMessage() throws InterruptedException {
    ConsumerRecord<byte[], byte[]> replay = IntakeBench.sentAt(bench.record(1), NOW);
    DeadLetterHeaders.put(replay.headers(), DeadLetterHeaders.FIRST_SENT_AT, OLD.toString());
    Intake.Taken taken = bench.take(List.of(replay));
    assertThat(taken.letters()).extracting(Letter::code).containsExactly(Code.TOO_OLD);
    Headers replayed =
        DeadLetterHeaders.replayed(replay.headers(), NOW, 1, "anna: it is wanted after all");
    assertThat(DeadLetterHeaders.firstSentAt(replayed)).contains(OLD);
  }

  /** The age of a message cannot be made younger by a header. */
  @Test
  void header_thatSaysLater_isNotBelieved() throws InterruptedException {
    ConsumerRecord<byte[], byte[]> record = IntakeBench.sentAt(bench.record(1), OLD);
    DeadLetterHeaders.put(record.headers(), DeadLetterHeaders.FIRST_SENT_AT, NOW.toString());
    assertThat(bench.take(List.of(record)).letters()).hasSize(1);
  }

  @Test
  void recordWithoutATimestamp_hasNoAge() throws InterruptedException {
    assertThat(bench.take(List.of(bench.record(1))).stored()).isEqualTo(1);
  }

  @Test
  void nothingIsTooOld_whileTheHorizonIsNotKnown() throws InterruptedException {
    bench.horizon = null;
    assertThat(take(bench.record(1), OLD).stored()).isEqualTo(1);
  }

  @Test
  void refusal_letsGoOfItsGateEntry() throws InterruptedException {
    ConsumerRecord<byte[], byte[]> record = bench.record(1);
    take(record, OLD);
    assertThat(take(record, RECENT).stored()).as("published anew").isEqualTo(1);
    assertThat(bench.heldBack).hasValue(0);
  }
}
