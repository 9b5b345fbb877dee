package dev.tollgate.worker.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The only way to a registry: registers meters as {@link Meter} lists them, and refuses another
 * kind or other tags, which a dashboard or an alert would not see. Thread-safe.
 */
public final class Catalogue {
  /** Fixed, so that buckets of all processes add up; wide, since a stage takes 5 ms or an hour. */
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(15),
    Duration.ofMinutes(1),
    Duration.ofMinutes(5),
    Duration.ofMinutes(15),
    Duration.ofHours(1)
  };

  private final MeterRegistry registry;

  public Catalogue(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * The counter under these tags.
   *
   * @param tags names and values, in turn, in the catalogue's order
   * @throws IllegalArgumentException if the catalogue does not list it so
   */
  public Counter counter(Meter meter, String... tags) {
    check(meter, Kind.COUNTER, tags);
    return Counter.builder(meter.meterName())
        .description(meter.help())
        .baseUnit(unit(meter))
        .tags(tags)
        .register(registry);
  }

  /**
   * The timer under these tags.
   *
   * @throws IllegalArgumentException if the catalogue does not list it so
   */
  public Timer timer(Meter meter, String... tags) {
    check(meter, Kind.TIMER, tags);
    return Timer.builder(meter.meterName())
        .description(meter.help())
        .serviceLevelObjectives(BUCKETS)
        .tags(tags)
        .register(registry);
  }

  /**
   * The summary under these tags.
   *
   * @throws IllegalArgumentException if the catalogue does not list it so
   */
  public DistributionSummary summary(Meter meter, String... tags) {
    check(meter, Kind.SUMMARY, tags);
    return DistributionSummary.builder(meter.meterName())
        .description(meter.help())
        .baseUnit(unit(meter))
        .tags(tags)
        .register(registry);
  }

  /**
   * Shows a value under these tags, from now on. Of two for the same tags the first stays.
   *
   * @param value called by whoever scrapes, from any thread
   * @throws IllegalArgumentException if the catalogue does not list it so
   */
  public void gauge(Meter meter, Supplier<Number> value, String... tags) {
    check(meter, Kind.GAUGE, tags);
    Gauge.builder(meter.meterName(), value)
        .description(meter.help())
        .baseUnit(unit(meter))
        .tags(tags)
        .register(registry);
  }

  private static @Nullable String unit(Meter meter) {
    return meter.unit().isEmpty() ? null : meter.unit();
  }

  private static void check(Meter meter, Kind kind, String... tags) {
    if (meter.kind() != kind) {
      throw new IllegalArgumentException(
          "%s is a %s, not a %s".formatted(meter, meter.kind().word(), kind.word()));
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < tags.length; i += 2) {
      names.add(tags[i]);
    }
    if (tags.length % 2 != 0 || !names.equals(meter.tags())) {
      throw new IllegalArgumentException(
          "%s has the tags %s, and was given %s".formatted(meter, meter.tags(), List.of(tags)));
    }
  }
}
