package dev.tollgate.worker;

import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.health.Vitals;
import dev.tollgate.worker.gate.Gate;
import dev.tollgate.worker.gate.GateConfig;
import dev.tollgate.worker.gate.NoGate;
import dev.tollgate.worker.gate.RedisGate;
import dev.tollgate.worker.metrics.GateMeters;
import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import java.net.URI;
import java.util.function.LongSupplier;

/** The gate as the configuration has it. */
final class ConfiguredGate {
  private ConfiguredGate() {}

  /** The gate of one process, in one incarnation of the data; none at all without Redis. */
  static Gate open(
      TollgateConfig config,
      String incarnation,
      String instance,
      Meters meters,
      Vitals vitals,
      LongSupplier nanoTime) {
    if (config.redis().url().isEmpty()) {
      return new NoGate();
    }
    URI url = config.redis().url().get();
    GateConfig usual = GateConfig.of(url);
    GateConfig gate =
        new GateConfig(
            url,
            usual.connectTimeout(),
            usual.socketTimeout(),
            usual.budget(),
            config.redis().consumingTtl(),
            config.redis().consumedTtl(),
            usual.connections());
    GateMeters listener = meters.gate();
    vitals.dependsOn(listener::redis);
    RedisGate redis = RedisGate.open(gate, incarnation, instance, listener, nanoTime);
    meters.gauge(Meter.GATE_CONNECTIONS, redis::connectionsInUse);
    return redis;
  }
}
