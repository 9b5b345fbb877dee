package dev.tollgate.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HttpEndpointIT {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicReference<Duration> sinceProgress = new AtomicReference<>(Duration.ZERO);
  private final Health health = new Health(sinceProgress::get);
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpEndpoint endpoint;

  @BeforeEach
  void open() throws IOException {
    endpoint = HttpEndpoint.open("127.0.0.1", 0, registry, health);
  }

  @AfterEach
  void close() {
    endpoint.close();
    client.close();
    registry.close();
  }

  @Test
  void live_whileThereIsProgress() throws Exception {
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    sinceProgress.set(Duration.ofSeconds(29));
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    sinceProgress.set(Duration.ofSeconds(30));
    assertThat(get("/health/live").statusCode()).isEqualTo(503);
    assertThat(get("/health/live").body()).contains("30.0 s");
  }

  @Test
  void ready_betweenStartAndDrain_whileAlive() throws Exception {
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    health.serving();
    assertThat(get("/health/ready").statusCode()).isEqualTo(200);
    sinceProgress.set(Duration.ofMinutes(1));
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    sinceProgress.set(Duration.ZERO);
    health.draining();
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void metrics_inPrometheusText_withTheJvms() throws Exception {
    registry.counter("tollgate.test").increment();
    try (JvmMetrics _ = new JvmMetrics(registry)) {
      HttpResponse<String> answer = get("/metrics");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type"))
          .contains("text/plain; version=0.0.4; charset=utf-8");
      assertThat(answer.body())
          .contains("tollgate_test_total 1.0", "jvm_memory_used_bytes", "process_uptime_seconds");
    }
  }

  @Test
  void anythingElse_isNotThere() throws Exception {
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/metricsx").statusCode()).isEqualTo(404);
    assertThat(send("POST", "/metrics").statusCode()).isEqualTo(405);
    HttpResponse<String> head = send("HEAD", "/metrics");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", path);
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + path);
    return client.send(
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
