package dev.tollgate.loadtest.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ChaosTest {
  private static final Duration LEASE = Duration.ofSeconds(5);

  @Test
  void sameSeedAndNumber_sameStrike() {
    assertThat(strikes(3)).isEqualTo(strikes(3)).isNotEqualTo(strikes(4));
  }

  @Test
  void freezesOutliveTheLease_killsDoNotLast() {
    assertThat(strikes(1))
        .allSatisfy(
            strike -> {
              assertThat(strike.worker()).isBetween(0, 2);
              if (strike.kind() == Strike.Kind.FREEZE) {
                assertThat(strike.out()).isGreaterThan(LEASE);
              } else {
                assertThat(strike.out()).isLessThan(Duration.ofSeconds(2));
              }
            });
  }

  @Test
  void firstFour_areTwoOfEachKind() {
    for (long seed = 0; seed < 50; seed++) {
      assertThat(strikes(seed).subList(0, 4))
          .filteredOn(strike -> strike.kind() == Strike.Kind.KILL)
          .hasSize(2);
    }
  }

  @Test
  void stoppedInTheMiddle_leavesEveryWorkerRunning() throws Exception {
    Recorded fleet = new Recorded();
    Chaos chaos = new Chaos(fleet, 1, LEASE, () -> false);
    fleet.onStrike = chaos::stop;
    Thread thread = Thread.ofPlatform().start(chaos);
    assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
    assertThat(chaos.done()).isTrue();
    assertThat(fleet.calls).hasSize(2);
    assertThat(fleet.calls.get(0)).startsWith("kill");
    assertThat(fleet.calls.get(1)).startsWith("start");
  }

  @Test
  void failingStrike_isKept() throws Exception {
    Recorded fleet = new Recorded();
    fleet.onStrike =
        () -> {
          throw new IllegalStateException("no such process");
        };
    Chaos chaos = new Chaos(fleet, 1, LEASE, () -> false);
    Thread thread = Thread.ofPlatform().start(chaos);
    assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
    assertThat(chaos.failure()).hasMessage("no such process");
  }

  private static List<Strike> strikes(long seed) {
    return IntStream.range(0, 40).mapToObj(number -> Strike.of(seed, number, 3, LEASE)).toList();
  }

  /** A fleet that only remembers. */
  private static final class Recorded implements Fleet {
    final List<String> calls = new CopyOnWriteArrayList<>();
    Runnable onStrike = () -> {};

    @Override
    public List<String> workers() {
      return List.of("worker-1", "worker-2");
    }

    @Override
    public void kill(String worker) {
      calls.add("kill " + worker);
      onStrike.run();
    }

    @Override
    public void start(String worker) {
      calls.add("start " + worker);
    }

    @Override
    public void freeze(String worker) {
      calls.add("freeze " + worker);
      onStrike.run();
    }

    @Override
    public void thaw(String worker) {
      calls.add("thaw " + worker);
    }

    @Override
    public int up() {
      return 2;
    }

    @Override
    public List<String> tend() {
      return List.of();
    }

    @Override
    public void stop() {}
  }
}
