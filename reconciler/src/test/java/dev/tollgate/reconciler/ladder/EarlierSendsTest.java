package dev.tollgate.reconciler.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.store.Look;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Creates that left when the provider was configured otherwise than it is now (rule 6). */
final class EarlierSendsTest {
  private final LadderTest.Store store = new LadderTest.Store();
  private final Ladder ladder = new Ladder(store, LadderTest.SKEW);

  @ParameterizedTest
  @EnumSource(Recourse.class)
  void wayThatCameIntoUseAfterTheSend_isNotGoneUnlessItNeedsNothingOfTheCreate(Recourse recourse) {
    var adapter = LadderTest.adapter(recourse).finds(LadderTest.tasks(true));
    Look without = sent(LadderTest.after(), 0, LadderTest.after().sentTo());
    assertThat(ladder.climb(without, adapter))
        .isInstanceOf(
            recourse == Recourse.LIST_BY_TIME ? Finding.Absent.class : Finding.NoWay.class);
    assertThat(adapter.asked()).hasSize(recourse == Recourse.LIST_BY_TIME ? 1 : 0);
  }

  @Test
  void waysOfWhichSomeCameLater_theOthersAreGone() {
    List<Recourse> both = List.of(Recourse.LOOKUP_BY_REFERENCE, Recourse.CALLBACK_PER_REQUEST);
    var adapter = ScriptedAdapter.of("p", both, 4).finds(LadderTest.tasks(true));
    Look look =
        sent(
            LadderTest.after(),
            Recourse.bits(List.of(Recourse.CALLBACK_PER_REQUEST)),
            LadderTest.after().sentTo());
    Finding finding = ladder.climb(look, adapter);
    assertThat(finding).isInstanceOf(Finding.Undecided.class);
    assertThat(finding.note()).contains("lookup-by-reference", "the callback is waited for");
    assertThat(adapter.asked()).isEmpty();
  }

  /** Whatever is there, an equal id included, is about the tasks of another account. */
  @ParameterizedTest
  @EnumSource(Recourse.class)
  void sentElsewhere_nobodyIsAsked_waitsForTheHorizonThenIsForAPerson(Recourse recourse) {
    store.seen.add("t1");
    var adapter =
        LadderTest.adapter(recourse)
            .finds(LadderTest.tasks(true, LadderTest.fits("t1")))
            .exists("t1");
    int all = LadderTest.before().carried();
    for (OptionalLong to : List.of(OptionalLong.empty(), OptionalLong.of(1))) {
      assertThat(ladder.climb(sent(LadderTest.before(), all, to), adapter))
          .isInstanceOf(Finding.Undecided.class);
      assertThat(ladder.climb(sent(LadderTest.after(), all, to), adapter))
          .isInstanceOf(Finding.Misplaced.class);
    }
    assertThat(adapter.asked()).isEmpty();
  }

  private static Look sent(Look look, int carried, OptionalLong to) {
    return new Look(
        look.key(),
        look.provider(),
        look.fence(),
        look.claim(),
        look.attempts(),
        look.looks(),
        look.firstBegan(),
        look.lastBegan(),
        look.absentAfter(),
        look.now(),
        look.params(),
        look.submissionKey(),
        look.seq(),
        carried,
        to,
        1,
        null,
        null);
  }
}
