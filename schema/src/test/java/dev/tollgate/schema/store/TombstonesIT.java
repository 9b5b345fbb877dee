package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.kafka.KeptMessages;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Tombstones.Keep;
import dev.tollgate.schema.store.Tombstones.Page;
import dev.tollgate.schema.store.Tombstones.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is forgotten of ended operations, what never is, and that their keys answer as before. */
final class TombstonesIT extends StoreContract {
  /** Whatever has ended is old. */
  private static final Keep NOTHING = new Keep(Map.of(), Duration.ZERO);

  private static PostgresHarness harness;
  private static Tombstones tombstones;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(TombstonesIT.class));
    tombstones = new PostgresTombstones(harness.sql());
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  @Override
  protected StoreHarness harness() {
    return harness;
  }

  private void complete(int n) {
    apply(Fixture.complete(accepted(n), Fixture.output(n)));
  }

  private void failed(int n) {
    apply(Fixture.sent(sending(n), OperationState.FAILED, Code.PROVIDER_REJECTED, null));
  }

  private void allTold() {
    store().relayed(store().outbox(10_000).stream().map(OutboxRow::id).distinct().toList());
  }

  private Page bury(Keep keep) {
    return tombstones.bury(null, 1000, keep);
  }

  private static List<OperationKey> keys(List<Place> places) {
    return places.stream().map(Place::key).toList();
  }

  /** Goes through it all until nothing is left to forget. */
  private void forgetAll() {
    Page page = bury(NOTHING);
    List<Place> places = new ArrayList<>(page.buried());
    places.addAll(page.emptied());
    tombstones.clear(places, 1000);
    tombstones.remove(places);
  }

  private static int rows(String table) {
    return harness.sql().fetchCount(DSL.table(table));
  }

  @Test
  void completeOperation_leavesItsKey_andHowItEnded() {
    complete(1);
    KnownIntent before = store().find(List.of(key(1))).getFirst();
    allTold();
    assertThat(keys(bury(NOTHING).buried())).containsExactly(key(1));
    forgetAll();
    for (String table : List.of("operation", "evidence", "attempt", "output", "remote_task")) {
      assertThat(rows(table)).as(table).isZero();
    }
    KnownIntent after = store().find(List.of(key(1))).getFirst();
    assertThat(after.requestHash()).isEqualTo(before.requestHash());
    assertThat(after.state()).isEqualTo(OperationState.COMPLETE);
    assertThat(after.productionTask()).isEqualTo("task-1");
    Tombstone tombstone = tombstones.read(Set.of(key(1), key(2))).values().iterator().next();
    assertThat(tombstone.reason()).isEqualTo(Code.OUTPUT_STORED);
    assertThat(tombstone.remoteId()).isEqualTo("job-1");
    assertThat(tombstone.output()).isEqualTo("file:///outputs/1");
    assertThat(tombstone.price()).isEqualTo(Fixture.PRICE);
    Standing standing =
        new StandingReader(harness.sql()).of(Set.of(key(1))).values().iterator().next();
    assertThat(standing.output()).isEqualTo("file:///outputs/1");
    assertThat(standing.reason()).isEqualTo(Code.OUTPUT_STORED);
  }

  @Test
  void keyOfATombstone_isNeverStoredAgain() {
    failed(1);
    allTold();
    forgetAll();
    for (NewIntent again :
        List.of(
            Fixture.intent(1),
            Fixture.sendNow(1),
            Fixture.intent(1, PROVIDER, "others", true, null))) {
      assertThat(store().insert(List.of(again), Fixture.claimId(), OWNER, ALL_TERMS)).isEmpty();
    }
    assertThat(rows("operation") + rows("lease") + rows("wake")).isZero();
    assertThat(store().find(List.of(key(1))).getFirst().state()).isEqualTo(OperationState.FAILED);
  }

  /** The moment in which another way of forgetting would have neither intent nor tombstone. */
  @Test
  void intakeOfAKey_whileItIsBuried_waitsAndStoresNothing() {
    complete(1);
    allTold();
    CompletableFuture<Set<OperationKey>> intake =
        harness
            .sql()
            .transactionResult(
                burying -> {
                  assertThat(new PostgresTombstones(burying.dsl()).bury(null, 10, NOTHING).buried())
                      .hasSize(1);
                  CompletableFuture<Set<OperationKey>> begun =
                      CompletableFuture.supplyAsync(
                          () ->
                              store()
                                  .insert(
                                      List.of(Fixture.sendNow(1), Fixture.sendNow(2)),
                                      Fixture.claimId(),
                                      OWNER,
                                      ALL_TERMS));
                  await()
                      .until(
                          () ->
                              begun.isDone()
                                  || burying
                                          .dsl()
                                          .fetchCount(
                                              DSL.table("pg_stat_activity"),
                                              DSL.condition("wait_event_type = 'Lock'"))
                                      > 0);
                  return begun;
                });
    assertThat(intake.join()).containsExactly(key(2));
    forgetAll();
    assertThat(get(2).state()).isEqualTo(OperationState.SENDING);
  }

  @Test
  void whatHasNotEnded_isNeverForgotten() {
    insertPrepared(1);
    sending(1);
    unknown(2);
    accepted(3);
    apply(Fixture.troubled(accepted(4), Code.OUTPUT_GONE, Code.OUTPUT_GONE));
    complete(5);
    allTold();
    assertThat(keys(bury(NOTHING).buried())).containsExactly(key(5));
    forgetAll();
    assertThat(rows("operation")).isEqualTo(5);
  }

  @Test
  void howLong_isByProvider() {
    complete(1);
    allTold();
    Duration hour = Duration.ofHours(1);
    assertThat(bury(new Keep(Map.of(PROVIDER, hour), Duration.ZERO)).buried()).isEmpty();
    assertThat(bury(new Keep(Map.of("other", Duration.ZERO), hour)).buried()).isEmpty();
    assertThat(bury(new Keep(Map.of(PROVIDER, Duration.ZERO), hour)).buried()).hasSize(1);
  }

  @Test
  void whatIsUntold_isKept() {
    keptWhile(_ -> {}, _ -> allTold());
    keptWhile(
        n -> {
          allTold();
          new PostgresRegenerations(harness.sql()).note(Map.of(key(n), Duration.ZERO));
        },
        n -> new PostgresRegenerations(harness.sql()).done(List.of(key(n))));
    Inbox inbox = new PostgresInbox(harness.sql());
    Inbox.Id event = new Inbox.Id(PROVIDER, "event");
    keptWhile(
        n -> {
          allTold();
          inbox.receive(
              new Inbox.Event(
                  event, key(n), null, "job-" + n, null, new byte[32], null, new byte[0], false));
        },
        _ -> inbox.done(List.of(event)));
    keptWhile(
        n -> {
          allTold();
          harness
              .sql()
              .execute(
                  "INSERT INTO chunk_outbox (seq, op_key, first, last, bytes) VALUES (?, ?, '{0}', '{0}', 1)",
                  new Long[] {(long) n}, new byte[][] {key(n).bytes()});
        },
        _ -> harness.sql().execute("DELETE FROM chunk_outbox"));
  }

  private void keptWhile(IntConsumer untold, IntConsumer told) {
    harness.reset();
    complete(7);
    untold.accept(7);
    assertThat(bury(NOTHING).buried()).isEmpty();
    told.accept(7);
    assertThat(keys(bury(NOTHING).buried())).containsExactly(key(7));
  }

  @Test
  void openSuspicion_isKept_untilItIsSettled() {
    complete(1);
    store().lateEvidence(Map.of(key(1), "job-other"));
    allTold();
    assertThat(bury(NOTHING).buried()).isEmpty();
    settle(1, "job-quite-another");
    assertThat(bury(NOTHING).buried()).as("that was another task").isEmpty();
    settle(1, "job-other");
    assertThat(keys(bury(NOTHING).buried())).containsExactly(key(1));
  }

  private static void settle(int n, @Nullable String remoteId) {
    harness
        .sql()
        .execute(
            "INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, remote_id)"
                + " SELECT seq, op_key, ?, now(), fence, 'person', 'DUPLICATE_SETTLED', false, ?"
                + " FROM operation WHERE op_key = ?",
            Evidence.newId(),
            remoteId,
            key(n).bytes());
  }

  @Test
  void statements_deleteAtMostSoManyRows_andTheOperationLast() {
    complete(1);
    for (int i = 0; i < 25; i++) {
      settle(1, null);
    }
    allTold();
    List<Place> buried = bury(NOTHING).buried();
    int before = rows("evidence");
    assertThat(tombstones.clear(buried, 10).most()).isEqualTo(10);
    assertThat(rows("evidence")).isEqualTo(before - 10);
    assertThat(tombstones.remove(buried)).isZero();
    assertThat(keys(bury(NOTHING).emptied())).as("met again").containsExactly(key(1));
    while (tombstones.clear(buried, 10).rows() > 0) {
      assertThat(tombstones.remove(buried)).isLessThanOrEqualTo(1);
    }
    tombstones.remove(buried);
    assertThat(rows("operation")).isZero();
  }

  @Test
  void pages_goThroughAll() {
    insertPrepared(7);
    List<Integer> sizes = new ArrayList<>();
    Place after = null;
    Page page;
    do {
      page = tombstones.bury(after, 3, NOTHING);
      sizes.add(page.read());
      after = page.last();
    } while (page.read() == 3);
    assertThat(sizes).containsExactly(3, 3, 1);
    assertThat(bury(NOTHING).last()).isEqualTo(new Place(6, key(6)));
  }

  @Test
  void twoAtOnce_shareTheWork() {
    for (int n = 0; n < 20; n++) {
      complete(n);
    }
    allTold();
    Tombstones other = new PostgresTombstones(harness.sql());
    List<OperationKey> buried =
        Together.all(
            Together.run(
                () -> keys(bury(NOTHING).buried()),
                () -> keys(other.bury(null, 1000, NOTHING).buried())));
    assertThat(buried).doesNotHaveDuplicates();
    forgetAll();
    forgetAll();
    assertThat(rows("operation")).isZero();
    assertThat(tombstones.read(Set.copyOf(buried))).hasSize(20);
  }

  @Test
  void databaseItself_letsNothingGoThatIsNotBuried() {
    accepted(1);
    failed(2);
    assertThat(refusal("DELETE FROM operation")).isEqualTo("operation_is_kept");
    assertThat(refusal("DELETE FROM evidence")).isEqualTo("evidence_is_append_only");
    String bury =
        "UPDATE intent SET params = '', dimensions = '{}', producer = NULL, first_claim = NULL, first_owner = NULL,"
            + " first_send_deadline = NULL, first_absent_after = NULL, first_carried = NULL, first_sent_to = NULL,"
            + " ended_at = now(), ended_state = 'failed'";
    assertThat(refusal(bury + where(1))).as("not ended").isEqualTo("intent_is_append_only");
    assertThat(refusal(bury + ", request_hash = sha256('')" + where(2)))
        .isEqualTo("intent_is_append_only");
    assertThat(refusal(bury + where(2))).isEqualTo("nobody");
    assertThat(refusal(bury + where(2))).as("once").isEqualTo("intent_is_append_only");
    assertThat(refusal("DELETE FROM intent" + where(2))).isEqualTo("intent_is_append_only");
  }

  private static String where(int n) {
    return " WHERE op_key = decode('%s', 'hex')"
        .formatted(java.util.HexFormat.of().formatHex(key(n).bytes()));
  }

  private static String refusal(String sql) {
    return TransitionTableIT.refusal(harness.sql(), sql);
  }

  @Test
  void books_ofPeriodsLongOver_goWithTheirRefunds() {
    harness
        .sql()
        .execute(
            "INSERT INTO budget (scope, who, per, period, version, booked)"
                + " VALUES ('provider', 'p', 'day', '2020-01-01', 1, 5), ('provider', 'p', 'day', now()::date, 1, 5)");
    harness
        .sql()
        .execute(
            "INSERT INTO refund (budget, op_key, micros) SELECT id, sha256('x'), 1 FROM budget");
    assertThat(tombstones.forgetBooks(Duration.ofDays(30), 10)).isEqualTo(1);
    assertThat(tombstones.forgetBooks(Duration.ofDays(30), 10)).isEqualTo(1);
    assertThat(tombstones.forgetBooks(Duration.ofDays(30), 10)).isZero();
    assertThat(rows("budget")).isEqualTo(1);
    assertThat(rows("refund")).isEqualTo(1);
  }

  @Test
  void aMonthThatGoesOn_keepsItsBudget_howeverShortTheWindow() {
    harness
        .sql()
        .execute(
            "INSERT INTO budget (scope, who, per, period, version, booked)"
                + " VALUES ('provider', 'p', 'month', (now() - interval '20 days')::date, 1, 5)");
    tombstones.forgetBooks(Duration.ofDays(7), 10);
    assertThat(rows("budget")).as("what the running month has spent").isEqualTo(1);
  }

  /** As large as a number of Kafka can be: another way to say "for ever". */
  @Test
  void aTopicKeptForTheLongestTime_stopsNoForgetting() {
    Duration longest =
        new KeptMessages.For("requests", Duration.ofMillis(Long.MAX_VALUE), Duration.ofDays(7))
            .longest();
    assertThat(bury(new Keep(Map.of(), longest)).buried()).isEmpty();
  }
}
