package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.key.Dimensions;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What people see of operations. */
final class OperationReaderIT extends StoreContract {
  private static PostgresHarness harness;
  private static Database database;
  private static OperationReader reader;

  @BeforeAll
  static void open() {
    DatabaseSettings settings = TestDatabase.migrated(OperationReaderIT.class);
    harness = new PostgresHarness(settings);
    database = Database.forReading(settings, "reader");
    reader = new OperationReader(database.dsl());
  }

  @AfterAll
  static void close() {
    database.close();
    harness.close();
  }

  @Override
  protected StoreHarness harness() {
    return harness;
  }

  private static List<OperationKey> listed(
      Set<OperationState> states, @Nullable String provider, boolean reviewOnly) {
    return reader.list(new OperationFilter(states, provider, reviewOnly, 100, null)).stream()
        .map(OperationSummary::key)
        .toList();
  }

  @Test
  void list_filters() {
    sending(1);
    accepted(2);
    apply(Fixture.complete(accepted(3), Fixture.output(3)));
    apply(
        Fixture.sent(
            sending(4), OperationState.UNKNOWN, Code.OUTCOME_UNKNOWN, Code.NO_WAY_TO_KNOW));
    insertForOtherProvider(5);
    assertThat(listed(Set.of(), null, false))
        .containsExactly(key(5), key(4), key(3), key(2), key(1));
    assertThat(listed(Set.of(), PROVIDER, false)).hasSize(4).doesNotContain(key(5));
    assertThat(listed(Set.of(), null, true)).containsExactly(key(4));
    assertThat(listed(Set.of(OperationState.ACCEPTED, OperationState.COMPLETE), null, false))
        .containsExactly(key(3), key(2));
    assertThat(listed(Set.of(OperationState.SENDING, OperationState.UNKNOWN), PROVIDER, false))
        .containsExactly(key(4), key(1));
    assertThat(listed(Set.of(OperationState.SENDING), null, false)).containsExactly(key(1));
    assertThat(listed(Set.of(OperationState.FAILED), null, false)).isEmpty();
  }

  @Test
  void list_pages_meetEachOperationOnce() {
    insertPrepared(25); // one statement: all of them changed at the same instant
    List<OperationKey> seen = new ArrayList<>();
    OperationFilter filter = OperationFilter.all(10);
    List<OperationSummary> page = reader.list(filter);
    while (!page.isEmpty()) {
      page.forEach(summary -> seen.add(summary.key()));
      OperationFilter.Cursor end = page.getLast().cursor();
      assertThat(OperationFilter.Cursor.parse(end.toString())).isEqualTo(end);
      page = reader.list(filter.after(end));
    }
    assertThat(seen).hasSize(25).doesNotHaveDuplicates();
  }

