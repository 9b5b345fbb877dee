package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.OTHER_TERMS;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A new history of the data, which a person's word begins here: a promotion would as well. */
final class HistoriesIT extends StoreContract {
  private static final Duration LATER = Duration.ofSeconds(40);

  private static DatabaseSettings settings;
  private static PostgresHarness harness;
  private static Histories histories;

  @BeforeAll
  static void open() {
    settings = TestDatabase.migrated(HistoriesIT.class);
    harness = new PostgresHarness(settings);
    histories = new Histories(harness.sql());
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  @Override
  protected StoreHarness harness() {
    return harness;
  }

  private static History begin() {
    return histories.begin("w1", ALL_TERMS);
  }

  private static History lose() {
    histories.lost("sam", "the disk's copy of last night was put back");
    return begin();
  }

  @Test
  void theFirstHistory_suspectsNothing() {
    insertPrepared(2);
    History first = begin();
    assertThat(first.earlier()).isFalse();
    assertThat(first.ready()).isTrue();
    assertThat(first.suspected()).isZero();
    assertThat(get(1).state()).isEqualTo(OperationState.PREPARED);
    assertThat(begin()).isEqualTo(first);
  }

  @Test
  void aNewHistory_hasAnIdOfItsOwnAndIsFoundOnce() {
    History first = begin();
    History second = lose();
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.earlier()).isTrue();
    assertThat(begin()).isEqualTo(second);
    assertThat(histories.all()).containsExactly(first, second);
  }

  @Test
  void whatWasDue_countsAsSentAndIsSwept() {
    begin();
    insertPrepared(1);
    harness.age(key(0), Duration.ofMinutes(7));
    History second = lose();
    assertThat(second.suspected()).isEqualTo(1);
    assertThat(store().claim(10, claimId(), OWNER, Fixture.TERMS)).isEmpty();
    assertThat(store().sweep(10, LATER).lost()).containsExactly(key(0));
    StoredOperation unknown = get(0);
    assertThat(unknown.state()).isEqualTo(OperationState.UNKNOWN);
    assertThat(unknown.version()).isGreaterThan(1000);
    assertThat(unknown.evidence())
        .extracting(StoredOperation.Seen::code)
        .contains(Code.HISTORY_LOST, Code.LEASE_LOST);
    Look look = look(0);
    // a list is searched from when it was last seen to change, and nothing is proved for long
    assertThat(Duration.between(look.firstBegan(), look.now()))
        .isGreaterThan(Duration.ofMinutes(6));
    assertThat(look.pastHorizon()).isFalse();
    assertThat(Duration.between(look.now(), look.absentAfter()))
        .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
    assertThat(look.carried()).isEqualTo(Fixture.CARRIES);
    assertThat(look.sentTo()).hasValue(Fixture.SENDS_TO);
  }

  @Test
  void whatWasNotDueYet_cannotHaveBeenSent() {
    begin();
    apply(Fixture.sent(sending(1), OperationState.PREPARED, Code.PROVIDER_THROTTLED, null));
    assertThat(lose().suspected()).isZero();
    assertThat(get(1).state()).isEqualTo(OperationState.PREPARED);
  }

  @Test
  void whatWasUnknown_mayHaveBeenSentAgain_soItsHorizonMoves() {
    begin();
    Claim claim = unknown(1);
    Look before = look(1);
    History second = lose();
    assertThat(second.suspected()).isEqualTo(1);
    StoredOperation now = get(1);
    assertThat(now.state()).isEqualTo(OperationState.UNKNOWN);
    assertThat(now.fence()).isEqualTo(before.fence() + 1);
    assertThat(now.attempts()).isEqualTo(claim.attempts() + 1);
    // whoever looks at this moment knows nothing of that attempt
    applyInVain(Fixture.looked(before, OperationState.PREPARED, Code.ABSENT, null));
    harness.letTimePass();
    Look after = look(1);
    assertThat(after.absentAfter()).isAfter(before.absentAfter());
    assertThat(after.firstBegan()).isEqualTo(before.firstBegan());
    assertThat(after.lost()).isEqualTo(2);
  }

  @Test
  void whatIsOverOrKnown_isLeftAlone() {
    begin();
    accepted(1);
    Claim refused = sending(2);
    apply(Fixture.sent(refused, OperationState.FAILED, Code.PROVIDER_REJECTED, null));
    sending(3);
    assertThat(lose().suspected()).isZero();
    assertThat(get(1).state()).isEqualTo(OperationState.ACCEPTED);
    assertThat(get(3).state()).isEqualTo(OperationState.SENDING);
  }

  @Test
  void ofAProviderThatIsNotConfigured_nothingIsProved() {
    begin();
    insertPrepared(1);
    histories.lost("sam", "a test");
    histories.begin("w1", List.of(OTHER_TERMS));
    store().sweep(10, LATER);
    Look look = look(0);
    assertThat(look.carried()).isZero();
    assertThat(Duration.between(look.now(), look.absentAfter()))
        .isGreaterThan(Duration.ofHours(23));
  }

  @Test
  void moreThanOneStatementTakes_isFoundWholeByTwoProcessesAtOnce() throws Exception {
    begin();
    int many = 2500;
    for (int from = 0; from < many; from += 500) {
      store()
          .insert(
              IntStream.range(from, from + 500).mapToObj(Fixture::intent).toList(),
              claimId(),
              OWNER,
              ALL_TERMS);
    }
    histories.lost("sam", "a test");
    CompletableFuture<History> other =
        CompletableFuture.supplyAsync(() -> histories.begin("w2", ALL_TERMS));
    History mine = begin();
    assertThat(other.get().id()).isEqualTo(mine.id());
    assertThat(begin().suspected()).isEqualTo(many);
    assertThat(store().claim(10, claimId(), OWNER, Fixture.TERMS)).isEmpty();
    harness.reset();
  }

