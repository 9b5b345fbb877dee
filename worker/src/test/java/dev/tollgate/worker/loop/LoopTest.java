package dev.tollgate.worker.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class LoopTest {
  private final AtomicInteger rounds = new AtomicInteger();

  private Loop loop(Duration pause, Step step) {
    return new Loop("test", pause, System::nanoTime, step);
  }

  @Test
  void start_twice_runsOneThread() {
    CountDownLatch within = new CountDownLatch(1);
    AtomicInteger at = new AtomicInteger();
    try (Loop loop =
        loop(
            Duration.ofDays(1),
            () -> {
              at.incrementAndGet();
              within.await();
              return false;
            })) {
      loop.start();
      loop.start();
      await().until(() -> at.get() > 0);
      within.countDown();
    }
    assertThat(at).hasValue(1);
  }

  @Test
  void close_withoutStartOrTwice_returns() {
    Loop loop = loop(Duration.ofDays(1), () -> false);
    loop.close();
    loop.close();
    loop.start(); // too late: nothing runs
    assertThat(loop.closing()).isTrue();
  }

  @Test
  void wake_endsThePauseAndIsNotLostWhileARoundRuns() {
    CountDownLatch first = new CountDownLatch(1);
    try (Loop loop =
        loop(
            Duration.ofDays(1),
            () -> {
              if (rounds.incrementAndGet() == 1) {
                first.await();
              }
              return false;
            })) {
      loop.start();
      await().until(() -> rounds.get() == 1);
      loop.wake();
      loop.wake();
      first.countDown();
      await().until(() -> rounds.get() == 2);
      loop.wake();
      await().until(() -> rounds.get() == 3);
    }
  }

  @Test
  void step_saysThereIsMore_runsAgainAtOnce() {
    try (Loop loop = loop(Duration.ofDays(1), () -> rounds.incrementAndGet() < 5)) {
      loop.start();
      await().until(() -> rounds.get() == 5);
    }
    assertThat(rounds).hasValue(5);
  }

  @Test
  void step_throws_isRepeatedAndProgressIsNotClaimed() {
    AtomicBoolean broken = new AtomicBoolean(true);
    try (Loop loop =
        loop(
            Duration.ofMillis(1),
            () -> {
              rounds.incrementAndGet();
              if (broken.get()) {
                throw new IllegalStateException("scripted");
              }
              return false;
            })) {
      loop.start();
      await().until(() -> rounds.get() >= 2);
      assertThat(loop.sinceProgress()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
      assertThat(loop.sinceRound()).as("it turns").isLessThan(loop.sinceProgress());
      broken.set(false);
      int before = rounds.get();
      await().until(() -> rounds.get() > before + 2);
      assertThat(loop.sinceProgress()).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void close_roundUnderWay_waitsForItsEnd() {
    CountDownLatch inside = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    Loop loop =
        loop(
            Duration.ofDays(1),
            () -> {
              inside.countDown();
              await().pollDelay(Duration.ofMillis(200)).until(() -> true);
              ended.set(true);
              return true;
            });
    loop.start();
    await().until(() -> inside.getCount() == 0);
    loop.close();
    assertThat(ended).isTrue();
  }
}
