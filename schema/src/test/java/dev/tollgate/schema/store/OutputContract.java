package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is asked about outputs, apart from the change that stores one. */
public abstract class OutputContract extends StoreContract {
  private static final Set<Code> CODES = Set.of(Code.OUTPUT_GONE, Code.OUTPUT_INVALID);

  private void record(Follow follow, Evidence.Source source, Code code) {
    apply(
        Change.ofFollow(
            follow,
            OperationState.ACCEPTED,
            code,
            null,
            null,
            Duration.ofMinutes(1),
            Evidence.note(source, code, "why")));
  }

  private void store(Follow follow, int content) {
    apply(Fixture.complete(follow, Fixture.output(content)));
  }

  @Test
  void trouble_whereThereWasNone_isNone() {
    Follow follow = accepted(1);
    assertThat(store().outputTrouble(follow, CODES)).isEqualTo(new OutputTrouble(0, Duration.ZERO));
  }

  @Test
  void trouble_countsWhatIsAskedFor_ofThisOperationsOutputAlone() {
    Follow follow = accepted(1);
    Follow other = accepted(2);
    record(follow, Evidence.Source.OUTPUT, Code.OUTPUT_GONE);
    record(follow, Evidence.Source.OUTPUT, Code.OUTPUT_INVALID);
    record(follow, Evidence.Source.OUTPUT, Code.CHECKSUM_MISMATCH);
    record(follow, Evidence.Source.STATUS, Code.OUTPUT_GONE);
    record(other, Evidence.Source.OUTPUT, Code.OUTPUT_GONE);
    OutputTrouble trouble = store().outputTrouble(follow, CODES);
    assertThat(trouble.times()).isEqualTo(2);
    assertThat(trouble.age()).isBetween(Duration.ZERO, Duration.ofMinutes(5));
  }

  /** Its age is that of its state: neither questions nor trouble make it young again. */
  @Test
  void waiting_isCountedByWhatItWaitsFor_withTheAgeOfTheOldest() {
    Follow old = accepted(1);
    accepted(2);
    harness().age(old.key(), Duration.ofHours(3));
    record(old, Evidence.Source.OUTPUT, Code.OUTPUT_UNAVAILABLE);
    insertForOtherProvider(3);
    store(accepted(4), 1);
    Follow shelved = accepted(5);
    apply(Fixture.troubled(shelved, Code.OUTPUT_GONE, Code.OUTPUT_GONE));
    List<Waiting> all = store().waiting();
    assertThat(all).filteredOn(some -> some.provider().isEmpty()).hasSize(1);
    List<Waiting> waiting = all.stream().filter(some -> !some.provider().isEmpty()).toList();
    assertThat(waiting)
        .extracting(Waiting::provider, Waiting::forWhat, Waiting::count)
        .containsExactlyInAnyOrder(
            tuple(Fixture.PROVIDER, "follow", 2L),
            tuple(Fixture.OTHER_PROVIDER, "claim", 1L),
            tuple(Fixture.PROVIDER, "person", 1L));
    for (Waiting some : waiting) {
      Duration least = some.forWhat().equals("follow") ? Duration.ofHours(3) : Duration.ZERO;
      assertThat(some.oldest()).isBetween(least, least.plusMinutes(5));
    }
  }

  /** A person's are unknown as well, where nobody knows; what is accepted is not. */
  @Test
  void waiting_tellsUnknowns_byTheirAge_andWhatIsDue() {
    looking(1);
    Look old = looking(2);
    harness().age(old.key(), Duration.ofHours(3));
    Look shelved = looking(3);
    apply(Fixture.looked(shelved, OperationState.UNKNOWN, Code.AMBIGUOUS, Code.AMBIGUOUS));
    insertForOtherProvider(4);
    List<Waiting> waiting = store().waiting();
    assertThat(waiting)
        .filteredOn(Waiting::unknown)
        .extracting(Waiting::forWhat, Waiting::younger)
        .containsExactlyInAnyOrder(
            tuple("look", List.of(1L, 1L, 1L, 2L)), tuple("person", List.of(1L, 1L, 1L, 1L)));
    assertThat(waiting)
        .filteredOn(some -> some.forWhat().equals("claim"))
        .extracting(Waiting::provider, Waiting::due, Waiting::unknown)
        .containsExactly(tuple(Fixture.OTHER_PROVIDER, 1L, false));
  }

  @Test
  void waiting_countsEventsThatAreNotPublished_withTheAgeOfTheFirst() {
    assertThat(relayed().count()).isZero();
    assertThat(relayed().oldest()).isZero();
    accepted(1);
    long events = store().outbox(100).size();
    assertThat(events).isPositive();
    assertThat(relayed().count()).isEqualTo(events);
    assertThat(relayed().oldest()).isLessThan(Duration.ofMinutes(5));
  }

  private Waiting relayed() {
    return store().waiting().stream()
        .filter(some -> some.forWhat().equals("relay"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void twins_ofBytesThatNobodyElseHas_areNone() {
    store(accepted(1), 1);
    store(accepted(2), 2);
    assertThat(store().twins(List.of(key(1), key(2)))).isEmpty();
    assertThat(get(1).evidenceOf(Code.DUPLICATE_OUTPUT)).isZero();
  }

  @Test
  void twins_areNamedOnce_andTheOldestOfMany() {
    store(accepted(1), 7);
    store(accepted(2), 7);
    store(accepted(3), 7);
    store(accepted(4), 8);
    for (int again = 0; again < 2; again++) {
      assertThat(store().twins(List.of(key(2), key(3), key(4), key(99))))
          .isEqualTo(Map.of(key(2), key(1), key(3), key(1)));
    }
    assertThat(get(2).evidenceOf(Code.DUPLICATE_OUTPUT)).isEqualTo(1);
    assertThat(get(3).evidenceOf(Code.DUPLICATE_OUTPUT)).isEqualTo(1);
    assertThat(get(1).evidenceOf(Code.DUPLICATE_OUTPUT)).isZero();
    assertThat(get(4).evidenceOf(Code.DUPLICATE_OUTPUT)).isZero();
  }

  /** Each looks when its own is committed: so at least one sees the other. */
  @Test
  void twins_storedAtOnce_areSeenByAtLeastOne() {
    Follow one = accepted(1);
    Follow two = accepted(2);
    Together.Both<Integer> both =
        Together.run(
            () -> {
              store(one, 7);
              return store().twins(List.of(key(1))).size();
            },
            () -> {
              harness().another().apply(List.of(Fixture.complete(two, Fixture.output(7))));
              return harness().another().twins(List.of(key(2))).size();
            });
    assertThat(both.first() + both.second()).isPositive();
  }
}
