package dev.tollgate.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.health.Vitals;
import dev.tollgate.schema.health.Vitals.Dependency;
import dev.tollgate.schema.health.Vitals.Standing;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class HttpEndpointIT {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicReference<Duration> sinceProgress = new AtomicReference<>(Duration.ZERO);
  private final AtomicReference<Standing> redis = new AtomicReference<>(Standing.UP);
  private final AtomicReference<Standing> database = new AtomicReference<>(Standing.UP);
  private final Vitals vitals = new Vitals(_ -> {});
  private final Health health = new Health(vitals);
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpEndpoint endpoint;

  @BeforeEach
  void open() throws IOException {
    vitals.watch("intake", sinceProgress::get, sinceProgress::get);
    vitals.dependsOn(() -> new Dependency("redis", redis.get(), "asked"));
    vitals.dependsOn(() -> new Dependency("postgresql", database.get(), "last answered just now"));
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
    sinceProgress.set(Vitals.HANGS_AFTER.minusSeconds(1));
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    sinceProgress.set(Vitals.HANGS_AFTER);
    HttpResponse<String> hanging = get("/health/live");
    assertThat(hanging.statusCode()).isEqualTo(503);
    assertThat(hanging.headers().firstValue("Content-Type")).contains("application/json");
    JsonNode said = new JsonMapper().readTree(hanging.body());
    assertThat(said.at("/status").asString()).isEqualTo("down");
    assertThat(said.at("/loops/0/loop").asString()).isEqualTo("intake");
    assertThat(said.at("/loops/0/turned_s_ago").asDouble())
        .isEqualTo((double) Vitals.HANGS_AFTER.toSeconds());
  }

  @Test
  void aPartThatCannotGoOn_isNotAlive_andSaysWhy() throws Exception {
    health.serving();
    vitals.failed("database-history", "it is on another timeline");
    assertThat(get("/health/live").statusCode()).isEqualTo(503);
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    JsonNode said = new JsonMapper().readTree(get("/health/live").body());
    assertThat(said.at("/failed/database-history").asString())
        .isEqualTo("it is on another timeline");
  }

  @Test
  void ready_withoutRedis_andNotWithoutTheDatabase() throws Exception {
    health.serving();
    redis.set(Standing.DEGRADED);
    HttpResponse<String> slower = get("/health/ready");
    assertThat(slower.statusCode()).isEqualTo(200);
    assertThat(new JsonMapper().readTree(slower.body()).at("/dependencies/redis/status").asString())
        .isEqualTo("degraded");
    database.set(Standing.DOWN);
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(get("/health/live").statusCode()).as("a restart would not help").isEqualTo(200);
  }

  @Test
  void ready_betweenStartAndDrain_whileAlive() throws Exception {
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    health.serving();
    assertThat(get("/health/ready").statusCode()).isEqualTo(200);
    sinceProgress.set(Duration.ofMinutes(5));
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
