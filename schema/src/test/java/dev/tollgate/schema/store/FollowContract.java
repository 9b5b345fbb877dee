package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.OTHER_PROVIDER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Following accepted operations, at their own pace. */
public abstract class FollowContract extends StoreContract {
  private static final Duration LEAST = Duration.ofSeconds(20);
  private static final Duration MOST = Duration.ofMinutes(10);

  private List<Follow> follow(int limit) {
    return store().follow(PROVIDER, limit, LEAST, MOST);
  }

  @Test
  void follow_whatIsDue_givesWhatAChangeNeeds() {
    Follow expected = accepted(1);
    assertThat(follow(10)).isEmpty();
    harness().letTimePass();
    assertThat(follow(10)).containsExactly(expected);
    assertThat(follow(10)).isEmpty();
    assertThat(get(1).leased()).isFalse();
  }

  @Test
  void follow_pace_isAnEighthOfTheAgeWithinBounds() {
    accepted(1);
    accepted(2);
    accepted(3);
    harness().age(key(2), Duration.ofMinutes(40));
    harness().age(key(3), Duration.ofDays(3));
    harness().letTimePass();
    assertThat(follow(10)).hasSize(3);
    assertDueIn(get(1), LEAST);
    assertThat(get(2).wake()).isNotNull();
    assertDueIn(get(2), Duration.ofMinutes(5).plusSeconds(5));
    assertDueIn(get(3), MOST);
  }

  @Test
  void follow_oneStillInFlight_keepsTheAgeOfItsAcceptance() {
    Follow follow = accepted(1);
    harness().age(key(1), Duration.ofMinutes(40));
    apply(
        Change.ofFollow(
            follow,
            OperationState.ACCEPTED,
            Code.IN_FLIGHT,
            null,
            null,
            Duration.ZERO,
            Fixture.evidence(Code.IN_FLIGHT)));
    assertThat(follow(10)).hasSize(1);
    assertDueIn(get(1), Duration.ofMinutes(5).plusSeconds(5));
  }

  @Test
  void follow_takesNoMoreThanItsLimit_andNothingOfOtherProviders() {
    List.of(1, 2, 3).forEach(this::accepted);
    harness().letTimePass();
    assertThat(follow(0)).isEmpty();
    assertThat(follow(2)).hasSize(2);
    assertThat(store().follow(OTHER_PROVIDER, 10, LEAST, MOST)).isEmpty();
    assertThat(follow(10)).hasSize(1);
  }

  @Test
  void follow_whatWaitsForAPerson_isNotAskedAbout() {
    apply(
        Change.ofFollow(
            accepted(1),
            OperationState.ACCEPTED,
            Code.OUTPUT_INVALID,
            Code.OUTPUT_INVALID,
            null,
            Duration.ZERO,
            Fixture.evidence(Code.OUTPUT_INVALID)));
    harness().letTimePass();
    assertThat(follow(10)).isEmpty();
  }

  @Test
  void follow_byTwoHandlersAtOnce_oneCompletes() {
    Follow follow = accepted(1);
    Together.Both<Integer> both =
        Together.run(
            () -> store().apply(List.of(Fixture.complete(follow, Fixture.output(1)))).size(),
            () ->
                harness()
                    .another()
                    .apply(List.of(Fixture.complete(follow, Fixture.output(1))))
                    .size());
    assertThat(both.first() + both.second()).isEqualTo(1);
    assertThat(told(1)).containsExactly("events accepted", "events complete");
    assertThat(get(1).evidenceOf(Code.OUTPUT_STORED)).isEqualTo(2);
  }
}
