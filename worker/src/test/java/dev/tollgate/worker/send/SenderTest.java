package dev.tollgate.worker.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.WriteListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SenderTest {
  private static final int BATCH = 3;

  private ScriptedAdapter provider = ScriptedAdapter.of("keyed", Recourse.IDEMPOTENT_CREATE, 20);
  private final AtomicInteger givenBack = new AtomicInteger();

  private final Store store = new Store();

  /** Not started by itself: nothing is stored until a test says so. */
  private final ChangeWriter writer =
      new ChangeWriter(
          "outcomes", store, new WriteListener() {}, BATCH, Duration.ZERO, System::nanoTime);

  private final Sender sender =
      new Sender(
          writer,
          new SendPolicy(3, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO),
          new SendListener() {},
          System::nanoTime,
          Optional.empty());

  private static final class Store extends ScriptedStore {
    private final Queue<Change> applied = new ConcurrentLinkedQueue<>();

    @Override
    public Set<OperationKey> apply(List<Change> changes) {
      applied.addAll(changes);
      return changes.stream().map(Change::key).collect(Collectors.toSet());
    }

    @Override
    public Set<OperationKey> lateEvidence(Map<OperationKey, String> remoteIds) {
      return Set.of();
    }
  }

  @AfterEach
  void close() {
    writer.close();
  }

  private void awaitGivenBack(int slots) {
    await().until(() -> givenBack.get() == slots);
  }

  private void sendAndAwaitTheAnswer(int n) {
    send(n, false);
    await().until(() -> provider.submissions().size() == n);
  }

  private void send(int n, boolean earlierUnresolved) {
    var intent = Fixture.sendNow(n);
    Claim claim =
        new Claim(
            intent.key(),
            "keyed",
            1,
            Fixture.claimId(),
            1,
            earlierUnresolved,
            intent.params(),
            intent.submissionKey(),
            false,
            n);
    sender.send(
        Lanes.of(provider, System::nanoTime), claim, System.nanoTime(), givenBack::incrementAndGet);
  }

  @Test
  void drain_givesBackWhatIsNotSent_butSendsWhatWouldBecomeUnknown() {
    writer.start();
    sender.drain();
    send(1, false);
    awaitGivenBack(1);
    await().until(() -> sender.inFlight() == 0);
    assertThat(provider.submissions()).isEmpty();
    assertThat(store.applied)
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change.to()).isEqualTo(OperationState.PREPARED);
              assertThat(change.reason()).isEqualTo(Code.NOT_SENT);
            });
    send(2, true);
    await().until(() -> sender.inFlight() == 0 && !provider.submissions().isEmpty());
    assertThat(provider.submissions()).hasSize(1);
  }

  @Test
  void slot_ofWhatIsAnswered_isGivenBackBeforeItsOutcomeIsStored() {
    for (int n = 1; n <= 2 * BATCH; n++) {
      sendAndAwaitTheAnswer(n);
      awaitGivenBack(n);
    }
    assertThat(sender.inFlight()).as("not stored yet").isEqualTo(2 * BATCH);
  }

  @Test
  void slot_whereTooManyOutcomesWait_isHeldUntilItsOwnIsStored() {
    for (int n = 1; n <= 2 * BATCH; n++) {
      sendAndAwaitTheAnswer(n);
      awaitGivenBack(n);
    }
    sendAndAwaitTheAnswer(2 * BATCH + 1);
    await().until(writer::crowded);
    assertThat(givenBack).hasValue(2 * BATCH);
    writer.start();
    awaitGivenBack(2 * BATCH + 1);
    await().until(() -> sender.inFlight() == 0);
  }

  @Test
  void slot_ofAProviderThatCannotBeAsked_isHeldUntilItsOutcomeIsStored() {
    provider = ScriptedAdapter.of("blind", Recourse.NONE, 20);
    sendAndAwaitTheAnswer(1);
    assertThat(givenBack).hasValue(0);
    writer.start();
    awaitGivenBack(1);
  }
}
