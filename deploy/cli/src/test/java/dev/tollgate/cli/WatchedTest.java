package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.cli.local.ChildFailed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WatchedTest {
  private final List<String> said = new ArrayList<>();
  private final Mortal mortal = new Mortal();
  private long nanos;
  private boolean stopping;
  private final Watched watched = new Watched(mortal, said::add, () -> stopping, () -> nanos);

  /** Dies when told; may refuse to start. */
  private static final class Mortal implements Watched.Subject {
    private boolean alive = true;
    private boolean refuses;
    private int starts;

    @Override
    public String name() {
      return "Redis";
    }

    @Override
    public boolean isAlive() {
      return alive;
    }

    @Override
    public String end() {
      return "ended";
    }

    @Override
    public Optional<String> start() {
      if (refuses) {
        return Optional.of("its port is not free yet");
      }
      starts++;
      alive = true;
      return Optional.empty();
    }
  }

  private void dieAndLook() {
    mortal.alive = false;
    watched.look();
  }

  @Test
  void alive_isLeftAlone() {
    watched.look();
    assertThat(mortal.starts).isZero();
    assertThat(said).isEmpty();
  }

  @Test
  void dead_isStartedAgainAndSaid() {
    dieAndLook();
    assertThat(mortal.starts).isEqualTo(1);
    assertThat(said).containsExactly("Redis ended", "starting Redis again");
  }

  @Test
  void deadWhileEverythingStops_staysDead() {
    stopping = true;
    dieAndLook();
    assertThat(mortal.starts).isZero();
  }

  @Test
  void fourthDeathWithinAMinute_isTheLast() {
    dieAndLook();
    dieAndLook();
    dieAndLook();
    assertThatThrownBy(this::dieAndLook)
        .isInstanceOf(ChildFailed.class)
        .hasMessageContaining("4 times")
        .hasMessageContaining("Redis ended");
    assertThat(mortal.starts).isEqualTo(3);
  }

  @Test
  void deathsOfAnotherMinute_doNotCount() {
    for (int i = 0; i < 8; i++) {
      dieAndLook();
      nanos += Duration.ofSeconds(31).toNanos();
    }
    assertThat(mortal.starts).isEqualTo(8);
  }

  @Test
  void refusalToStart_isSaidAndCountsAsADeath() {
    mortal.refuses = true;
    dieAndLook();
    assertThat(said).contains("its port is not free yet");
    watched.look();
    watched.look();
    assertThatThrownBy(watched::look).isInstanceOf(ChildFailed.class);
  }
}