  @Test
  void filter_outOfBounds_isRefused() {
    assertThatThrownBy(() -> OperationFilter.all(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OperationFilter.all(1001))
        .isInstanceOf(IllegalArgumentException.class);
    for (String bad : List.of("", "/", "now/video:00", "2026-01-01T00:00:00Z", "x")) {
      assertThatThrownBy(() -> OperationFilter.Cursor.parse(bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void show_tellsTheWholeStory() {
    Look look = looking(1);
    apply(Fixture.found(look, "job-1"));
    Follow follow =
        new Follow(key(1), PROVIDER, look.fence(), look.claim(), "job-1", look.seq(), 0);
    OperationDetails open = reader.show(key(1)).orElseThrow();
    assertThat(open.output()).isNull();
    OperationSummary.Next next = open.summary().next();
    assertThat(next == null ? "nothing" : next.role()).isEqualTo("follow");
    apply(Fixture.complete(follow, Fixture.output(1)));

    OperationDetails done = reader.show(key(1)).orElseThrow();
    assertThat(done.summary().state()).isEqualTo(OperationState.COMPLETE);
    assertThat(done.summary().next()).isNull();
    assertThat(done.summary().fence()).isEqualTo(2);
    assertThat(done.summary().claim()).isEqualTo(look.claim());
    assertThat(done.summary().changedAt()).isAfter(done.summary().createdAt());
    assertThat(done.intent().params()).isEqualTo(Fixture.sendNow(1).params());
    assertThat(done.intent().productionTask()).isEqualTo("task-1");
    assertThat(done.attempts())
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.owner()).isEqualTo(OWNER));
    assertThat(done.evidence())
        .extracting(OperationDetails.Seen::code)
        .containsExactly(Code.OUTCOME_UNKNOWN, Code.FOUND, Code.OUTPUT_STORED);
    assertThat(done.evidenceCount()).isEqualTo(3);
    assertThat(done.evidence().getFirst().body()).isEqualTo(Fixture.utf8("{}"));
    assertThat(done.output()).usingRecursiveComparison().isEqualTo(Fixture.output(1));
    assertThat(done.outputStoredAt()).isNotNull();
    assertThat(reader.show(key(2))).isEmpty();
  }

  /** Generations of one output, numbered; from the second on each names the one before. */
  private NewIntent generation(int number) {
    Dimensions dimensions = Dimensions.of("video").product("p").generation(number).build();
    OperationKey before = number == 1 ? null : dimensions.withGeneration(number - 1).operationKey();
    NewIntent plain = Fixture.intent(number);
    return new NewIntent(
        dimensions.operationKey(),
        PROVIDER,
        plain.requestHash(),
        plain.submissionKey(),
        false,
        null,
        "task",
        dimensions.canonicalJson(),
        plain.params(),
        0,
        number,
        null,
        Fixture.PRICE,
        before == null ? null : new Retry(before, "anna", "too dark"));
  }

  @Test
  void show_generations_areFoundByTheirKeys_whicheverIsAskedFor() {
    NewIntent first = generation(1);
    NewIntent second = generation(2);
    NewIntent fifth = generation(5); // nobody has the two between
    Set<OperationKey> stored =
        store()
            .insert(
                List.of(first, second, fifth, Fixture.intent(9)),
                Fixture.claimId(),
                OWNER,
                Fixture.ALL_TERMS);
    assertThat(stored).hasSize(4);
    for (NewIntent asked : List.of(first, second, fifth)) {
      OperationDetails shown = reader.show(asked.key()).orElseThrow();
      assertThat(shown.generations())
          .extracting(OperationDetails.Generation::number, OperationDetails.Generation::key)
          .containsExactly(tuple(1, first.key()), tuple(2, second.key()), tuple(5, fifth.key()));
      assertThat(shown.generations())
          .extracting(OperationDetails.Generation::state)
          .containsOnly(OperationState.PREPARED);
      assertThat(shown.intent().retry()).isEqualTo(asked.retry());
    }
    OperationDetails shown = reader.show(second.key()).orElseThrow();
    assertThat(shown.intent().generation()).isEqualTo(2);
    assertThat(shown.next()).isEqualTo(shown.generations().getLast());
    assertThat(reader.show(fifth.key()).orElseThrow().next()).isNull();
    OperationDetails other = reader.show(key(9)).orElseThrow();
    assertThat(other.intent().retry()).isNull();
    assertThat(other.generations()).as("its dimensions name no kind").isEmpty();
  }

  @Test
  void retry_storedTwice_isLeftAlone_andNothingIsSaidWithoutIt() {
    NewIntent second = generation(2);
    assertThat(store().insert(List.of(second), Fixture.claimId(), OWNER, Fixture.ALL_TERMS))
        .hasSize(1);
    NewIntent again = generation(2);
    assertThat(
            store()
                .insert(
                    List.of(again, Fixture.intent(3)), Fixture.claimId(), OWNER, Fixture.ALL_TERMS))
        .containsExactly(key(3));
    assertThatThrownBy(
            () ->
                harness
                    .sql()
                    .execute(
                        """
                        INSERT INTO intent (op_key, provider, request_hash, submission_key, created_at, source_partition,
                                            source_offset, dimensions, params, retry_why)
                        SELECT sha256('x') || 'video'::bytea, 'keyed', sha256('x'), substring(sha256('x') FOR 16), now(), 0,
                               0, '{}', '{}', 'why'
                        """))
        .hasMessageContaining("intent_says_why_of_retries_alone");
  }

  @Test
  void counts_byStateAndReview() {
    insertPrepared(2);
    accepted(2);
    apply(Fixture.complete(accepted(3), Fixture.output(3)));
    apply(
        Fixture.sent(
            sending(4), OperationState.UNKNOWN, Code.OUTCOME_UNKNOWN, Code.NO_WAY_TO_KNOW));
    unknown(5);
    OperationCounts counts = reader.counts();
    assertThat(counts.in(OperationState.PREPARED)).isEqualTo(2);
    assertThat(counts.in(OperationState.UNKNOWN)).isEqualTo(2);
    assertThat(counts.in(OperationState.FAILED)).isZero();
    assertThat(counts.byReview()).containsOnlyKeys(Code.NO_WAY_TO_KNOW);
    assertThat(counts.inReview()).isEqualTo(1);
    assertThat(counts.open()).isEqualTo(5);
    assertThat(counts.total()).isEqualTo(6);
  }

  @Test
  void reading_changesNothing_evenByMistake() {
    assertThatThrownBy(() -> database.dsl().execute("DELETE FROM duty"))
        .isInstanceOf(org.jooq.exception.DataAccessException.class);
  }
}