  @Test
  void aProcess_actsInNoOtherHistoryThanItsOwn_andStillRecordsWhatItDid() {
    try (Database database = new Database(settings, "bound", 2, null)) {
      database.bind(begin());
      OperationStore acting = new PostgresOperationStore(database.bound());
      OperationStore recording = new PostgresOperationStore(database.dsl());
      insertPrepared(3);
      Claim claim = acting.claim(1, claimId(), OWNER, Fixture.TERMS).getFirst();
      assertThat(database.moved()).isEmpty();

      histories.lost("sam", "a test");
      database.now();
      assertThat(database.moved()).isPresent();
      assertThat(recording.apply(List.of(Fixture.accepted(claim, "job-1")))).hasSize(1);
    }
  }

  @Test
  void aNewConnectionToAnotherHistory_isRefused() {
    try (Database database = new Database(settings, "bound", 1, null)) {
      database.bind(begin());
      histories.lost("sam", "a test");
      OperationStore acting = new PostgresOperationStore(database.bound());
      assertThatThrownBy(() -> acting.claim(1, claimId(), OWNER, Fixture.TERMS))
          .isInstanceOf(StoreUnavailable.class);
      assertThatThrownBy(
              () -> new Histories(database.bound()).progressed("requests", Map.of(0, 7L)))
          .isInstanceOf(StoreUnavailable.class);
      assertThat(database.moved()).isPresent();
    }
  }

  @Test
  void whatIsReadAgain_isStoredAsPossiblySent_once() {
    begin();
    Instant since = Instant.parse("2026-11-05T10:00:00Z");
    List<NewIntent> intents = List.of(Fixture.sendNow(1), Fixture.sendNow(2));
    assertThat(store().insertPossiblySent(intents, claimId(), OWNER, ALL_TERMS, since)).hasSize(2);
    assertThat(store().insertPossiblySent(intents, claimId(), OWNER, ALL_TERMS, since)).isEmpty();
    assertThat(store().sweep(10, LATER).lost()).containsExactlyInAnyOrder(key(1), key(2));
    Look look = look(1);
    assertThat(look.firstBegan()).isEqualTo(since);
    assertThat(look.pastHorizon()).isFalse();
    assertThat(get(1).version()).isGreaterThan(1000);
  }

  @Test
  void theBeginningOfWhatMayHaveBeenSent_isNeverInTheFuture() {
    begin();
    Instant ahead = Instant.parse("2126-11-05T10:00:00Z");
    store().insertPossiblySent(List.of(Fixture.sendNow(1)), claimId(), OWNER, ALL_TERMS, ahead);
    store().sweep(10, LATER);
    Look look = look(1);
    assertThat(look.firstBegan()).isBeforeOrEqualTo(look.now());
  }

  @Test
  void progress_isKeptByTopicAndPartition() {
    histories.progressed("requests", Map.of(0, 7L, 1, 9L));
    histories.progressed("requests", Map.of(0, 8L));
    histories.progressed("others", Map.of(0, 100L));
    Map<Integer, IntakeProgress> known = histories.progress("requests", List.of(0, 1, 2));
    assertThat(known).containsOnlyKeys(0, 1);
    assertThat(known.get(0)).extracting(IntakeProgress::nextOffset).isEqualTo(8L);
    assertThat(known.get(1)).extracting(IntakeProgress::nextOffset).isEqualTo(9L);
  }

  /**
   * The copy is of a moment at which its first attempt was under way. In the commits that it lacks
   * that attempt was answered "not sent", and the operation was sent again, long after.
   */
  @Test
  void whatWasSending_mayHaveBeenSentAgain_soItsHorizonMoves() {
    begin();
    Terms longAgo = // stands for an attempt whose horizon passed before the copy was put back
        Fixture.terms(
            Fixture.PROVIDER, Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(1));
    store().insert(List.of(Fixture.sendNow(1)), claimId(), OWNER, List.of(longAgo));
    lose();
    harness.letTimePass();
    // whoever sent it may still say what became of it; then it is swept
    assertThat(store().sweep(10, LATER).lost()).containsExactly(key(1));
    StoredOperation swept = get(1);
    assertThat(swept.attempts()).isEqualTo(2);
    assertThat(swept.version()).as("events of missing commits may be out").isGreaterThan(1000);
    Instant horizon =
        harness
            .sql()
            .fetchSingle("SELECT max(absent_after) FROM attempts")
            .get(0, java.time.OffsetDateTime.class)
            .toInstant();
    Instant first =
        harness
            .sql()
            .fetchSingle("SELECT min(absent_after) FROM attempts")
            .get(0, java.time.OffsetDateTime.class)
            .toInstant();
    // as long as that of the attempt that is on record, but from now on
    assertThat(horizon).isAfter(first);
    sending(2);
    harness.letTimePass();
    store().sweep(10, LATER);
    assertThat(get(2).attempts()).as("sent in this history").isEqualTo(1);
  }

  @Test
  void aDueOperationUnderReview_stopsNoStart() {
    begin();
    insertPrepared(1);
    // LATE set the review; its process ended before the try that sees the new wake row
    harness
        .sql()
        .execute(
            "UPDATE operation SET review = 'SUSPECTED_DUPLICATE' WHERE op_key = ?", key(0).bytes());
    histories.lost("sam", "a test");
    CompletableFuture<History> begun = CompletableFuture.supplyAsync(HistoriesIT::begin);
    try {
      org.awaitility.Awaitility.await().atMost(Duration.ofSeconds(10)).until(begun::isDone);
    } finally {
      harness.reset();
      begun.handle((h, e) -> h).join();
      harness.reset();
    }
  }
}
