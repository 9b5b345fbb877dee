package dev.tollgate.worker.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BackoffTest {
  @Test
  void of_growsToTheBoundAndNeverOverflows() {
    for (int failures = 1; failures < 100; failures++) {
      Duration bound =
          failures <= 7 ? Duration.ofMillis(100L << (failures - 1)) : Duration.ofSeconds(10);
      assertThat(Backoff.of(failures, Duration.ofMillis(100), Duration.ofSeconds(10)))
          .isBetween(bound.dividedBy(2), bound);
    }
    assertThat(Backoff.of(Integer.MAX_VALUE, Duration.ofDays(1), Duration.ofDays(2)))
        .isBetween(Duration.ofDays(1), Duration.ofDays(2));
  }

  @Test
  void of_notCalledAfterAFailure_isTheFirstPause() {
    assertThat(Backoff.of(0, Duration.ofMillis(100), Duration.ofSeconds(10)))
        .isLessThanOrEqualTo(Duration.ofMillis(100));
  }

  @Test
  void of_zero_isZero() {
    assertThat(Backoff.of(5, Duration.ZERO, Duration.ofSeconds(1))).isZero();
  }

  @Test
  void of_manyWhoFailedTogether_doNotComeBackTogether() {
    assertThat(
            java.util.stream.IntStream.range(0, 50)
                .mapToObj(_ -> Backoff.of(8, Duration.ofMillis(100), Duration.ofSeconds(10)))
                .distinct()
                .count())
        .isGreaterThan(10);
  }
}
