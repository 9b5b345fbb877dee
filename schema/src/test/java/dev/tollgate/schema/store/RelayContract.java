package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.RequestHash;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What other processes must hear, and duties. */
public abstract class RelayContract extends StoreContract {
  private static final Duration TTL = Duration.ofSeconds(30);

  @Test
  void outbox_ofOneOperation_isInTheOrderOfItsVersions() {
    for (int n = 0; n < 5; n++) {
      apply(Fixture.complete(accepted(n), Fixture.output(n)));
    }
    List<OutboxRow> rows = store().outbox(100);
    assertThat(rows).hasSize(10).isSortedAccordingTo((a, b) -> Long.compare(a.id(), b.id()));
    for (int n = 0; n < 5; n++) {
      assertThat(told(n)).containsExactly("events accepted", "events complete");
    }
  }

  @Test
  void outbox_changesByDifferentProcesses_keepTheirOrder() {
    List.of(7, 8, 9).forEach(this::accepted); // ids go to this process's connection
    Claim claim = sending(1);
    assertThat(harness().another().apply(List.of(Fixture.accepted(claim, "job-1")))).hasSize(1);
    Follow follow =
        new Follow(
            claim.key(), claim.provider(), claim.fence(), claim.claim(), "job-1", claim.seq(), 0);
    apply(Fixture.complete(follow, Fixture.output(1)));
    assertThat(told(1)).containsExactly("events accepted", "events complete");
  }

  @Test
  void outbox_isBounded_andRelayedRowsAreForgotten() {
    List.of(1, 2, 3).forEach(this::accepted);
    List<OutboxRow> first = store().outbox(2);
    assertThat(first).hasSize(2);
    store().relayed(first.stream().map(OutboxRow::id).toList());
    List<OutboxRow> rest = store().outbox(10);
    assertThat(rest).hasSize(1);
    assertThat(rest.getFirst().id()).isGreaterThan(first.getLast().id());
    store().relayed(List.of());
    store().relayed(List.of(rest.getFirst().id(), rest.getFirst().id(), -1L));
    assertThat(store().outbox(10)).isEmpty();
  }

  @Test
  void outbox_whatOneStatementChanged_comesAndGoesTogether() {
    Change first = Fixture.accepted(sending(1), "job-1");
    Change second = Fixture.accepted(sending(2), "job-2");
    assertThat(store().apply(List.of(first, second))).hasSize(2);
    accepted(3);
    List<OutboxRow> rows = store().outbox(1);
    assertThat(rows).extracting(OutboxRow::key).containsExactlyInAnyOrder(key(1), key(2));
    assertThat(rows).extracting(OutboxRow::id).containsOnly(rows.getFirst().id());
    store().relayed(List.of(rows.getFirst().id()));
    assertThat(store().outbox(10)).extracting(OutboxRow::key).containsExactly(key(3));
  }

  @Test
  void outbox_unknown_goesToBothTargets() {
    unknown(1);
    assertThat(store().outbox(10))
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.key()).isEqualTo(key(1)))
        .extracting(OutboxRow::reconcile)
        .containsExactlyInAnyOrder(true, false);
  }

  @Test
  void endings_ofWhatIsComplete_areItsOutputAndWhatItsIntentSays() {
    apply(Fixture.complete(accepted(1), Fixture.output(1)));
    apply(Fixture.complete(accepted(2), Fixture.output(2)));
    Map<OperationKey, Ending> endings = store().endings(finished());
    assertThat(endings).containsOnlyKeys(key(1), key(2));
    assertThat(endings.get(key(1)))
        .usingRecursiveComparison()
        .ignoringFields("createdAt")
        .isEqualTo(
            new Ending(
                RequestHash.fromBytes(Fixture.sendNow(1).requestHash()),
                "task-1",
                Fixture.PRICE,
                Fixture.output(1),
                null,
                Instant.EPOCH));
    Instant told = finished().getFirst().at();
    assertThat(endings.values())
        .extracting(Ending::createdAt)
        .allSatisfy(
            created -> assertThat(created).isBetween(told.minusSeconds(60), told.plusSeconds(60)));
    assertThat(endings.get(key(2))).extracting(Ending::productionTask).isNull();
  }

  /** Evidence that comes later does not change what a repeat of the event says. */
  @Test
  void endings_ofWhatFailed_areTheSentenceThatItFailedWith() {
    Claim claim = sending(1);
    Change failed =
        Change.ofSend(
            claim,
            OperationState.FAILED,
            Code.PROVIDER_REJECTED,
            null,
            null,
            Duration.ZERO,
            Evidence.note(Evidence.Source.SUBMIT, Code.PROVIDER_REJECTED, "it said no".repeat(90)));
    apply(failed);
    store()
        .apply(
            List.of(
                Change.ofSend(
                    claim,
                    OperationState.FAILED,
                    Code.PROVIDER_REJECTED,
                    null,
                    null,
                    Duration.ZERO,
                    Evidence.note(
                        Evidence.Source.SUBMIT, Code.PROVIDER_REJECTED, "a late answer"))));
    Ending ending = store().endings(finished()).get(key(1));
    assertThat(ending).isNotNull();
    assertThat(ending == null ? null : ending.why()).startsWith("it said no").hasSize(500);
    assertThat(ending == null ? null : ending.output()).isNull();
  }

  @Test
  void endings_ofWhatEndedBeforeItWasSent_sayWhy() {
    insert(3, Instant.EPOCH);
    assertThat(store().expire(10)).containsExactly(key(3));
    assertThat(store().endings(finished()).get(key(3)))
        .extracting(Ending::why, Ending::productionTask)
        .containsExactly("the producer's deadline passed before anything was sent", "task-3");
    assertThat(store().endings(List.of())).isEmpty();
  }

  private void insert(int n, Instant deadline) {
    NewIntent late = Fixture.intent(n, Fixture.PROVIDER, "p", false, deadline);
    store().insert(List.of(late), claimId(), Fixture.OWNER, Fixture.ALL_TERMS);
  }

  private List<OutboxRow> finished() {
    return store().outbox(100).stream().filter(row -> row.state().terminal()).toList();
  }

  @Test
  void duty_isHeldByOneUntilItEnds() {
    UUID one = claimId();
    UUID two = claimId();
    assertThat(store().duty("sweep", one, TTL)).isTrue();
    assertThat(store().duty("sweep", one, TTL)).isTrue();
    assertThat(harness().another().duty("sweep", two, TTL)).isFalse();
    assertThat(harness().another().duty("relay", two, TTL)).isTrue();
    harness().letTimePass();
    assertThat(harness().another().duty("sweep", two, TTL)).isTrue();
    assertThat(store().duty("sweep", one, TTL)).isFalse();
  }
}
