package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.OTHER_PROVIDER;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Inbox.Receipt;
import dev.tollgate.schema.store.Inbox.Taken;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events of providers: stored once, told apart by address or task, evidence once. */
final class InboxIT {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Inbox.Pauses PAUSES =
      new Inbox.Pauses(SECOND, SECOND.multipliedBy(30), HOUR);

  private static PostgresHarness harness;
  private static Inbox inbox;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(InboxIT.class));
    inbox = new PostgresInbox(harness.sql());
  }

  @BeforeEach
  void reset() {
    harness.reset();
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  private static Inbox.Event event(
      String id, @Nullable OperationKey operation, @Nullable String task, String word) {
    byte[] body = Fixture.utf8("{\"status\":\"" + word + "\"}");
    return new Inbox.Event(
        new Inbox.Id(PROVIDER, id),
        operation,
        task,
        word,
        Sha256.of(body).bytes(),
        "webhook-id: " + id,
        body,
        false);
  }

  private static Claim sending(int n) {
    UUID claim = claimId();
    harness.store().insert(List.of(Fixture.sendNow(n)), claim, OWNER, ALL_TERMS);
    return harness.store().claimed(PROVIDER, claim).getFirst();
  }

  private static void accepted(int n, String task) {
    harness.store().apply(List.of(Fixture.accepted(sending(n), task)));
  }

  private static List<Taken> take() {
    return inbox.take(10, LEASE);
  }

  @Test
  void fc60_fc72_receive_anIdComesOnceHoweverOften_otherBytesAreTold() {
    assertThat(inbox.receive(event("e1", null, "job-1", "succeeded"))).isEqualTo(Receipt.NEW);
    for (int i = 0; i < 45; i++) {
      assertThat(inbox.receive(event("e1", null, "job-1", "succeeded"))).isEqualTo(Receipt.KNOWN);
    }
    assertThat(inbox.receive(event("e1", null, "job-1", "failed"))).isEqualTo(Receipt.ALTERED);
    assertThat(inbox.receive(event("e2", null, "job-1", "succeeded")))
        .as("another id with the same bytes is another event")
        .isEqualTo(Receipt.NEW);
    assertThat(take()).extracting(Taken::word).containsExactly("succeeded", "succeeded");
  }

  @Test
  void fc61_receive_byTwoAtOnce_isNewForOne() {
    for (int n = 0; n < 20; n++) {
      Inbox.Event event = event("e" + n, null, "job", "succeeded");
      var both = Together.run(() -> inbox.receive(event), () -> inbox.receive(event));
      assertThat(List.of(both.first(), both.second()))
          .containsExactlyInAnyOrder(Receipt.NEW, Receipt.KNOWN);
    }
  }

  @Test
  void take_byTwoAtOnce_sharesNothing() {
    IntStream.range(0, 20).forEach(n -> inbox.receive(event("e" + n, null, "job", "succeeded")));
    var both = Together.run(() -> take(), () -> take());
    assertThat(Together.all(both)).extracting(Taken::id).hasSize(20).doesNotHaveDuplicates();
    assertThat(take()).as("held until the lease ends").isEmpty();
    harness.letTimePass();
    assertThat(take()).hasSize(10);
  }

  @Test
  void take_ofAnAcceptedTask_isEvidenceOnceAndAsksNow() {
    accepted(1, "job-1");
    inbox.receive(event("e1", null, "job-1", "succeeded"));
    for (int i = 0; i < 2; i++) {
      Taken taken = take().getFirst();
      assertThat(taken.operation()).isEqualTo(key(1));
      assertThat(taken.standing()).isEqualTo(new Inbox.Standing("accepted", "job-1", true));
      StoredOperation stored = harness.get(key(1));
      assertThat(stored.evidenceOf(Code.EVENT_RECEIVED)).isEqualTo(1);
      assertThat(Objects.requireNonNull(stored.wake()).in()).isLessThanOrEqualTo(Duration.ZERO);
      harness.letTimePass();
    }
    inbox.done(List.of(new Inbox.Id(PROVIDER, "e1")));
    harness.letTimePass();
    assertThat(take()).isEmpty();
    assertThat(harness.broken()).isEmpty();
  }

  @Test
  void fc62_take_beforeItsTaskIsKnown_waitsAndIsFoundLater() {
    inbox.receive(event("e1", null, "job-1", "succeeded"));
    Inbox.Id id = take().getFirst().id();
    assertThat(inbox.later(List.of(id), PAUSES, HOUR)).isEmpty();
    assertThat(take()).isEmpty();
    accepted(2, "job-2");
    assertThat(take()).as("another task's").isEmpty();
    accepted(1, "job-1");
    assertThat(take()).as("at once").singleElement().extracting(Taken::operation).isEqualTo(key(1));
  }

  @Test
  void take_whileItsTaskBecomesKnown_waitsShortly() {
    inbox.receive(event("e1", null, "job-1", "succeeded"));
    Inbox.Id id = take().getFirst().id();
    harness.sql().execute("UPDATE inbox SET tries = 20");
    accepted(1, "job-1");
    inbox.later(List.of(id), PAUSES, HOUR);
    assertThat(pause("e1")).isEqualTo(PAUSES.most());
  }

  private static Duration pause(String id) {
    return Duration.ofMillis(
        harness
            .sql()
            .fetchSingle(
                "SELECT round(extract(epoch FROM due - now()) / 5) * 5000 FROM inbox WHERE event_id = ?",
                id)
            .get(0, Long.class));
  }

  @Test
  void later_ofSomebodyElses_takesEverLonger_ofOneThatIsBeingSentDoesNot() {
    sending(1);
    inbox.receive(event("theirs", null, "job-9", "succeeded"));
    inbox.receive(event("ours", key(1), "job-1", "succeeded"));
    List<Inbox.Id> both = take().stream().map(Taken::id).toList();
    for (int i = 0; i < 13; i++) {
      inbox.later(both, PAUSES, HOUR.multipliedBy(72));
    }
    assertThat(pause("theirs")).isEqualTo(HOUR);
    assertThat(pause("ours")).isEqualTo(PAUSES.most());
  }

  @Test
  void receive_moreThanTheMost_areNotStored_repeatsAreCounted() {
    for (int n = 0; n < Inbox.EVENTS_MAX; n++) {
      inbox.receive(event("named-" + n, key(1), "job-" + n, "processing"));
      inbox.receive(event("task-" + n, null, "job-1", "processing"));
    }
    assertThat(inbox.receive(event("more", key(1), "job-1", "succeeded")))
        .isEqualTo(Receipt.TOO_MANY);
    assertThat(inbox.receive(event("more", null, "job-1", "succeeded")))
        .isEqualTo(Receipt.TOO_MANY);
    assertThat(inbox.receive(event("named-1", key(1), "job-1", "processing")))
        .isEqualTo(Receipt.KNOWN);
    assertThat(inbox.receive(event("others", key(2), "job-1", "succeeded"))).isEqualTo(Receipt.NEW);
    assertThat(inbox.receive(event("others-task", null, "job-2", "succeeded")))
        .isEqualTo(Receipt.NEW);
    assertThat(ids()).hasSize(2 * Inbox.EVENTS_MAX + 2).doesNotContain("more");
  }

  @Test
  void later_nobodyTurnsUp_isGivenUpAndTold() {
    inbox.receive(event("e1", null, "job-1", "succeeded"));
    Inbox.Id id = take().getFirst().id();
    assertThat(inbox.later(List.of(id), PAUSES, Duration.ZERO)).containsExactly(id);
    harness.letTimePass();
    assertThat(take()).isEmpty();
  }

  @Test
  void take_ofACallback_namesItsOperationWhateverIsKnownOfTheTask() {
    Claim claim = sending(1);
    inbox.receive(event("e1", key(1), "job-1", "processing"));
    assertThat(take())
        .singleElement()
        .satisfies(
            taken -> {
              assertThat(taken.operation()).isEqualTo(key(1));
              assertThat(taken.standing()).extracting(Inbox.Standing::state).isEqualTo("sending");
            });
    harness.store().apply(List.of(Fixture.unknown(claim)));
    assertThat(harness.store().remoteIdsSeen(List.of(key(1))).get(key(1)))
        .as("the look finds what the callback named")
        .containsExactly("job-1");
  }

  private static final Terms NAMED =
      new Terms(
          PROVIDER,
          Fixture.TERMS.sendWithin(),
          Fixture.TERMS.lease(),
          Fixture.TERMS.absentAfter(),
          Duration.ZERO,
          Fixture.CARRIES | Terms.EVENT_REFERENCE,
          Fixture.SENDS_TO);

  private static Claim sendingNamed(int n) {
    UUID claim = claimId();
    harness
        .store()
        .insert(List.of(Fixture.sendNow(n)), claim, OWNER, List.of(NAMED, Fixture.OTHER_TERMS));
    return harness.store().claimed(PROVIDER, claim).getFirst();
  }

  private static Inbox.Event referring(String provider, String id, Claim claim, String task) {
    Inbox.Event plain = event(id, null, task, "succeeded");
    return new Inbox.Event(
        new Inbox.Id(provider, id),
        null,
        claim.submissionKey(),
        task,
        plain.word(),
        plain.sha256(),
        null,
        plain.body(),
        false);
  }

  @Test
  void take_ofAnEventWithOurReference_namesItsOperationBeforeTheAnswer() {
    Claim claim = sendingNamed(1);
    sendingNamed(2);
    inbox.receive(referring(PROVIDER, "e1", claim, "job-1"));
    assertThat(take())
        .singleElement()
        .satisfies(
            taken -> {
              assertThat(taken.operation()).isEqualTo(key(1));
              assertThat(taken.standing()).extracting(Inbox.Standing::state).isEqualTo("sending");
            });
    harness.store().apply(List.of(Fixture.unknown(claim)));
    assertThat(harness.store().remoteIdsSeen(List.of(key(1))).get(key(1))).containsExactly("job-1");
    assertThat(harness.broken()).isEmpty();
  }

  /** The reference says whose task it is, also where another one was taken for it. */
  @Test
  void take_ofOurReferenceAndAnothersTask_isTheReferences() {
    Claim claim = sendingNamed(1);
    accepted(2, "job-2");
    inbox.receive(referring(PROVIDER, "e1", claim, "job-2"));
    assertThat(take()).singleElement().extracting(Taken::operation).isEqualTo(key(1));
  }

  @Test
  void take_ofAReferenceOfAnotherProvider_belongsToNobody() {
    Claim claim = sendingNamed(1);
    inbox.receive(referring(OTHER_PROVIDER, "e1", claim, "job-1"));
    assertThat(take()).singleElement().extracting(Taken::operation).isNull();
    assertThat(harness.get(key(1)).evidenceOf(Code.EVENT_RECEIVED)).isZero();
  }

  @Test
  void take_ofAReferenceThatEventsDidNotNameAtIntake_goesByTheTask() {
    Claim claim = sending(1);
    inbox.receive(referring(PROVIDER, "e1", claim, "job-1"));
    assertThat(take()).singleElement().extracting(Taken::operation).isNull();
    harness.store().apply(List.of(Fixture.accepted(claim, "job-1")));
    harness.letTimePass();
    assertThat(take()).singleElement().extracting(Taken::operation).isEqualTo(key(1));
  }

  @Test
  void take_ofAnotherProvidersOperation_belongsToNobody() {
    accepted(1, "job-1");
    byte[] body = Fixture.utf8("{}");
    for (OperationKey named : new OperationKey[] {null, key(1)}) {
      inbox.receive(
          new Inbox.Event(
              new Inbox.Id(OTHER_PROVIDER, "e" + named),
              named,
              "job-1",
              null,
              Sha256.of(body).bytes(),
              null,
              body,
              false));
    }
    assertThat(take()).hasSize(2).allSatisfy(taken -> assertThat(taken.operation()).isNull());
  }

  @Test
  void fc65_take_failureAfterCompletion_isContradictionAndChangesNothing() {
    accepted(1, "job-1");
    harness.letTimePass();
    Follow follow = harness.store().follow(PROVIDER, 1, SECOND, HOUR).getFirst();
    harness.store().apply(List.of(Fixture.complete(follow, Fixture.output(1))));
    inbox.receive(event("e9", null, "job-1", "failed"));
    assertThat(take().getFirst().standing())
        .extracting(Inbox.Standing::state)
        .isEqualTo("complete");
    assertThat(harness.get(key(1)).state()).isEqualTo(OperationState.COMPLETE);
    assertThat(harness.get(key(1)).evidenceOf(Code.CONTRADICTED)).isEqualTo(1);
  }

  private static void received(String id, Duration ago) {
    harness
        .sql()
        .execute(
            "UPDATE inbox SET received_at = now() - ? * interval '1 ms' WHERE event_id = ?",
            ago.toMillis(),
            id);
  }

  private static List<String> ids() {
    return harness
        .sql()
        .fetch("SELECT event_id FROM inbox ORDER BY event_id")
        .map(row -> String.valueOf(row.get(0)));
  }

  @Test
  void forget_takesWhatWasToldLongAgo_andNothingElse() {
    for (String id : List.of("told", "told-lately", "waits", "given-up")) {
      inbox.receive(event(id, null, "job-1", "succeeded"));
    }
    inbox.done(List.of(new Inbox.Id(PROVIDER, "told"), new Inbox.Id(PROVIDER, "told-lately")));
    for (String id : List.of("told", "waits", "given-up")) {
      received(id, HOUR.plus(SECOND));
    }
    received("told-lately", HOUR.minus(SECOND.multipliedBy(30)));
    inbox.later(List.of(new Inbox.Id(PROVIDER, "given-up")), PAUSES, HOUR);
    assertThat(inbox.forget(10, HOUR)).isEqualTo(2);
    assertThat(ids()).containsExactly("told-lately", "waits");
    assertThat(inbox.forget(10, HOUR)).isZero();
  }

  @Test
  void forget_isBounded_theOldestFirst_andTwoAtOnceShareTheWork() {
    List<Inbox.Id> ids =
        IntStream.range(0, 20).mapToObj(n -> new Inbox.Id(PROVIDER, "e" + (100 + n))).toList();
    ids.forEach(id -> inbox.receive(event(id.event(), null, "job", "succeeded")));
    inbox.done(ids);
    for (int n = 0; n < 20; n++) {
      received("e" + (100 + n), HOUR.multipliedBy(30 - n));
    }
    assertThat(inbox.forget(6, HOUR)).isEqualTo(6);
    assertThat(ids()).first().isEqualTo("e106");
    var both = Together.run(() -> inbox.forget(7, HOUR), () -> inbox.forget(7, HOUR));
    // who comes second may find the first one's rows gone after it has chosen them
    assertThat(both.first() + both.second()).isBetween(7, 14);
    while (inbox.forget(7, HOUR) > 0) {
      assertThat(ids()).hasSizeLessThan(14);
    }
    assertThat(ids()).isEmpty();
  }

  /** What comes again after that is new, and asks once more; it is no second evidence. */
  @Test
  void forgottenEvent_thatComesAgain_isNewAndNoSecondEvidence() {
    accepted(1, "job-1");
    inbox.receive(event("e1", null, "job-1", "succeeded"));
    inbox.done(take().stream().map(Taken::id).toList());
    received("e1", HOUR.multipliedBy(2));
    assertThat(inbox.forget(10, HOUR)).isEqualTo(1);
    assertThat(inbox.receive(event("e1", null, "job-1", "succeeded"))).isEqualTo(Receipt.NEW);
    assertThat(take()).hasSize(1);
    assertThat(harness.sql().fetchValue("SELECT count(*) FROM evidence WHERE source = 'webhook'"))
        .isEqualTo(1L);
  }

  /** One event may come to the account's address and to its operation's. */
  @Test
  void sameEventAtItsOperationsAddress_namesTheOperation() {
    sending(1);
    inbox.receive(event("msg-1", null, "job-1", "succeeded"));
    inbox.done(List.of(take().getFirst().id()));
    assertThat(inbox.receive(event("msg-1", key(1), "job-1", "succeeded")))
        .isEqualTo(Receipt.KNOWN);
    assertThat(take()).singleElement().extracting(Taken::operation).isEqualTo(key(1));
  }
}
