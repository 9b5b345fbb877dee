package dev.tollgate.reconciler.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.reconciler.ladder.Ladder;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Look;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many looks, few lists. */
final class SharedListTest {
  private static final Instant BEGAN = Instant.parse("2025-06-01T12:00:00Z");
  private static final Duration SKEW = Duration.ofSeconds(10);

  private final Ladder ladder = new Ladder(new ScriptedStore() {}, SKEW);
  private final ScriptedAdapter adapter = ScriptedAdapter.of("p", Recourse.LIST_BY_TIME, 4);

  private static Look look(int n, Duration after) {
    Instant began = BEGAN.plus(after);
    return new Look(
        Fixture.key(n),
        "p",
        2,
        UUID.randomUUID(),
        1,
        1,
        began,
        began,
        began.plusSeconds(60),
        began.plusSeconds(100),
        Fixture.utf8("{}"),
        new byte[16],
        1,
        Recourse.bits(EnumSet.allOf(Recourse.class)),
        OptionalLong.empty(),
        1,
        null,
        null);
  }

  private static Candidate task(String id, Duration after) {
    return new Candidate(id, BEGAN.plus(after), Optional.empty(), Optional.empty());
  }

  private List<SharedList.Group> groups(List<Look> looks) {
    return SharedList.groups(ladder, adapter, looks, 2);
  }

  private LookupResult ask(SharedList.Group group, Look look) {
    Ladder.Window window = ladder.window(look);
    return group.lister().list(window.from(), window.to());
  }

  @Test
  void looksOfOneTime_areServedByOneList_eachWithItsOwnWindow() {
    List<Look> looks =
        IntStream.range(0, 50).mapToObj(n -> look(n, Duration.ofSeconds(n * 30L))).toList();
    adapter.finds(
        new LookupResult.Candidates(
            List.of(task("early", Duration.ZERO), task("late", Duration.ofMinutes(24))), true));
    List<SharedList.Group> groups = groups(looks);
    assertThat(groups).hasSize(1);
    assertThat(ask(groups.getFirst(), looks.getFirst()))
        .isEqualTo(new LookupResult.Candidates(List.of(task("early", Duration.ZERO)), true));
    assertThat(ask(groups.getFirst(), looks.get(20)))
        .isEqualTo(new LookupResult.Candidates(List.of(), true));
    assertThat(ask(groups.getFirst(), looks.get(48)))
        .isEqualTo(
            new LookupResult.Candidates(List.of(task("late", Duration.ofMinutes(24))), true));
    assertThat(adapter.asked()).hasSize(1);
  }

  /** A part of a list proves nothing of what it leaves out. */
  @Test
  void listThatIsNotShownWhole_servesNobody() {
    List<Look> looks = List.of(look(1, Duration.ZERO), look(2, Duration.ofMinutes(1)));
    adapter.finds(new LookupResult.Candidates(List.of(task("some", Duration.ZERO)), false));
    SharedList.Group group = groups(looks).getFirst();
    looks.forEach(look -> ask(group, look));
    assertThat(adapter.asked()).as("the shared one, then one for each").hasSize(3);
  }

  /** It is away, and a call for each unknown would not bring it back. */
  @Test
  void providerThatIsAway_isAskedTwiceForAll() {
    List<Look> looks = IntStream.range(0, 50).mapToObj(n -> look(n, Duration.ZERO)).toList();
    LookupResult away = new LookupResult.Unavailable("connection refused");
    adapter.finds(away);
    SharedList.Group group = groups(looks).getFirst();
    assertThat(looks).allSatisfy(look -> assertThat(ask(group, look)).isEqualTo(away));
    assertThat(adapter.asked()).as("for all, and once more for one").hasSize(2);
  }

  /** The list of all may have been too long to come in time. */
  @Test
  void listOfAllThatDoesNotCome_andOneOfOneThatDoes_eachAsksForItself() {
    List<Look> looks = IntStream.range(0, 4).mapToObj(n -> look(n, Duration.ZERO)).toList();
    SharedList.Group group = groups(looks).getFirst();
    adapter.finds(
        new LookupResult.Unavailable("too long"), new LookupResult.Candidates(List.of(), true));
    assertThat(ask(group, looks.getFirst())).isInstanceOf(LookupResult.Candidates.class);
    looks.stream().skip(1).forEach(look -> ask(group, look));
    assertThat(adapter.asked()).hasSize(5);
  }

  @Test
  void looksOfOtherTimes_haveListsOfTheirOwn() {
    List<Look> looks =
        List.of(
            look(1, Duration.ofHours(5)),
            look(2, Duration.ZERO),
            look(3, Duration.ofMinutes(5)),
            look(4, Duration.ofHours(5).plusMinutes(1)));
    assertThat(groups(looks))
        .extracting(group -> group.looks().stream().map(Look::key).toList())
        .containsExactly(
            List.of(Fixture.key(2), Fixture.key(3)), List.of(Fixture.key(1), Fixture.key(4)));
  }

  @Test
  void oneAlone_asksForItsOwnWindow() {
    Look look = look(1, Duration.ZERO);
    adapter.finds(new LookupResult.Candidates(List.of(), true));
    ask(groups(List.of(look)).getFirst(), look);
    assertThat(adapter.asked()).hasSize(1);
  }
}
