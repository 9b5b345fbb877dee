package dev.tollgate.worker.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.send.OutcomeWindow.Health;
import dev.tollgate.worker.send.ProviderBreaker.State;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ten of the last twenty outcomes within a minute decide; pauses of 1, 2 and 4 seconds. */
final class ProviderBreakerTest {
  private static final int SLOTS = 16;

  /** The monotonic clock wraps while a breaker is at work. */
  private long now = Long.MAX_VALUE - Duration.ofSeconds(2).toNanos();

  private ProviderBreaker breaker = warm();

  private ProviderBreaker warm() {
    return new ProviderBreaker(Lanes.policy(100), SLOTS, false, now, Lanes.withoutJitter());
  }

  private ProviderBreaker.@Nullable Turn hear(Health health, int times) {
    ProviderBreaker.Turn last = null;
    for (int i = 0; i < times; i++) {
      ProviderBreaker.Turn turn = breaker.heard(health, now, now);
      last = turn == null ? last : turn;
    }
    return last;
  }

  private void pass(Duration time) {
    now += time.toNanos();
    breaker.tick(now);
  }

  private void open() {
    hear(Health.UNKNOWN, 10);
    assertThat(breaker.state()).isEqualTo(State.OPEN);
  }

  @Test
  void unknowns_halfOfTheWindow_open() {
    hear(Health.GOOD, 6);
    hear(Health.UNKNOWN, 5);
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
    var turn = hear(Health.UNKNOWN, 1);
    assertThat(turn).isNotNull().extracting(ProviderBreaker.Turn::cause).isEqualTo("unknown");
    assertThat(breaker.state()).isEqualTo(State.OPEN);
    assertThat(breaker.width()).isZero();
  }

  @Test
  void heldSlots_aRoundIsWhatItAdded() {
    breaker = new ProviderBreaker(Lanes.policy(25), SLOTS, true, now, Lanes.withoutJitter());
    assertThat(breaker.width()).isEqualTo(4);
    hear(Health.GOOD, 4);
    assertThat(breaker.width()).isEqualTo(8);
    hear(Health.GOOD, 3);
    assertThat(breaker.width()).isEqualTo(8);
    hear(Health.GOOD, 1);
    assertThat(breaker.width()).as("the first four streams still go on").isEqualTo(SLOTS);
  }

  @Test
  void throttled_halfOfTheWindow_open() {
    hear(Health.THROTTLED, 5);
    var turn = hear(Health.GOOD, 5);
    assertThat(turn).isNotNull().extracting(ProviderBreaker.Turn::cause).isEqualTo("throttled");
  }

  @Test
  void unknownsAndThrottled_areJudgedApart() {
    hear(Health.GOOD, 8);
    hear(Health.UNKNOWN, 6);
    hear(Health.THROTTLED, 6);
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void few_decideNothing() {
    hear(Health.UNKNOWN, 9);
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void oldOnes_areForgotten_byNumberAndByAge() {
    hear(Health.GOOD, 20);
    hear(Health.UNKNOWN, 9);
    hear(Health.GOOD, 20);
    hear(Health.UNKNOWN, 9);
    assertThat(breaker.state()).as("9 of the last 20").isEqualTo(State.CLOSED);
    pass(Duration.ofSeconds(61));
    hear(Health.UNKNOWN, 9);
    assertThat(breaker.state()).as("9 in the last minute").isEqualTo(State.CLOSED);
  }

  @Test
  void open_notBeforeItsPauseIsOver_thenOneSlot() {
    open();
    pass(Duration.ofMillis(999));
    assertThat(breaker.width()).isZero();
    pass(Duration.ofMillis(1));
    assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
    assertThat(breaker.width()).isEqualTo(1);
  }

  @Test
  void halfOpen_roundsOfGoodAnswers_doubleTheSlotsUntilItIsClosed() {
    open();
    pass(Duration.ofSeconds(1));
    for (int width : new int[] {1, 2, 4, 8}) {
      assertThat(breaker.width()).isEqualTo(width);
      hear(Health.GOOD, width - 1);
      assertThat(breaker.width()).isEqualTo(width);
      hear(Health.GOOD, 1);
    }
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
    assertThat(breaker.width()).isEqualTo(SLOTS);
  }

  @Test
  void halfOpen_firstAnswerUnknown_opensForTwiceAsLong_upToTheBound() {
    open();
    for (int seconds : new int[] {1, 2, 4, 4}) {
      pass(Duration.ofSeconds(seconds).minusMillis(1));
      assertThat(breaker.state()).isEqualTo(State.OPEN);
      pass(Duration.ofMillis(1));
      assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
      hear(Health.UNKNOWN, 1);
    }
  }

  /** One producer's requests may be refused, and another's not: these come up soon. */
  @Test
  void halfOpen_firstAnswerRefused_opensForTheShortestPauseAlone() {
    open();
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofSeconds(1));
      assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
      hear(Health.REFUSED, 1);
      assertThat(breaker.state()).isEqualTo(State.OPEN);
    }
  }

