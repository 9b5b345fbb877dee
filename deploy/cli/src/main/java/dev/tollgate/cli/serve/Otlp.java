package dev.tollgate.cli.serve;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pushes the same meters to an OpenTelemetry collector. Stateless. */
final class Otlp {
  private Otlp() {}

  /**
   * A registry whose meters are both served and pushed: every so often, and once more when it is
   * closed. A collector that is away is told in the log and tried again the next time; nothing
   * waits for it.
   *
   * @param role {@code worker} or {@code reconciler}: {@code service.name} is {@code tollgate-ROLE}
   */
  static MeterRegistry beside(MeterRegistry served, URI collector, Duration every, String role) {
    CompositeMeterRegistry both = new CompositeMeterRegistry();
    both.add(served);
    both.add(new OtlpMeterRegistry(config(collector, every, role), Clock.SYSTEM));
    return both;
  }

  private static OtlpConfig config(URI collector, Duration every, String role) {
    String instance = UUID.randomUUID().toString();
    return new OtlpConfig() {
      @Override
      public @Nullable String get(String key) {
        return null; // all else as usual; headers come from OTEL_EXPORTER_OTLP_HEADERS
      }

      @Override
      public String url() {
        return collector.toString();
      }

      @Override
      public Duration step() {
        return every;
      }

      @Override
      public TimeUnit baseTimeUnit() {
        return TimeUnit.SECONDS; // as in Prometheus
      }

      @Override
      public Map<String, String> resourceAttributes() {
        return Map.of("service.name", "tollgate-" + role, "service.instance.id", instance);
      }
    };
  }
}
