package dev.tollgate.worker.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ClockWatchTest {
  private static final Instant NOON = Instant.parse("2025-06-01T12:00:00Z");
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** The monotonic clock may be anywhere, also about to wrap. */
  private static final long START = Long.MAX_VALUE - 5_000_000_000L;

  private final ClockWatch watch = new ClockWatch(Duration.ofSeconds(2), LEASE);

  /** Monotonic time so many seconds on. */
  private static long at(long seconds) {
    return START + TimeUnit.SECONDS.toNanos(seconds);
  }

  private Duration read(long databaseSeconds, long seconds) {
    return watch.reading(NOON.plusSeconds(databaseSeconds), at(seconds), at(seconds));
  }

  @Test
  void reading_clocksMoveAlike_noStep() {
    read(0, 0);
    assertThat(read(10, 10)).isZero();
    assertThat(read(11, 12)).as("within the tolerance").isZero();
    assertThat(watch.pauseClaims(at(12))).isFalse();
  }

  @Test
  void reading_first_neverAStep() {
    assertThat(read(-86_400, 0)).isZero();
    assertThat(watch.pauseClaims(START)).isFalse();
  }

  @Test
  void reading_stepForward_pausesClaimsForALease() {
    read(0, 0);
    assertThat(read(601, 1)).isEqualTo(Duration.ofMinutes(10));
    assertThat(watch.pauseClaims(at(1))).isTrue();
    assertThat(watch.pauseClaims(at(30))).isTrue();
    assertThat(watch.pauseClaims(at(31))).isFalse();
  }

  @Test
  void reading_stepBackward_pausesClaimsForALease() {
    read(0, 0);
    assertThat(read(-3599, 1)).isEqualTo(Duration.ofHours(-1));
    assertThat(watch.pauseClaims(at(2))).isTrue();
  }

  @Test
  void reading_slowRoundTrip_isNoStep() {
    read(0, 0);
    assertThat(watch.reading(NOON.plusSeconds(1), at(1), at(20))).isZero();
  }

  @Test
  void reading_afterAStep_nextOneIsMeasuredFromThere() {
    read(0, 0);
    read(600, 1);
    assertThat(read(601, 2)).isZero();
  }
}
