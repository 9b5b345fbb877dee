package dev.tollgate.oracles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.volcengine.ark.runtime.model.content.generation.CreateContentGenerationTaskRequest;
import com.volcengine.ark.runtime.model.content.generation.CreateContentGenerationTaskRequest.Content;
import com.volcengine.ark.runtime.model.content.generation.CreateContentGenerationTaskRequest.ImageUrl;
import com.volcengine.ark.runtime.model.content.generation.DeleteContentGenerationTaskRequest;
import com.volcengine.ark.runtime.model.content.generation.GetContentGenerationTaskRequest;
import com.volcengine.ark.runtime.model.content.generation.ListContentGenerationTasksRequest;
import com.volcengine.ark.runtime.model.content.generation.ListContentGenerationTasksResponse;
import com.volcengine.ark.runtime.model.content.generation.TaskStatus;
import com.volcengine.ark.runtime.service.ArkService;
import dev.tollgate.oracles.Misbehaviour.Create;
import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.TaskState;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.ConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code ark} next to {@code com.volcengine:volcengine-java-sdk-ark-runtime}. */
final class ArkOracleIT {
  private static final String API_KEY = "ark-0123456789";
  private static final String ID = "cgt-20261129-a1";
  private static final String ANSWER = "{\"id\":\"" + ID + "\"}";
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final JsonNode PARAMS =
      Recorded.json(
          """
          {"prompt": "a boat — at dusk", "model": "doubao-seedance-2-0", "duration_s": 5,
           "aspect_ratio": "16:9", "resolution": "720p", "seed": 7,
           "image_url": "https://media.example.com/first.jpg",
           "provider": {"execution_expires_after": 3600}}
          """);

  @TempDir private Path folder;

  @Test
  void create_isTheSameRequest() {
    Recorded own = own();
    Recorded sdk = sdk(own.json().path("callback_url").asText());

    assertThat(own.method()).isEqualTo(sdk.method()).isEqualTo("POST");
    assertThat(own.path()).isEqualTo(sdk.path()).isEqualTo("/api/v3/contents/generations/tasks");
    assertThat(own.query()).isEqualTo(sdk.query()).isEmpty();
    assertThat(own.mediaType()).isEqualTo(sdk.mediaType());
    assertThat(own.header("authorization"))
        .isEqualTo(sdk.header("authorization"))
        .isEqualTo("Bearer " + API_KEY);
    assertThat(own.json()).isEqualTo(sdk.json());
    assertThat(sdk.headersBeyond(own)).containsExactly("x-client-request-id", "x-request-model");
    assertThat(own.json().path("safety_identifier").asText()).isEqualTo(Described.KEY);
    assertThat(own.json().path("callback_url").asText()).startsWith(Described.CALLBACKS + "/");
  }

  @Test
  void status_isAskedForAndReadAlike() {
    String running = status(TaskStatus.RUNNING);
    try (Recorder own = Recorder.answering(200, running);
        Recorder sdk = Recorder.answering(200, running);
        Described described = described(own)) {
      Optional<TaskState> state = described.state(ID);
      String status =
          service(sdk)
              .getContentGenerationTask(
                  GetContentGenerationTaskRequest.builder().taskId(ID).build())
              .getStatus();

      assertThat(own.only().method()).isEqualTo(sdk.only().method());
      assertThat(own.only().path()).isEqualTo(sdk.only().path());
      assertThat(status).isEqualTo(TaskStatus.RUNNING);
      assertThat(state).contains(TaskState.PROCESSING);
    }
  }

  @Test
  void status_knowsEveryWordOfTheSdk() throws IllegalAccessException {
    Map<String, Optional<TaskState>> read = new HashMap<>();
    for (Field word : TaskStatus.class.getFields()) {
      try (Recorder server = Recorder.answering(200, status(String.valueOf(word.get(null))));
          Described described = described(server)) {
        read.put(word.getName(), described.state(ID));
      }
    }
    // "expired", which the service's pages have, is none of the SDK's words
    assertThat(read)
        .containsOnly(
            entry("QUEUED", Optional.of(TaskState.QUEUED)),
            entry("RUNNING", Optional.of(TaskState.PROCESSING)),
            entry("SUCCEEDED", Optional.of(TaskState.SUCCEEDED)),
            entry("FAILED", Optional.of(TaskState.FAILED)),
            entry("CANCELLED", Optional.of(TaskState.CANCELLED)));
  }

  private static String status(String word) {
    return "{\"id\": \"%s\", \"model\": \"m\", \"status\": \"%s\"}".formatted(ID, word);
  }

