package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Metrics, beside those that are served at {@code tollgate.http.port}. */
public interface MetricsConfig {
  Otlp otlp();

  /** Pushes to an OpenTelemetry collector; none without an address. */
  interface Otlp {
    /**
     * Where the collector takes metrics over HTTP, such as {@code
     * http://localhost:4318/v1/metrics}. Headers of each push, credentials among them, come from
     * the environment variable {@code OTEL_EXPORTER_OTLP_HEADERS}.
     */
    Optional<URI> url();

    @WithDefault("30s")
    Duration every();
  }
}
