package dev.tollgate.schema.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.health.Vitals.Dependency;
import dev.tollgate.schema.health.Vitals.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class VitalsTest {
  private final List<String> heard = new ArrayList<>();
  private final Vitals vitals = new Vitals(heard::add);
  private Duration round = Duration.ZERO;
  private Duration progress = Duration.ZERO;
  private Standing database = Standing.UP;

  @BeforeEach
  void watch() {
    vitals.watch("intake", () -> round, () -> progress);
    vitals.dependsOn(() -> new Dependency("postgresql", database, "asked just now"));
  }

  @Test
  void aLoopThatHangs_isNotAlive() {
    round = Vitals.HANGS_AFTER.minusMillis(1);
    assertThat(vitals.alive()).isTrue();
    round = Vitals.HANGS_AFTER;
    assertThat(vitals.alive()).isFalse();
    assertThat(vitals.able()).isFalse();
  }

  /** A restart would only add to the load on a database that comes back. */
  @Test
  void aLoopThatFails_isAlive_asLongAsTheDatabaseIsAway() {
    database = Standing.DOWN;
    progress = Duration.ofHours(5);
    assertThat(vitals.alive()).isTrue();
    assertThat(vitals.able()).isFalse();
    database = Standing.UP;
    assertThat(vitals.alive()).as("it had its time, and fails by itself").isFalse();
    progress = Vitals.STUCK_AFTER.minusMillis(1);
    assertThat(vitals.alive()).isTrue();
  }

  @Test
  void whatIsOnlySlower_isAble() {
    database = Standing.DEGRADED;
    assertThat(vitals.able()).isTrue();
  }

  @Test
  void aPartThatCannotGoOn_saysWhy_once() {
    vitals.failed("database-history", "another timeline");
    vitals.failed("database-history", "something that follows from it");
    assertThat(vitals.alive()).isFalse();
    assertThat(vitals.failures()).containsOnlyKeys("database-history");
    assertThat(vitals.failures()).containsValue("another timeline");
    assertThat(heard).containsExactly("database-history");
  }
}
