package dev.tollgate.worker.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.Rejection;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.send.Protection.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class ProtectionTest {
  private static final int SLOTS = 8;

  private final List<String> told = new ArrayList<>();
  private long now = Long.MAX_VALUE - 5;

  private final Protection protection = with(Lanes.withoutJitter());

  private Protection with(RandomGenerator random) {
    SendListener listener =
        new SendListener() {
          @Override
          public void breakerOpened(String provider, String cause) {
            told.add(provider + " opened: " + cause);
          }

          @Override
          public void throttlePaused(String provider) {
            told.add(provider + " paused");
          }
        };
    return new Protection("keyed", SLOTS, false, Lanes.policy(100), listener, () -> now, random);
  }

  private void hear(Verdict verdict, int times) {
    for (int i = 0; i < times; i++) {
      protection.heard(verdict, now);
    }
    protection.tell();
  }

  private static Verdict throttled(int seconds) {
    return new Verdict.Throttled(Duration.ofSeconds(seconds), "429");
  }

  @Test
  void throttled_pausesUntilItsTimeIsOver_andIsToldOnce() {
    hear(throttled(3), 2);
    assertThat(protection.width()).isZero();
    now += Duration.ofSeconds(3).toNanos() - 1;
    assertThat(protection.width()).isZero();
    now += 1;
    assertThat(protection.width()).isEqualTo(SLOTS);
    assertThat(told).containsExactly("keyed paused");
  }

  @Test
  void throttled_whilePaused_lengthensThePauseAndNeverShortensIt() {
    hear(throttled(3), 1);
    hear(throttled(1), 1);
    now += Duration.ofSeconds(2).toNanos();
    assertThat(protection.width()).isZero();
    hear(throttled(3), 1);
    now += Duration.ofSeconds(2).toNanos();
    assertThat(protection.width()).isZero();
    now += Duration.ofSeconds(1).toNanos();
    assertThat(protection.width()).isEqualTo(SLOTS);
  }

  @Test
  void throttled_aPauseIsJitteredUpwardsOnly() {
    Protection jittered = with(RandomGenerator.of("L64X128MixRandom"));
    for (int i = 0; i < 100; i++) {
      jittered.heard(throttled(10), now);
      now += Duration.ofSeconds(10).toNanos() - 1;
      assertThat(jittered.width()).isZero();
      now += Duration.ofSeconds(1).toNanos() + 1;
    }
  }

  @Test
  void unknowns_open_andThatIsTold() {
    hear(new Verdict.Unknown("no answer"), 10);
    assertThat(protection.width()).isZero();
    assertThat(protection.stateNumber()).isEqualTo(3);
    assertThat(told).containsExactly("keyed opened: unknown");
  }

  @Test
  void refusals_areClearAnswers_andNotSentSaysNothing() {
    hear(new Verdict.Rejected(Rejection.PERMANENT, "400"), 10);
    hear(new Verdict.Unknown("no answer"), 9);
    hear(new Verdict.NotSent("connection refused"), 50);
    assertThat(protection.stateNumber()).isZero();
    hear(new Verdict.Unknown("no answer"), 1);
    assertThat(protection.stateNumber()).isEqualTo(3);
  }

  @Test
  void whatIsHeldBack_isTold_withItsCause() {
    Protection starting =
        new Protection(
            "keyed",
            SLOTS,
            false,
            Lanes.policy(25),
            new SendListener() {},
            () -> now,
            Lanes.withoutJitter());
    assertThat(starting.held(Cause.START)).isEqualTo(0.75);
    assertThat(held()).containsExactly(0.0, 0.0, 0.0, 0.0);
    hear(new Verdict.Unknown("no answer"), 10);
    assertThat(held()).containsExactly(1.0, 0.0, 0.0, 0.0);
    hear(throttled(3), 1);
    assertThat(held()).as("the pause is what counts now").containsExactly(0.0, 0.0, 1.0, 0.0);
    now += Duration.ofSeconds(3).toNanos();
    assertThat(protection.width()).as("half open").isEqualTo(1);
    assertThat(held()).containsExactly(1 - 1.0 / SLOTS, 0.0, 0.0, 0.0);
  }

  private List<Double> held() {
    return Arrays.stream(Cause.values()).map(protection::held).toList();
  }

  @Test
  void questions_thatGetNoAnswer_openIt_asUnknownsDo() {
    for (int i = 0; i < 10; i++) {
      protection.heard(Protection.Answer.NONE, now);
    }
    assertThat(protection.width()).isZero();
    assertThat(told).containsExactly("keyed opened: unknown");
  }
}
