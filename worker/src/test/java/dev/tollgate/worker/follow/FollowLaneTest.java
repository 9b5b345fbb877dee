package dev.tollgate.worker.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.config.Rate;
import dev.tollgate.worker.provider.StatusResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FollowLaneTest {
  private long now = 5;

  private FollowLane lane(Optional<Rate> rate) {
    return new FollowLane(8, 2, rate, () -> now);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private static List<StatusResult> throttled(Duration retryAfter) {
    return List.of(new StatusResult.Unavailable("another"), new StatusResult.Throttled(retryAfter));
  }

  @Test
  void callsUnderWay_areNotToBeHad() {
    FollowLane lane = lane(Optional.empty());
    lane.call();
    lane.call();
    assertThat(lane.callsNow()).isEqualTo(6);
    lane.called();
    assertThat(lane.callsNow()).isEqualTo(7);
  }

  @Test
  void documentedRate_isKept_andQuietTimeIsNotSavedUp() {
    FollowLane lane = lane(Optional.of(Rate.of("2/s")));
    pass(Duration.ofMinutes(10));
    assertThat(lane.callsNow()).isEqualTo(2);
    lane.call();
    lane.call();
    lane.called();
    lane.called();
    assertThat(lane.callsNow()).isZero();
    pass(Duration.ofMillis(500));
    assertThat(lane.callsNow()).isEqualTo(1);
  }

  @Test
  void throttled_isLeftAloneForAsLongAsItSays() {
    FollowLane lane = lane(Optional.empty());
    lane.heard(throttled(Duration.ofSeconds(30)));
    pass(Duration.ofMillis(29_999));
    assertThat(lane.callsNow()).isZero();
    pass(Duration.ofMillis(1));
    assertThat(lane.callsNow()).isEqualTo(8);
  }

  @Test
  void throttledAgainAndAgain_isAskedLessAndLess_untilItAnswers() {
    FollowLane lane = lane(Optional.empty());
    for (int second : List.of(1, 2, 4, 8)) {
      lane.heard(throttled(Duration.ofSeconds(1)));
      pass(Duration.ofSeconds(second).minusNanos(1));
      assertThat(lane.callsNow()).as("after %d s", second).isZero();
      pass(Duration.ofNanos(1));
      assertThat(lane.callsNow()).as("after %d s", second).isEqualTo(8);
    }
    lane.heard(List.of(new StatusResult.NotFound()));
    lane.heard(throttled(Duration.ofSeconds(1)));
    pass(Duration.ofSeconds(1));
    assertThat(lane.callsNow()).isEqualTo(8);
  }

  @Test
  void shorterPause_doesNotEndALongerOne() {
    FollowLane lane = lane(Optional.empty());
    lane.heard(throttled(Duration.ofMinutes(1)));
    lane.heard(throttled(Duration.ofSeconds(1)));
    pass(Duration.ofSeconds(30));
    assertThat(lane.callsNow()).isZero();
  }
}
