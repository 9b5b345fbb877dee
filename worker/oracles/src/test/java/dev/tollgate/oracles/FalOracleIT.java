package dev.tollgate.oracles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import ai.fal.client.ClientConfig;
import ai.fal.client.CredentialsResolver;
import ai.fal.client.FalClient;
import ai.fal.client.http.ClientProxyInterceptor;
import ai.fal.client.http.CredentialsInterceptor;
import ai.fal.client.http.HttpClient;
import ai.fal.client.queue.QueueClient;
import ai.fal.client.queue.QueueClientImpl;
import ai.fal.client.queue.QueueStatus;
import ai.fal.client.queue.QueueStatusOptions;
import ai.fal.client.queue.QueueSubmitOptions;
import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.worker.provider.TaskState;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.Dns;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code fal} next to {@code ai.fal.client:fal-client}, whose addresses are fixed: through what it
 * calls a proxy it sends all it would send, with the address that it meant in a header.
 */
final class FalOracleIT {
  private static final String API_KEY = "id-0123:secret-456789";
  private static final String MODEL = "fal-ai/veo3/fast";
  private static final String ID = "024ca5b1-45d3-4afd-883e-ad3abe2a1c4d";
  private static final String PLACE = "https://queue.fal.run/fal-ai/veo3/requests/" + ID;
  private static final String ANSWER =
      """
      {"request_id": "%s", "status": "IN_QUEUE", "queue_position": 0,
       "response_url": "%s", "status_url": "%s/status", "cancel_url": "%s/cancel"}
      """
          .formatted(ID, PLACE, PLACE, PLACE);
  private static final JsonNode PARAMS =
      Recorded.json("{\"prompt\": \"a boat — at dusk\", \"provider\": {\"duration\": \"8s\"}}");

  @TempDir private Path folder;

  @Test
  void create_isTheSameRequest() {
    try (Recorder own = Recorder.answering(200, ANSWER);
        Recorder sdk = Recorder.answering(200, ANSWER);
        Described described = described(own)) {
      String id = described.accepted(PARAMS);
      QueueStatus.InQueue queued = client(sdk).submit(MODEL, options(callback(own.only().query())));

      URI meant = meant(sdk.only());
      assertThat(own.only().method()).isEqualTo(sdk.only().method()).isEqualTo("POST");
      assertThat(own.only().path()).isEqualTo(meant.getRawPath()).isEqualTo("/" + MODEL);
      assertThat(callback(own.only().query()))
          .isEqualTo(callback(meant.getRawQuery()))
          .startsWith(Described.CALLBACKS + "/");
      assertThat(own.only().mediaType()).isEqualTo(sdk.only().mediaType());
      assertThat(own.only().header("authorization"))
          .isEqualTo(sdk.only().header("authorization"))
          .isEqualTo("Key " + API_KEY);
      assertThat(own.only().json()).isEqualTo(sdk.only().json());
      assertThat(sdk.only().headersBeyond(own.only())).containsExactly("x-fal-target-url");
      assertThat(id).isEqualTo("fal-ai/veo3/requests/" + queued.getRequestId());
    }
  }

  @Test
  void status_isAskedForBelowTheApplication() {
    try (Recorder own = Recorder.answering(200, ANSWER);
        Recorder sdk = Recorder.answering(200, ANSWER);
        Described described = described(own)) {
      Optional<TaskState> state = described.state("fal-ai/veo3/requests/" + ID);
      QueueStatus.StatusUpdate status =
          client(sdk).status(MODEL, QueueStatusOptions.builder().requestId(ID).build());

      assertThat(own.only().method()).isEqualTo(sdk.only().method()).isEqualTo("GET");
      assertThat(own.only().path()).isEqualTo(meant(sdk.only()).getRawPath());
      assertThat(status.getStatus()).isEqualTo(QueueStatus.Status.IN_QUEUE);
      assertThat(state).contains(TaskState.QUEUED);
    }
  }

