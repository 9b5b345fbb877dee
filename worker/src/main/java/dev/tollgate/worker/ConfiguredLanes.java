package dev.tollgate.worker;

import dev.tollgate.schema.config.BreakerConfig;
import dev.tollgate.schema.config.LimitsConfig;
import dev.tollgate.schema.config.Rate;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.store.Limits;
import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.send.BreakerPolicy;
import dev.tollgate.worker.send.Lane;
import dev.tollgate.worker.send.Protection;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** A lane for each configured provider, with its protection and its limits. */
final class ConfiguredLanes {
  private ConfiguredLanes() {}

  static Map<String, Lane> of(
      Collection<ProviderAdapter> adapters,
      TollgateConfig config,
      Meters meters,
      LongSupplier nanoTime) {
    Map<String, Lane> lanes = new LinkedHashMap<>();
    for (ProviderAdapter adapter : adapters) {
      String provider = adapter.profile().name();
      Protection protection =
          new Protection(
              provider,
              adapter.profile().concurrency(),
              policy(config.worker().breaker()),
              meters,
              nanoTime,
              RandomGenerator.getDefault());
      meters.gauge(Meter.BREAKER, protection::stateNumber, "provider", provider);
      lanes.put(
          provider,
          new Lane(
              adapter,
              config.worker().leaseGrace(),
              protection,
              limits(Objects.requireNonNull(config.providers().get(provider)).limits()),
              nanoTime));
    }
    return lanes;
  }

  private static BreakerPolicy policy(BreakerConfig config) {
    return new BreakerPolicy(
        config.window(),
        config.within(),
        config.outcomesMin(),
        config.unknownPercent(),
        config.throttledPercent(),
        config.pause(),
        config.pauseMax(),
        config.startPercent());
  }

  private static Optional<Limits> limits(LimitsConfig config) {
    if (!config.any()) {
      return Optional.empty();
    }
    Optional<Rate> rate = config.rate();
    return Optional.of(
        new Limits(
            rate.isPresent() ? OptionalLong.of(rate.get().perMinute()) : OptionalLong.empty(),
            config.burst().orElse(rate.map(Rate::perSecond).orElse(1)),
            config.tasksMax()));
  }
}
