package dev.tollgate.worker;

import dev.tollgate.schema.config.BudgetConfig;
import dev.tollgate.schema.config.LimitsConfig;
import dev.tollgate.schema.config.Rate;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.store.Budget;
import dev.tollgate.schema.store.Limits;
import dev.tollgate.worker.intake.Pricing;
import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import dev.tollgate.worker.provider.DocumentedLimits;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.send.BreakerPolicy;
import dev.tollgate.worker.send.Lane;
import dev.tollgate.worker.send.Protection;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** A lane for each configured provider, with its protection, its limits and its price. */
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
              adapter.streams().isPresent(),
              BreakerPolicy.of(config.worker().breaker()),
              meters,
              nanoTime,
              RandomGenerator.getDefault());
      meters.gauge(Meter.BREAKER, protection::stateNumber, "provider", provider);
      for (Protection.Cause cause : Protection.Cause.values()) {
        meters.gauge(
            Meter.HELD_SLOTS,
            () -> protection.held(cause),
            "provider",
            provider,
            "why",
            cause.word());
      }
      lanes.put(
          provider,
          new Lane(
              adapter,
              config.worker().leaseGrace(),
              protection,
              limits(config, adapter.profile()),
              nanoTime));
    }
    return lanes;
  }

  /** The fleet's limits, the provider's budgets and those of all producers. */
  private static Optional<Limits> limits(TollgateConfig config, ProviderProfile profile) {
    String provider = profile.name();
    LimitsConfig limits =
        Objects.requireNonNull(config.providers().get(provider), provider).limits();
    DocumentedLimits documented = limits.documented() ? profile.limits() : DocumentedLimits.NONE;
    Optional<Rate> rate = limits.rate().or(() -> documented.creates().map(Rate::of));
    OptionalInt tasks = limits.tasksMax();
    List<Budget> budgets =
        config.budgets().values().stream()
            .filter(b -> b.scope() == BudgetConfig.Scope.PRODUCER || b.who().equals(provider))
            .map(Budget::of)
            .toList();
    if (rate.isEmpty() && tasks.isEmpty() && budgets.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Limits(
            rate.isPresent() ? OptionalLong.of(rate.get().perMinute()) : OptionalLong.empty(),
            limits.burst().orElse(rate.map(Rate::perSecond).orElse(1)),
            tasks,
            budgets));
  }

  /** The configured price of each provider; nothing where none is configured. */
  static Pricing prices(TollgateConfig config) {
    Map<String, OptionalLong> prices = new HashMap<>();
    config
        .providers()
        .forEach(
            (name, provider) ->
                provider
                    .price()
                    .ifPresent(price -> prices.put(name, OptionalLong.of(price.micros()))));
    return (provider, _) -> prices.getOrDefault(provider, OptionalLong.empty());
  }
}
