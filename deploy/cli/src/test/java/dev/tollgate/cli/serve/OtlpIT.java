package dev.tollgate.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tollgate.worker.metrics.Catalogue;
import dev.tollgate.worker.metrics.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OtlpIT {
  private final List<ExportMetricsServiceRequest> received = new CopyOnWriteArrayList<>();
  private HttpServer collector;

  @BeforeEach
  void open() throws Exception {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4);
    collector.createContext(
        "/v1/metrics",
        exchange -> {
          try (exchange) {
            received.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
            exchange.sendResponseHeaders(200, -1);
          }
        });
    collector.start();
  }

  @AfterEach
  void close() {
    collector.stop(0);
  }

  @Test
  void whatIsServed_isPushedAsWell_andTheRestAtTheEnd() {
    PrometheusMeterRegistry served = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    URI address =
        URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/metrics");
    MeterRegistry both = Otlp.beside(served, address, Duration.ofHours(1), "worker");
    Catalogue catalogue = new Catalogue(both);
    catalogue.counter(Meter.RECORDS, "result", "stored").increment(7);
    catalogue.timer(Meter.BATCH).record(Duration.ofMillis(1500));
    assertThat(served.scrape()).contains("tollgate_intake_records_total{result=\"stored\"} 7.0");
    both.close();
    ResourceMetrics pushed = received.getLast().getResourceMetrics(0);
    assertThat(texts(pushed.getResource().getAttributesList()))
        .containsEntry("service.name", "tollgate-worker");
    Metric records = metric(pushed, "tollgate.intake.records");
    assertThat(records.getSum().getIsMonotonic()).isTrue();
    assertThat(records.getSum().getDataPoints(0).getAsDouble()).isEqualTo(7);
    assertThat(texts(records.getSum().getDataPoints(0).getAttributesList()))
        .containsEntry("result", "stored");
    Metric batch = metric(pushed, "tollgate.intake.batch");
    assertThat(batch.getUnit()).isEqualTo("seconds");
    assertThat(batch.getHistogram().getDataPoints(0).getSum()).isEqualTo(1.5);
    assertThat(batch.getHistogram().getDataPoints(0).getExplicitBoundsList())
        .contains(0.005, 1.0, 3600.0);
  }

  private static Metric metric(ResourceMetrics pushed, String name) {
    return pushed.getScopeMetrics(0).getMetricsList().stream()
        .filter(metric -> metric.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, String> texts(List<KeyValue> attributes) {
    return attributes.stream()
        .collect(Collectors.toMap(KeyValue::getKey, one -> one.getValue().getStringValue()));
  }
}
