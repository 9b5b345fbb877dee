package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Regenerations.Due;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Failed operations that a policy decides on: noted once, taken by one at a time, not lost. */
final class RegenerationsIT extends StoreContract {
  private static PostgresHarness harness;
  private static Regenerations regenerations;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(RegenerationsIT.class));
    regenerations = new PostgresRegenerations(harness.sql());
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  @Override
  protected StoreHarness harness() {
    return harness;
  }

  private void failed(int n) {
    apply(failure(accepted(n)));
  }

  private static Change failure(Follow follow) {
    return Change.ofFollow(
        follow,
        OperationState.FAILED,
        Code.PROVIDER_FAILED,
        null,
        null,
        Duration.ZERO,
        Evidence.note(Evidence.Source.STATUS, Code.PROVIDER_FAILED, "failed: code 7"));
  }

  private static List<Due> take() {
    return regenerations.take(10, LEASE);
  }

  private static void note(int n) {
    regenerations.note(Map.of(key(n), Duration.ZERO));
  }

  private static void letTheLeaseEnd() {
    harness.sql().execute("UPDATE regeneration SET at = now() - interval '1 s'");
  }

  @Test
  void take_tellsWhatWasAskedFor_andHowItFailed() {
    failed(1);
    note(1);
    assertThat(take())
        .singleElement()
        .satisfies(
            due -> {
              NewIntent asked = Fixture.intent(1);
              assertThat(due.earlier().key()).isEqualTo(key(1));
              assertThat(due.earlier().dimensions()).isEqualTo(asked.dimensions());
              assertThat(due.earlier().provider()).isEqualTo(asked.provider());
              assertThat(due.earlier().params()).isEqualTo(asked.params());
              assertThat(due.earlier().productionTask()).isEqualTo("task-1");
              assertThat(due.earlier().producer()).isEqualTo(Fixture.PRODUCER);
              assertThat(due.earlier().deadline()).isNull();
              assertThat(due.reason()).isEqualTo(Code.PROVIDER_FAILED);
              assertThat(due.why()).isEqualTo("failed: code 7");
              assertThat(due.doubt()).isNull();
            });
  }

  @Test
  void take_beforeThePauseIsOver_isNothing() {
    failed(1);
    regenerations.note(Map.of(key(1), Duration.ofHours(1)));
    assertThat(take()).isEmpty();
    note(1); // told again: the first note stays
    assertThat(take()).isEmpty();
  }

  @Test
  void take_whoDiesWithIt_leavesItToTheNextOne() {
    failed(1);
    note(1);
    assertThat(take()).hasSize(1);
    assertThat(take()).isEmpty();
    letTheLeaseEnd();
    assertThat(take()).hasSize(1);
    regenerations.done(List.of(key(1)));
    letTheLeaseEnd();
    assertThat(take()).isEmpty();
  }

  @Test
  void take_byTwoAtOnce_eachIsOnes() {
    for (int n = 1; n <= 20; n++) {
      failed(n);
      note(n);
    }
    Together.Both<List<Due>> both =
        Together.run(
            () -> regenerations.take(20, LEASE),
            () -> new PostgresRegenerations(harness.sql()).take(20, LEASE));
    assertThat(Together.all(both)).extracting(due -> due.earlier().key()).doesNotHaveDuplicates();
    assertThat(Together.all(both)).hasSize(20);
  }

  /** Once it was unknown, or has a task it should not have, a person looks first. */
  @Test
  void take_evidenceOfMoreThanAPlainFailure_isDoubt() {
    Look look = looking(1);
    apply(Fixture.found(look, "job-1"));
    apply(
        failure(
            new Follow(
                key(1), Fixture.PROVIDER, look.fence(), look.claim(), "job-1", look.seq(), 0)));
    failed(2);
    assertThat(store().lateEvidence(Map.of(key(2), "another"))).containsExactly(key(2));
    note(1);
    note(2);
    assertThat(take())
        .extracting(Due::doubt)
        .containsExactlyInAnyOrder(Code.OUTCOME_UNKNOWN, Code.SUSPECTED_DUPLICATE);
  }

  /** What a next generation has to belong to. */
  @Test
  void find_tellsTheProductionTask() {
    failed(1);
    failed(2);
    assertThat(store().find(List.of(key(1), key(2))))
        .extracting(KnownIntent::productionTask)
        .containsExactlyInAnyOrder("task-1", null);
  }

  private static void told(Follow follow, String word) {
    Inbox inbox = new PostgresInbox(harness.sql());
    inbox.receive(
        new Inbox.Event(
            new Inbox.Id(follow.provider(), "event of " + follow.key()),
            follow.key(),
            follow.remoteId(),
            word,
            new byte[32],
            null,
            Fixture.utf8("{}"),
            false));
    assertThat(inbox.take(10, LEASE)).hasSize(1);
  }

  @Test
  void take_webhookSaidSucceededBeforeThePollSaidFailed_isDoubt() {
    Follow follow = accepted(1);
    told(follow, "succeeded");
    apply(failure(follow));
    note(1);
    assertThat(take()).extracting(Due::doubt).containsExactly(Code.EVENT_RECEIVED);
  }

  @Test
  void take_webhookSaidFailedToo_isNoDoubt() {
    Follow follow = accepted(1);
    told(follow, "failed");
    apply(failure(follow));
    note(1);
    assertThat(take()).extracting(Due::doubt).containsOnlyNulls().hasSize(1);
  }

  /** There was an output, or a part of one, and so perhaps a charge. */
  @ParameterizedTest
  @EnumSource(
      value = Code.class,
      names = {
        "STREAM_CUT",
        "STREAM_CONFLICT",
        "OUTPUT_GONE",
        "OUTPUT_UNAVAILABLE",
        "OUTPUT_INVALID",
        "CHECKSUM_MISMATCH"
      })
  void take_troubleWithAnOutputBeforeTheFailure_isDoubt(Code trouble) {
    Follow follow = accepted(1);
    apply(Fixture.troubled(follow, trouble, null));
    apply(failure(follow));
    note(1);
    assertThat(take()).extracting(Due::doubt).containsExactly(trouble);
  }

  /** It would be taken again for ever. */
  @Test
  void take_operationIsGoneOrHasNotFailed_theNoteIsDropped_andOthersStay() {
    accepted(1);
    failed(2);
    note(1);
    note(2);
    note(7); // not stored at all
    assertThat(take()).extracting(due -> due.earlier().key()).containsExactly(key(2));
    assertThat(
            harness.sql().fetch("SELECT op_key FROM regeneration").map(row -> (byte[]) row.get(0)))
        .containsExactly(key(2).bytes());
  }

  @Test
  void take_whatHasNotFailed_isNothing() {
    accepted(1);
    apply(Fixture.complete(accepted(2), Fixture.output(2)));
    note(1);
    note(2);
    note(7); // not stored at all
    assertThat(take()).isEmpty();
    regenerations.note(Map.of());
    regenerations.done(List.of());
  }
}