  @Test
  void list_isAskedForAndReadAlike() {
    String page =
        """
        {"total": 1, "items": [{"id": "%s", "model": "m", "status": "running",
         "created_at": 1764374400, "safety_identifier": "%s"}]}
        """
            .formatted(ID, Described.KEY);
    try (Recorder own = Recorder.answering(200, page);
        Recorder sdk = Recorder.answering(200, page);
        Described described = described(own)) {
      List<Candidate> found =
          described.listed(Instant.ofEpochSecond(1764374000), Instant.ofEpochSecond(1764374800));
      ListContentGenerationTasksResponse listed =
          service(sdk)
              .listContentGenerationTasks(
                  ListContentGenerationTasksRequest.builder().pageNum(1).pageSize(100).build());

      assertThat(own.only().path()).isEqualTo(sdk.only().path());
      assertThat(own.only().parameters()).isEqualTo(sdk.only().parameters());
      ListContentGenerationTasksResponse.Item item = listed.getItems().getFirst();
      assertThat(found)
          .singleElement()
          .isEqualTo(
              new Candidate(
                  item.getId(),
                  Instant.ofEpochSecond(item.getCreatedAt()),
                  Optional.empty(),
                  Optional.of(item.getSafetyIdentifier())));
    }
  }

  @Test
  void cancel_isTheSameRequest() {
    try (Recorder own = Recorder.answering(200, "{}");
        Recorder sdk = Recorder.answering(200, "{}");
        Described described = described(own)) {
      described.adapter().cancel(ID);
      service(sdk)
          .deleteContentGenerationTask(
              DeleteContentGenerationTaskRequest.builder().taskId(ID).build());

      assertThat(own.only().method()).isEqualTo(sdk.only().method()).isEqualTo("DELETE");
      assertThat(own.only().path()).isEqualTo(sdk.only().path());
    }
  }

  /**
   * Two resends; and the HTTP client below makes one more of its own, on another connection, when
   * one that it had kept is closed (for up to a second, by default). Its limit for the call with
   * all resends is as long as the one for an answer, so that a slow answer ends both.
   */
  @ParameterizedTest
  @CsvSource({"CLOSES, 3", "CLOSES_KEPT, 4", "SAYS_500, 3", "SAYS_429, 3", "IS_SILENT, 1"})
  void sdk_sendsOneCreate_thisOften(Misbehaviour misbehaviour, int times) throws Exception {
    assertThat(
            misbehaviour.sends(
                ANSWER,
                server ->
                    creating(
                        misbehaviour == Misbehaviour.IS_SILENT
                            ? builder(server).timeout(SOON) // 10 minutes by default
                            : builder(server))))
        .isEqualTo(times);
  }

  @Test
  void sdk_withMoreTimeForTheCallThanForAnAnswer_sendsOneCreateThreeTimes() throws Exception {
    assertThat(
            Misbehaviour.IS_SILENT.sends(
                ANSWER,
                server ->
                    creating(builder(server).timeout(SOON).callTimeout(SOON.multipliedBy(30)))))
        .isEqualTo(3);
  }

  private static Create creating(ArkService.Builder builder) {
    ArkService service = builder.build();
    return () -> service.createContentGenerationTask(request("https://t.example.com/h"));
  }

  @ParameterizedTest
  @EnumSource
  void descriptor_sendsOneCreate_once(Misbehaviour misbehaviour) throws Exception {
    assertThat(misbehaviour.sends(ANSWER, server -> described(server).create(PARAMS))).isEqualTo(1);
  }

  private Recorded own() {
    try (Recorder server = Recorder.answering(200, ANSWER);
        Described described = described(server)) {
      assertThat(described.accepted(PARAMS)).isEqualTo(ID);
      return server.only();
    }
  }

  private static Recorded sdk(String callback) {
    try (Recorder server = Recorder.answering(200, ANSWER)) {
      assertThat(service(server).createContentGenerationTask(request(callback)).getId())
          .isEqualTo(ID);
      return server.only();
    }
  }

  private Described described(Recorder server) {
    return Described.open(
        "ark", server.at("/api/v3"), folder, Map.of("api-key", API_KEY), Map.of());
  }

  private static ArkService service(Recorder server) {
    return builder(server).build();
  }

  private static ArkService.Builder builder(Recorder server) {
    return ArkService.builder()
        .apiKey(API_KEY)
        .baseUrl(server.at("/api/v3/").toString())
        // its own keeps a connection for a second, which a busy machine may take between two calls
        .connectionPool(new ConnectionPool());
  }

  private static CreateContentGenerationTaskRequest request(String callback) {
    return CreateContentGenerationTaskRequest.builder()
        .model("doubao-seedance-2-0")
        .content(
            List.of(
                Content.builder().type("text").text("a boat — at dusk").build(),
                Content.builder()
                    .type("image_url")
                    .imageUrl(ImageUrl.builder().url("https://media.example.com/first.jpg").build())
                    .build()))
        .duration(5L)
        .ratio("16:9")
        .resolution("720p")
        .seed(7L)
        .executionExpiresAfter(3600L)
        .callbackUrl(callback)
        .safetyIdentifier(Described.KEY)
        .build();
  }
}
