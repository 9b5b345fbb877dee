package dev.tollgate.loadtest.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DeadlineTest {
  private final Deadline deadline = new Deadline();

  @Test
  void disarmedInTime_cannotExpire_andCanBeArmedAgain() {
    assertThat(deadline.arm(100)).isTrue();
    assertThat(deadline.expire(99)).isFalse();
    assertThat(deadline.disarm(99)).isTrue();
    assertThat(deadline.expire(1000)).isFalse();
    assertThat(deadline.arm(1100)).isTrue();
  }

  @Test
  void expired_isSoOnce_andForEver() {
    deadline.arm(100);
    assertThat(deadline.expire(100)).isTrue();
    assertThat(deadline.expire(101)).isFalse();
    assertThat(deadline.arm(200)).isFalse();
    assertThat(deadline.disarm(101)).isFalse();
  }

  @Test
  void passedButNotSweptYet_cannotBeDisarmed() {
    deadline.arm(100);
    assertThat(deadline.disarm(100)).isFalse();
    assertThat(deadline.expire(101)).isTrue();
  }
}
