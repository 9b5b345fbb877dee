package dev.tollgate.reconciler.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.schema.store.Waiting;
import dev.tollgate.worker.metrics.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class WaitingWatchTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong nanos = new AtomicLong();
  private final List<Waiting> stored = new ArrayList<>();
  private final WaitingWatch watch =
      new WaitingWatch(
          new ScriptedStore() {
            @Override
            public List<Waiting> waiting() {
              return List.copyOf(stored);
            }
          },
          new Meters(registry),
          nanos::get);

  private static Waiting some(
      String provider, String forWhat, boolean unknown, long count, long seconds) {
    return new Waiting(
        provider,
        forWhat,
        unknown,
        count,
        Duration.ofSeconds(seconds),
        count - 1,
        List.of(1L, 1L, 3L, 3L));
  }

  private double value(String meter, String... tags) {
    return registry.get(meter).tags(tags).gauge().value();
  }

  @Test
  void unknowns_ofReconcilerAndPerson_areOneNumber_byAge() {
    stored.add(some("keyed", "look", true, 5, 40));
    stored.add(some("keyed", "person", true, 4, 9000));
    stored.add(some("keyed", "person", false, 7, 99_000));
    watch.runOnce();
    assertThat(value("tollgate.unknowns", "age", "1m")).isEqualTo(2);
    assertThat(value("tollgate.unknowns", "age", "10m")).isZero();
    assertThat(value("tollgate.unknowns", "age", "1h")).isEqualTo(4);
    assertThat(value("tollgate.unknowns", "age", "1d")).isZero();
    assertThat(value("tollgate.unknowns", "age", "more")).isEqualTo(3);
    assertThat(value("tollgate.unknowns.oldest", "provider", "keyed")).isEqualTo(9000);
    assertThat(value("tollgate.operations.waiting", "for", "person")).isEqualTo(11);
    assertThat(value("tollgate.operations.waiting.oldest", "for", "person")).isEqualTo(99_000);
  }

  @Test
  void runnable_isWhatIsDue_andTheOutboxHasNoProvider() {
    stored.add(some("keyed", "claim", false, 5, 40));
    stored.add(some("", "relay", false, 12, 3));
    watch.runOnce();
    assertThat(value("tollgate.operations.runnable", "provider", "keyed")).isEqualTo(4);
    assertThat(value("tollgate.outbox.events")).isEqualTo(12);
    assertThat(value("tollgate.outbox.oldest")).isEqualTo(3);
    assertThat(registry.find("tollgate.operations.waiting").tag("provider", "").gauge()).isNull();
  }

  @Test
  void whatIsGone_isZero() {
    stored.add(some("keyed", "look", true, 5, 40));
    watch.runOnce();
    stored.clear();
    nanos.addAndGet(1);
    watch.runOnce();
    assertThat(value("tollgate.unknowns.oldest", "provider", "keyed")).isZero();
    assertThat(value("tollgate.operations.waiting", "for", "look")).isZero();
  }
}
