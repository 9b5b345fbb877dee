package dev.tollgate.reconciler.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Look;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.send.Sender;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LadderTest {
  private static final Instant BEGAN = Instant.parse("2025-06-01T12:00:00Z");
  static final Duration SKEW = Duration.ofSeconds(10);
  private static final String PARAMS = "{\"prompt\":\"a red kite\"}";
  private static final OperationKey ME = Fixture.key(1);
  private static final OperationKey OTHER = Fixture.key(2);
  private static final Instant HORIZON =
      BEGAN.plus(ScriptedAdapter.SUBMIT_DEADLINE).plus(ScriptedAdapter.HORIZON);

  private static final String OTHERS = "tg-" + "f".repeat(32);
  private static final String REFERENCE = Sender.submissionKey(new byte[16]);

  private final Store store = new Store();
  private final Ladder ladder = new Ladder(store, SKEW);

  static final class Store extends ScriptedStore {
    final Set<String> seen = new LinkedHashSet<>();
    final Map<String, OperationKey> owners = new HashMap<>();
    List<OperationKey> rivals = List.of();

    @Override
    public Map<OperationKey, Set<String>> remoteIdsSeen(Collection<OperationKey> keys) {
      return seen.isEmpty() ? Map.of() : Map.of(ME, seen);
    }

    @Override
    public Map<String, OperationKey> owners(String provider, Collection<String> remoteIds) {
      Map<String, OperationKey> some = new HashMap<>(owners);
      some.keySet().retainAll(remoteIds);
      return some;
    }

    @Override
    public List<OperationKey> rivals(OperationKey key, String provider) {
      return rivals;
    }
  }

  static ScriptedAdapter adapter(Recourse recourse) {
    return ScriptedAdapter.of("p", recourse, 4);
  }

  private static ScriptedAdapter lookup() {
    return adapter(Recourse.LOOKUP_BY_REFERENCE);
  }

  private static ScriptedAdapter listed() {
    return adapter(Recourse.LIST_BY_TIME);
  }

  private static Look after(int looks) {
    return at(HORIZON.plusSeconds(1), looks);
  }

  private static Look at(Instant now) {
    return at(now, 1);
  }

  private static Look at(Instant now, int looks) {
    return new Look(
        ME,
        "p",
        2,
        UUID.randomUUID(),
        1,
        looks,
        BEGAN,
        BEGAN,
        HORIZON,
        now,
        Fixture.utf8(PARAMS),
        new byte[16],
        1,
        Recourse.bits(EnumSet.allOf(Recourse.class)),
        OptionalLong.of(adapter(Recourse.NONE).profile().sendsTo().digest()),
        1,
        null,
        null);
  }

  static Look before() {
    return at(BEGAN.plusSeconds(2));
  }

  static Look after() {
    return at(HORIZON.plusSeconds(1));
  }

  static LookupResult tasks(boolean complete, Candidate... tasks) {
    return new LookupResult.Candidates(List.of(tasks), complete);
  }

  private static Candidate task(String id, @Nullable String input) {
    return new Candidate(id, BEGAN, Optional.ofNullable(input).map(Bytes::utf8), Optional.empty());
  }

  static Candidate fits(String id) {
    return task(id, PARAMS);
  }

  // ---- look-up by reference

  @Test
  void reference_oneTask_isFoundAtAnyTime() {
    var adapter = lookup().finds(tasks(true, fits("t1")));
    for (Look look : List.of(before(), after())) {
      assertThat(ladder.climb(look, adapter)).isInstanceOf(Finding.Found.class);
    }
    assertThat(adapter.asked()).containsOnly("reference tg-" + "0".repeat(32));
  }

  @Test
  void fc46_reference_noneBeforeTheHorizon_provesNothing() {
    var adapter = lookup().finds(tasks(true));
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(at(HORIZON), adapter))
        .as("at the very horizon")
        .isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(), adapter)).isInstanceOf(Finding.Absent.class);
  }

  @Test
  void reference_noneButNotAllWasShown_provesNothing() {
    var adapter = lookup().finds(tasks(false));
    assertThat(ladder.climb(after(), adapter)).isInstanceOf(Finding.Undecided.class);
  }

  @Test
  void fc44_reference_several_takesTheOldestAndNamesTheOthers() {
    Candidate older =
        new Candidate("t3", BEGAN.minusMillis(1), Optional.empty(), Optional.of(REFERENCE));
    var adapter = lookup().finds(tasks(true, fits("t1"), fits("t2"), older));
    assertThat(ladder.climb(before(), adapter))
        .isInstanceOfSatisfying(
            Finding.Found.class,
            found -> {
              assertThat(found.remoteId()).isEqualTo("t3");
              assertThat(found.extras()).containsExactly("t1", "t2");
            });
  }

  @Test
  void echo_ours_isFound_othersProveNothingBeforeTheHorizon() {
    Candidate ours = new Candidate("t2", BEGAN, Optional.empty(), Optional.of(REFERENCE));
    Candidate others = new Candidate("t1", BEGAN, Optional.empty(), Optional.of(OTHERS));
    var echo = adapter(Recourse.ECHOED_REFERENCE);
    assertThat(ladder.climb(before(), echo.finds(tasks(false, others, ours))))
        .isInstanceOfSatisfying(
            Finding.Found.class, found -> assertThat(found.remoteId()).isEqualTo("t2"));
    assertThat(ladder.climb(before(), echo.finds(tasks(true, others))))
        .isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(), echo.finds(tasks(true, others))))
        .isInstanceOf(Finding.Absent.class);
    assertThat(ladder.climb(after(), echo.finds(tasks(false, others))))
        .isInstanceOf(Finding.Undecided.class);
  }

  /** One that was cut, changed or left out on the way could be ours. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "tg-00000000000000000000", "TG-00000000000000000000000000000000", "x"})
  void echo_oddReference_provesNoAbsence_unlessTheTaskIsOnRecord(String odd) {
    Candidate stranger = new Candidate("t1", BEGAN, Optional.empty(), Optional.of(odd));
    var echo = adapter(Recourse.ECHOED_REFERENCE).finds(tasks(true, stranger));
    assertThat(ladder.climb(after(), echo)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(20), echo)).isInstanceOf(Finding.NoWay.class);
    store.owners.put("t1", OTHER);
    assertThat(ladder.climb(after(), echo)).isInstanceOf(Finding.Absent.class);
  }

  @Test
  void lookUpThatForgets_provesNothingOnceTheFirstAttemptIsTooOld() {
    var adapter = lookup().finds(tasks(true));
    assertThat(ladder.climb(at(BEGAN.plus(Duration.ofDays(6))), adapter))
        .isInstanceOf(Finding.Absent.class);
    assertThat(ladder.climb(at(BEGAN.plus(Duration.ofDays(7))), adapter))
        .isNotInstanceOf(Finding.Absent.class);
  }

  @Test
  void resultThatIsOnDisk_isFound_whateverElseIsKnown() {
    var adapter = adapter(Recourse.NONE).keeps(REFERENCE);
    assertThat(ladder.climb(before(), adapter))
        .isInstanceOfSatisfying(
            Finding.Found.class, found -> assertThat(found.remoteId()).isEqualTo(REFERENCE));
  }

  @Test
  void ownEvidence_providerNeverSays_isForAPersonInTheEnd() {
    store.seen.add("t1");
    var adapter = adapter(Recourse.NONE).status("t1", new StatusResult.Unavailable("404"));
    assertThat(ladder.climb(after(99), adapter)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(100), adapter)).isInstanceOf(Finding.Ambiguous.class);
  }

  @Test
  void listThatForgets_provesNothingOnceTheFirstAttemptIsTooOld() {
    var adapter = listed().finds(tasks(true));
    assertThat(ladder.climb(at(BEGAN.plus(Duration.ofDays(6))), adapter))
        .isInstanceOf(Finding.Absent.class);
    assertThat(ladder.climb(at(BEGAN.plus(Duration.ofDays(7))), adapter))
        .isNotInstanceOf(Finding.Absent.class);
  }

  @Test
  void severalWays_theNextIsTriedWhereOneDecidesNothing() {
    var both =
        ScriptedAdapter.of(
            "p", List.of(Recourse.LOOKUP_BY_REFERENCE, Recourse.IDEMPOTENT_CREATE), 4);
    assertThat(ladder.climb(before(), both.finds(tasks(true)))).isInstanceOf(Finding.Resend.class);
    assertThat(ladder.climb(before(), both.finds(tasks(true, fits("t1")))))
        .isInstanceOf(Finding.Found.class);
  }

  @Test
  void callback_isWaitedFor_thenIsForAPerson_andPutsAmbiguityOff() {
    var callback = adapter(Recourse.CALLBACK_PER_REQUEST);
    Instant over = HORIZON.plus(ScriptedAdapter.CALLBACK_WAIT);
    assertThat(ladder.climb(after(), callback)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(at(over), callback))
        .as("one may have come and been refused, or have named no task")
        .isEqualTo(new Finding.NoWay("no callback that names its task was taken until " + over));
    var both =
        ScriptedAdapter.of("p", List.of(Recourse.LIST_BY_TIME, Recourse.CALLBACK_PER_REQUEST), 4)
            .finds(tasks(true, fits("t1"), fits("t2")));
    assertThat(ladder.climb(after(), both)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(at(over), both)).isInstanceOf(Finding.Ambiguous.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Recourse.class,
      names = {"LOOKUP_BY_REFERENCE", "LIST_BY_TIME"})
  void providerCannotAnswer_provesNothing_evenPastTheHorizon(Recourse recourse) {
    var adapter = adapter(recourse).finds(new LookupResult.Unavailable("503"));
    assertThat(ladder.climb(after(), adapter)).isInstanceOf(Finding.Undecided.class);
  }

  @Test
  void reference_answerThatNoDocumentExplains_isForAPersonInTheEnd_neverAbsence() {
    var adapter = lookup().finds(new LookupResult.Unavailable("404 1203", true));
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(), adapter)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(19), adapter)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(20), adapter)).isInstanceOf(Finding.NoWay.class);
    var away = lookup().finds(new LookupResult.Unavailable("503"));
    assertThat(ladder.climb(after(1_000), away)).isInstanceOf(Finding.Undecided.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Recourse.class,
      names = {"LOOKUP_BY_REFERENCE", "LIST_BY_TIME"})
  void adapterHasNoSuchLookUp_isForAPerson(Recourse recourse) {
    assertThat(ladder.climb(after(), adapter(recourse))).isInstanceOf(Finding.NoWay.class);
  }

  // ---- list

  @Test
  void list_spansFromTheFirstAttemptToTheHorizonAtMost_withTheClocksSkew() {
    var adapter = listed().finds(tasks(true));
    ladder.climb(after(), adapter);
    assertThat(adapter.asked())
        .containsExactly("list " + BEGAN.minus(SKEW) + " " + HORIZON.plus(SKEW));
  }

  @Test
  void list_oneFits_isFoundAtAnyTime_othersDoNotMatter() {
    var adapter = listed().finds(tasks(false, task("t0", "{\"prompt\":\"other\"}"), fits("t1")));
    assertThat(ladder.climb(before(), adapter))
        .isEqualTo(
            new Finding.Found(
                "t1",
                "list of 2 tasks from %s to %s: one fits in every attribute"
                    .formatted(BEGAN.minus(SKEW), BEGAN.plusSeconds(2).plus(SKEW))));
  }

  @Test
  void list_noneFits_isAbsentOnlyAfterTheHorizonAndOnlyIfAllWasShown() {
    var all = listed().finds(tasks(true, task("t0", "{\"prompt\":\"other\"}")));
    var some = listed().finds(tasks(false, task("t0", "{\"prompt\":\"other\"}")));
    assertThat(ladder.climb(before(), all)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(), all)).isInstanceOf(Finding.Absent.class);
    assertThat(ladder.climb(after(), some)).isInstanceOf(Finding.Undecided.class);
  }

  @Test
  void list_severalFit_isForAPerson() {
    var adapter = listed().finds(tasks(true, fits("t1"), fits("t2")));
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Ambiguous.class);
  }

  @Test
  void list_oneFitsButAnotherOperationAskedForTheSame_waitsThenIsForAPerson() {
    store.rivals = List.of(OTHER);
    var adapter = listed().finds(tasks(true, fits("t1")));
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(), adapter)).isInstanceOf(Finding.Ambiguous.class);
  }

  @Test
  void list_tasksOfOthersDoNotFit_ownOneDoes() {
    store.owners.put("t1", OTHER);
    store.owners.put("t2", ME);
    var adapter = listed().finds(tasks(true, fits("t1"), fits("t2")));
    assertThat(ladder.climb(before(), adapter))
        .isInstanceOfSatisfying(
            Finding.Found.class, found -> assertThat(found.remoteId()).isEqualTo("t2"));
  }

  @Test
  void list_onlyTasksOfOthers_isAbsentAfterTheHorizon() {
    store.owners.put("t1", OTHER);
    var adapter = listed().finds(tasks(true, fits("t1")));
    assertThat(ladder.climb(after(), adapter)).isInstanceOf(Finding.Absent.class);
  }

  @Test
  void list_taskHidesItsInput_isNeverTakenAndNeverCountedAsNone() {
    var adapter = listed().finds(tasks(true, task("t1", null)));
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(), adapter)).isInstanceOf(Finding.Ambiguous.class);
  }

  // ---- promise

  @Test
  void promise_holds_allowsAResendAtOnce() {
    var adapter = adapter(Recourse.IDEMPOTENT_CREATE);
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Resend.class);
    assertThat(adapter.submissions()).as("a ladder asks, it never sends").isEmpty();
  }

  @Test
  void promise_mustOutlastTheSendAndEveryEarlierAttempt() {
    var adapter = adapter(Recourse.IDEMPOTENT_CREATE);
    Duration margin = ScriptedAdapter.SUBMIT_DEADLINE.plus(ScriptedAdapter.HORIZON);
    Instant last = BEGAN.plus(Duration.ofHours(1)).minus(margin);
    assertThat(ladder.climb(at(last.minusMillis(1)), adapter)).isInstanceOf(Finding.Resend.class);
    assertThat(ladder.climb(at(last), adapter)).isInstanceOf(Finding.NoWay.class);
    assertThat(ladder.climb(at(BEGAN.plus(Duration.ofDays(2))), adapter))
        .isInstanceOf(Finding.NoWay.class);
  }

  @Test
  void none_isForAPersonAtOnce() {
    assertThat(ladder.climb(before(), adapter(Recourse.NONE))).isInstanceOf(Finding.NoWay.class);
  }

  // ---- evidence of our own

  @ParameterizedTest
  @EnumSource(Recourse.class)
  void ownEvidence_confirmed_isFoundWithoutAskingFurther(Recourse recourse) {
    store.seen.add("t1");
    var adapter = adapter(recourse).exists("t1");
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Found.class);
    assertThat(adapter.asked()).containsExactly("status t1");
  }

  @Test
  void ownEvidence_taskInAnUnknownState_existsAllTheSame() {
    store.seen.add("t1");
    var adapter = adapter(Recourse.NONE).status("t1", new StatusResult.UnknownWord("paused"));
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Found.class);
  }

  @ParameterizedTest
  @EnumSource(Recourse.class)
  void ownEvidence_twoTasksExist_isForAPerson(Recourse recourse) {
    store.seen.addAll(List.of("t1", "t2"));
    var adapter = adapter(recourse).exists("t1").exists("t2");
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Ambiguous.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Recourse.class,
      names = {"LOOKUP_BY_REFERENCE", "LIST_BY_TIME"})
  void ownEvidence_notConfirmedAndNoneFound_isNeverAbsence(Recourse recourse) {
    store.seen.add("t1");
    var adapter = adapter(recourse).finds(tasks(true));
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(), adapter)).isInstanceOf(Finding.Ambiguous.class);
  }

  @Test
  void ownEvidence_notConfirmed_promiseStillAllowsAResend() {
    store.seen.add("t1");
    assertThat(ladder.climb(before(), adapter(Recourse.IDEMPOTENT_CREATE)))
        .isInstanceOf(Finding.Resend.class);
  }

  @Test
  void ownEvidence_notConfirmedAndNobodyElseToAsk_waitsForTheHorizonThenIsForAPerson() {
    store.seen.add("t1");
    var adapter = adapter(Recourse.NONE);
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Undecided.class);
    assertThat(ladder.climb(after(), adapter)).isInstanceOf(Finding.Ambiguous.class);
  }

  @Test
  void ownEvidence_providerCannotSay_waitsHoweverLong() {
    store.seen.add("t1");
    var adapter = adapter(Recourse.NONE).status("t1", new StatusResult.Unavailable("no route"));
    assertThat(ladder.climb(after(), adapter)).isInstanceOf(Finding.Undecided.class);
  }

  @Test
  void ownEvidence_belongsToAnother_isNotTaken() {
    store.seen.add("t1");
    store.owners.put("t1", OTHER);
    var blind = adapter(Recourse.NONE).exists("t1");
    assertThat(ladder.climb(before(), blind)).isNotInstanceOf(Finding.Found.class);
    assertThat(ladder.climb(after(), blind)).isInstanceOf(Finding.Ambiguous.class);
    var lookup = lookup().exists("t1").finds(tasks(true));
    assertThat(ladder.climb(after(), lookup)).isInstanceOf(Finding.Ambiguous.class);
  }

  @Test
  void ownEvidence_notConfirmedButTheListShowsOne_isFound() {
    store.seen.add("t1");
    var adapter = listed().finds(tasks(true, fits("t9")));
    assertThat(ladder.climb(before(), adapter)).isInstanceOf(Finding.Found.class);
  }
}
