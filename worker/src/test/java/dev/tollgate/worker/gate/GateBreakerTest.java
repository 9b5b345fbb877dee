package dev.tollgate.worker.gate;

import static dev.tollgate.worker.gate.GateBreaker.State.CLOSED;
import static dev.tollgate.worker.gate.GateBreaker.State.OPEN;
import static dev.tollgate.worker.gate.GateBreaker.State.PROBING;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class GateBreakerTest {

  // starts just before the clock overflows, as a monotonic clock may
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);
  private final GateBreaker breaker =
      new GateBreaker(Duration.ofMillis(100), Duration.ofMillis(450), nanos::get);

  @Test
  void untilSomethingFails_everyBatchAsks() {
    for (int i = 0; i < 3; i++) {
      assertThat(breaker.succeeded(enter())).isFalse();
    }
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void afterAFailure_isSkippedUntilThePauseEnds() {
    assertThat(breaker.failed(enter())).isTrue();
    assertThat(breaker.enter()).isNull();
    advance(99);
    assertThat(breaker.enter()).isNull();
    assertThat(breaker.state()).isEqualTo(OPEN);
    advance(1);
    assertThat(breaker.enter()).isNotNull();
    assertThat(breaker.state()).isEqualTo(PROBING);
  }

  @Test
  void whenThePauseEnds_oneBatchProbes() {
    breaker.failed(enter());
    advance(100);
    assertThat(breaker.enter()).isNotNull();
    assertThat(breaker.enter()).isNull();
  }

  @Test
  void probeSucceeds_closes() {
    breaker.failed(enter());
    advance(100);
    assertThat(breaker.succeeded(enter())).isTrue();
    assertThat(breaker.state()).isEqualTo(CLOSED);
    assertThat(breaker.enter()).isNotNull();
    assertThat(breaker.enter()).isNotNull();
  }

  @Test
  void probesFail_pausesDoubleUpToTheBound() {
    breaker.failed(enter());
    List<Integer> pauses =
        Stream.generate(
                () -> {
                  Probe probe = awaitProbe();
                  assertThat(breaker.failed(probe.permit())).isFalse();
                  return probe.afterMillis();
                })
            .limit(5)
            .toList();
    assertThat(pauses).containsExactly(100, 200, 400, 450, 450);
  }

  @Test
  void afterItClosed_pausesAreShortAgain() {
    breaker.failed(enter());
    advance(100);
    breaker.failed(enter());
    advance(200);
    breaker.succeeded(enter());
    breaker.failed(enter());
    assertThat(awaitProbe().afterMillis()).isEqualTo(100);
  }

  @Test
  void batchesThatFailTogether_openItOnce() {
    GateBreaker.Permit first = enter();
    GateBreaker.Permit second = enter();
    assertThat(breaker.failed(first)).isTrue();
    advance(50);
    assertThat(breaker.failed(second)).isFalse();
    assertThat(awaitProbe().afterMillis()).isEqualTo(50);
  }

  @Test
  void successThatBeganBeforeTheFailure_doesNotClose() {
    GateBreaker.Permit early = enter();
    breaker.failed(enter());
    assertThat(breaker.succeeded(early)).isFalse();
    assertThat(breaker.enter()).isNull();
  }

  @Test
  void lateFailureOfAnEarlierState_doesNotOpen() {
    GateBreaker.Permit early = enter();
    breaker.failed(enter());
    advance(100);
    breaker.succeeded(enter());
    assertThat(breaker.failed(early)).isFalse();
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void probeThatNeverReports_isReplaced() {
    breaker.failed(enter());
    advance(100);
    GateBreaker.Permit lost = enter();
    advance(449);
    assertThat(breaker.enter()).isNull();
    advance(1);
    GateBreaker.Permit next = enter();
    assertThat(breaker.succeeded(lost)).isFalse();
    assertThat(breaker.succeeded(next)).isTrue();
  }

  @Test
  void pausesThatMakeNoSense_areRefused() {
    assertThatThrownBy(() -> new GateBreaker(Duration.ZERO, Duration.ofSeconds(1), nanos::get))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new GateBreaker(Duration.ofSeconds(2), Duration.ofSeconds(1), nanos::get))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private GateBreaker.Permit enter() {
    return requireNonNull(breaker.enter());
  }

  private void advance(long millis) {
    nanos.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  /**
   * Lets the clock run to the end of the pause, takes the probe, and returns how many milliseconds
   * that took.
   */
  private Probe awaitProbe() {
    for (int millis = 0; millis < 10_000; millis++) {
      GateBreaker.Permit permit = breaker.enter();
      if (permit != null) {
        return new Probe(millis, permit);
      }
      advance(1);
    }
    throw new AssertionError("the pause does not end");
  }

  private record Probe(int afterMillis, GateBreaker.Permit permit) {}
}
