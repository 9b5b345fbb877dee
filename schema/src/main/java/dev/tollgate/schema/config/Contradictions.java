package dev.tollgate.schema.config;

import dev.tollgate.schema.kafka.Membership;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each setting allows by itself, and what they do not allow together. */
final class Contradictions {
  /** One provider was seen to repeat an event for 29 hours. */
  private static final Duration EVENTS_KEPT_LEAST = Duration.ofDays(2);

  private final List<String> found = new ArrayList<>();

  private Contradictions() {}

  /** Every fault that reading the settings one by one does not show. */
  static List<String> of(TollgateConfig config) {
    Contradictions contradictions = new Contradictions();
    ServersCheck.check(config, contradictions.found::add);
    TollgateConfig.Kafka kafka = config.kafka();
    contradictions.found.addAll(
        new Membership(kafka.groupProtocol(), kafka.instanceId()).contradictions(kafka.client()));
    contradictions.breaker(config.worker().breaker());
    config
        .providers()
        .forEach(
            (name, provider) ->
                contradictions.limits(
                    "tollgate.providers." + name + ".limits.", provider.limits()));
    contradictions.budgets(config);
    contradictions.unknowns(config);
    contradictions.generations(config);
    contradictions.folder(config);
    contradictions.webhooks(config.webhooks());
    OutputsCheck.check(config.outputs(), contradictions.found::add);
    StreamsCheck.check(config.streams(), contradictions.found::add);
    RetentionCheck.check(config.retention(), contradictions.found::add);
    return contradictions.found;
  }

  private void breaker(BreakerConfig breaker) {
    String prefix = "tollgate.worker.breaker.";
    percent(prefix + "unknown-percent", breaker.unknownPercent());
    percent(prefix + "throttled-percent", breaker.throttledPercent());
    percent(prefix + "start-percent", breaker.startPercent());
    atLeastOne(prefix + "outcomes-min", breaker.outcomesMin());
    if (breaker.window() < breaker.outcomesMin()) {
      found.add(
          "%swindow (%d) is smaller than %soutcomes-min (%d): it would never open"
              .formatted(prefix, breaker.window(), prefix, breaker.outcomesMin()));
    }
    if (!breaker.pause().isPositive()) {
      found.add(prefix + "pause must be positive");
    }
    if (breaker.pauseMax().compareTo(breaker.pause()) < 0) {
      found.add("%spause-max is shorter than %spause".formatted(prefix, prefix));
    }
  }

  private void limits(String prefix, LimitsConfig limits) {
    if (limits.burst().isPresent() && limits.rate().isEmpty()) {
      found.add("%sburst is of no use without %srate".formatted(prefix, prefix));
    }
    limits.burst().ifPresent(burst -> atLeastOne(prefix + "burst", burst));
    limits.tasksMax().ifPresent(tasks -> atLeastOne(prefix + "tasks-max", tasks));
  }

  private void webhooks(WebhooksConfig webhooks) {
    if (!webhooks.headWithin().isPositive() || !webhooks.bodyWithin().isPositive()) {
      found.add("tollgate.webhooks.head-within and body-within must be positive");
    }
    if (webhooks.keptFor().compareTo(EVENTS_KEPT_LEAST) < 0) {
      found.add(
          "tollgate.webhooks.kept-for is shorter than %d hours: repeats that late have been seen"
              .formatted(EVENTS_KEPT_LEAST.toHours()));
    }
  }

  private void folder(TollgateConfig config) {
    config
        .providersFolder()
        .filter(folder -> !Files.isDirectory(folder) || !Files.isReadable(folder))
        .ifPresent(
            folder ->
                found.add(
                    "tollgate.providers-folder is %s, which is no folder that can be read"
                        .formatted(folder.toAbsolutePath())));
  }

  private void budgets(TollgateConfig config) {
    Map<List<Object>, String> names = new HashMap<>();
    config
        .budgets()
        .forEach(
            (name, budget) -> {
              String prefix = "tollgate.budgets." + name;
              String other =
                  names.putIfAbsent(List.of(budget.scope(), budget.who(), budget.per()), name);
              if (other != null) {
                found.add(
                    "%s is of the same spending as tollgate.budgets.%s".formatted(prefix, other));
              }
              if (budget.amount().micros() == 0) {
                found.add(prefix + ".amount is nothing: leave the provider out instead");
              }
              if (budget.scope() == BudgetConfig.Scope.PROVIDER) {
                ofProvider(prefix, config.providers().get(budget.who()), budget.who());
              }
            });
  }

  private void unknowns(TollgateConfig config) {
    config
        .unknowns()
        .forEach(
            (name, rule) -> {
              String prefix = "tollgate.unknowns." + name;
              rule.provider()
                  .filter(provider -> !config.providers().containsKey(provider))
                  .ifPresent(
                      provider ->
                          found.add(
                              "%s.provider names %s, which is no configured provider"
                                  .formatted(prefix, provider)));
              if (rule.after().isNegative()) {
                found.add(prefix + ".after is negative");
              }
            });
  }

  private void generations(TollgateConfig config) {
    GenerationsConfig generations = config.generations();
    String prefix = "tollgate.generations.";
    atLeastOne(prefix + "max", generations.max());
    policy(prefix + "policy.", generations.policy().max(), generations);
    if (generations.policy().after().isNegative()) {
      found.add(prefix + "policy.after is negative");
    }
    config
        .providers()
        .forEach(
            (name, provider) -> {
              String of = "tollgate.providers." + name + ".generations.";
              provider.generations().max().ifPresent(max -> policy(of, max, generations));
              provider
                  .generations()
                  .after()
                  .filter(Duration::isNegative)
                  .ifPresent(_ -> found.add(of + "after is negative"));
            });
  }

  private void policy(String prefix, int max, GenerationsConfig generations) {
    atLeastOne(prefix + "max", max);
    if (max > generations.max()) {
      found.add(
          "%smax (%d) is more than tollgate.generations.max (%d): what it asks for would be refused"
              .formatted(prefix, max, generations.max()));
    }
  }

  private void ofProvider(String prefix, @Nullable ProviderConfig provider, String name) {
    if (provider == null) {
      found.add("%s.who names %s, which is no configured provider".formatted(prefix, name));
    } else if (provider.price().isEmpty()) {
      found.add(
          "%s needs tollgate.providers.%s.price: without it, all would be refused"
              .formatted(prefix, name));
    }
  }

  private void percent(String key, int value) {
    if (value < 1 || value > 100) {
      found.add("%s is %d, not from 1 to 100".formatted(key, value));
    }
  }

  private void atLeastOne(String key, int value) {
    if (value < 1) {
      found.add("%s is %d, not at least 1".formatted(key, value));
    }
  }
}