  @Test
  void status_knowsEveryWordOfTheSdk() {
    Map<QueueStatus.Status, Optional<TaskState>> read = new EnumMap<>(QueueStatus.Status.class);
    for (QueueStatus.Status word : QueueStatus.Status.values()) {
      try (Recorder server = Recorder.answering(200, ANSWER.replace("IN_QUEUE", word.name()));
          Described described = described(server)) {
        read.put(word, described.state("fal-ai/veo3/requests/" + ID));
      }
    }
    assertThat(read)
        .containsOnly(
            entry(QueueStatus.Status.IN_QUEUE, Optional.of(TaskState.QUEUED)),
            entry(QueueStatus.Status.IN_PROGRESS, Optional.of(TaskState.PROCESSING)),
            entry(QueueStatus.Status.COMPLETED, Optional.of(TaskState.SUCCEEDED)));
  }

  /**
   * None of its own; but the HTTP client below sends once more, on another connection, when one
   * that it had kept is closed.
   */
  @ParameterizedTest
  @CsvSource({"CLOSES, 1", "CLOSES_KEPT, 2", "SAYS_500, 1", "SAYS_429, 1", "IS_SILENT, 1"})
  void sdk_sendsOneCreate_thisOften(Misbehaviour misbehaviour, int times) throws Exception {
    assertThat(
            misbehaviour.sends(
                ANSWER,
                server -> {
                  QueueClient client = impatient(server.at("/proxy"), Dns.SYSTEM);
                  return () -> client.submit(MODEL, options("https://t.example.com/h"));
                }))
        .isEqualTo(times);
  }

  /** Most hosts have several addresses; here it is one of them twice. */
  @Test
  void sdk_hostWithTwoAddresses_sendsOneCreateToEach() throws Exception {
    InetAddress here = InetAddress.ofLiteral("127.0.0.1");
    assertThat(
            Misbehaviour.CLOSES.sends(
                ANSWER,
                server -> {
                  URI named = URI.create("http://queue.test:" + server.at("").getPort() + "/");
                  QueueClient client = impatient(named, _ -> List.of(here, here));
                  return () -> client.submit(MODEL, options("https://t.example.com/h"));
                }))
        .isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void descriptor_sendsOneCreate_once(Misbehaviour misbehaviour) throws Exception {
    assertThat(misbehaviour.sends(ANSWER, server -> described(server).create(PARAMS))).isEqualTo(1);
  }

  private static URI meant(Recorded request) {
    return URI.create(request.header("x-fal-target-url"));
  }

  private static String callback(String query) {
    assertThat(query).startsWith("fal_webhook=").doesNotContain("&");
    return URLDecoder.decode(query.substring("fal_webhook=".length()), StandardCharsets.UTF_8);
  }

  private Described described(Recorder server) {
    return Described.open(
        "fal", server.at(""), folder, Map.of("api-key", API_KEY), Map.of("settings.model", MODEL));
  }

  private static ClientConfig config(URI proxy) {
    return ClientConfig.builder()
        .withCredentials(CredentialsResolver.fromApiKey(API_KEY))
        .withProxyUrl(proxy.toString())
        .build();
  }

  private static QueueClient client(Recorder server) {
    return FalClient.withConfig(config(server.at("/proxy"))).queue();
  }

  /** Put together as the client puts its own together, with 2 s where that has 10. */
  private static QueueClient impatient(URI proxy, Dns names) {
    ClientConfig config = config(proxy);
    OkHttpClient http =
        new OkHttpClient.Builder()
            .readTimeout(Duration.ofSeconds(2))
            .dns(names)
            .addInterceptor(new CredentialsInterceptor(config))
            .addInterceptor(new ClientProxyInterceptor(config))
            .build();
    return new QueueClientImpl(new HttpClient(config, http));
  }

  private static QueueSubmitOptions options(String callback) {
    return QueueSubmitOptions.builder()
        .input(Map.of("prompt", "a boat — at dusk", "duration", "8s"))
        .webhookUrl(callback)
        .build();
  }
}
