package dev.tollgate.worker.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NoticesTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final Notices notices = new Notices(nanos::get);

  @Test
  void oneSubjectIsToldOnceAMinute() {
    assertThat(notices.due("a")).isTrue();
    nanos.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(notices.due("a")).isFalse();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(notices.due("a")).isTrue();
  }

  @Test
  void anotherSubjectIsNotHeldBack() {
    assertThat(notices.due("a")).isTrue();
    assertThat(notices.due("b")).isTrue();
    assertThat(notices.due("a")).isFalse();
  }
}