  @Test
  void closed_shareOfRefusedIsTooLarge_opensAsThrottling() {
    hear(Health.GOOD, 5);
    var turn = hear(Health.REFUSED, 5);
    assertThat(turn).isNotNull();
    assertThat(breaker.state()).isEqualTo(State.OPEN);
  }

  @Test
  void halfOpen_roundWithHalfOfItBad_opens_withLessItGoesOn() {
    open();
    pass(Duration.ofSeconds(1));
    hear(Health.GOOD, 1 + 2);
    hear(Health.UNKNOWN, 1);
    hear(Health.GOOD, 3);
    assertThat(breaker.width()).as("one of four").isEqualTo(8);
    hear(Health.UNKNOWN, 3);
    assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
    hear(Health.UNKNOWN, 1);
    assertThat(breaker.state()).as("four of eight").isEqualTo(State.OPEN);
  }

  @Test
  void closedAgain_theNextPauseIsTheFirstOneAgain() {
    open();
    pass(Duration.ofSeconds(1));
    hear(Health.UNKNOWN, 1);
    pass(Duration.ofSeconds(2));
    hear(Health.GOOD, 1 + 2 + 4 + 8);
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
    hear(Health.UNKNOWN, 20);
    pass(Duration.ofSeconds(1));
    assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
  }

  @Test
  void answersToWhatWasAskedForBeforeItOpened_sayNothingAboutNow() {
    long before = now;
    open();
    breaker.heard(Health.GOOD, before, now);
    pass(Duration.ofSeconds(1));
    for (int i = 0; i < 50; i++) {
      breaker.heard(Health.UNKNOWN, before, now);
      breaker.heard(Health.GOOD, before, now);
    }
    assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
    assertThat(breaker.width()).isEqualTo(1);
  }

  @Test
  void starting_widensLikeHalfOpen_butOneUnknownDoesNotOpenIt() {
    breaker = new ProviderBreaker(Lanes.policy(25), SLOTS, false, now, Lanes.withoutJitter());
    assertThat(breaker.state()).isEqualTo(State.STARTING);
    assertThat(breaker.width()).isEqualTo(4);
    hear(Health.UNKNOWN, 1);
    hear(Health.GOOD, 4);
    assertThat(breaker.width()).isEqualTo(8);
    hear(Health.GOOD, 8);
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void starting_riseOfUnknowns_opens() {
    breaker = new ProviderBreaker(Lanes.policy(25), SLOTS, false, now, Lanes.withoutJitter());
    hear(Health.UNKNOWN, 10);
    assertThat(breaker.state()).isEqualTo(State.OPEN);
  }

  @Test
  void oneSlot_isTriedAndClosedByOneGoodAnswer() {
    breaker = new ProviderBreaker(Lanes.policy(25), 1, false, now, Lanes.withoutJitter());
    assertThat(breaker.width()).isEqualTo(1);
    open();
    pass(Duration.ofSeconds(1));
    hear(Health.GOOD, 1);
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
  }
}
