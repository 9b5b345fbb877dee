package dev.tollgate.oracles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.alibaba.dashscope.aigc.videosynthesis.VideoSynthesis;
import com.alibaba.dashscope.aigc.videosynthesis.VideoSynthesisParam;
import com.alibaba.dashscope.common.TaskStatus;
import com.alibaba.dashscope.protocol.ConnectionConfigurations;
import com.alibaba.dashscope.utils.Constants;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tollgate.oracles.Misbehaviour.Client;
import dev.tollgate.worker.provider.TaskState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code dashscope} next to {@code com.alibaba:dashscope-sdk-java}. */
final class DashScopeOracleIT {
  private static final String API_KEY = "sk-0123456789";
  private static final String ID = "0385dc79-5ff8-4d82-bcb6-abcdef123456";
  private static final String ANSWER =
      "{\"request_id\":\"r1\",\"output\":{\"task_id\":\"%s\",\"task_status\":\"PENDING\"}}"
          .formatted(ID);
  private static final JsonNode PARAMS =
      Recorded.json(
          """
          {"prompt": "a boat — at dusk", "model": "wanx2.1-t2v-turbo", "duration_s": 5,
           "resolution": "1280*720",
           "provider": {"input": {"negative_prompt": "rain"}, "parameters": {"seed": 7}}}
          """);

  @TempDir private Path folder;

  /** One client for the whole process: 300 s by default, and more would only take longer. */
  @BeforeAll
  static void impatient() {
    Constants.connectionConfigurations =
        ConnectionConfigurations.builder().readTimeout(Duration.ofSeconds(3)).build();
  }

  @Test
  void create_isTheSameRequest() throws Exception {
    Recorded own = own();
    Recorded sdk = sdk();

    assertThat(own.method()).isEqualTo(sdk.method()).isEqualTo("POST");
    assertThat(own.path())
        .isEqualTo(sdk.path())
        .isEqualTo("/api/v1/services/aigc/video-generation/video-synthesis");
    assertThat(own.query()).isEqualTo(sdk.query()).isEmpty();
    assertThat(own.mediaType()).isEqualTo(sdk.mediaType());
    assertThat(own.header("authorization"))
        .isEqualTo(sdk.header("authorization"))
        .isEqualTo("Bearer " + API_KEY);
    assertThat(own.header("x-dashscope-async"))
        .isEqualTo(sdk.header("x-dashscope-async"))
        .isEqualTo("enable");
    // two fields of the SDK's own that no page of the service has; the service has defaults for
    // both
    ObjectNode sent = (ObjectNode) sdk.json();
    assertThat(sent.withObject("/input").remove("extend_prompt")).isEqualTo(BooleanNode.TRUE);
    assertThat(sent.withObject("/parameters").remove("with_audio")).isEqualTo(BooleanNode.FALSE);
    assertThat(own.json()).isEqualTo(sent);
    assertThat(sdk.headersBeyond(own)).isEmpty();
  }

  /** A model that takes a first and a last frame has an address of its own. */
  @Test
  void create_betweenTwoFrames_goesToTheSamePlace() throws Exception {
    JsonNode params =
        Recorded.json(
            """
            {"model": "wan2.2-kf2v-flash", "prompt": "a boat",
             "provider": {"input": {"first_frame_url": "https://media.example.com/1.png",
                                    "last_frame_url": "https://media.example.com/2.png"}}}
            """);
    try (Recorder own = Recorder.answering(200, ANSWER);
        Recorder sdk = Recorder.answering(200, ANSWER);
        Described described = described(own)) {
      described.accepted(params);
      client(sdk)
          .asyncCall(
              VideoSynthesisParam.builder()
                  .apiKey(API_KEY)
                  .model("wan2.2-kf2v-flash")
                  .prompt("a boat")
                  .firstFrameUrl("https://media.example.com/1.png")
                  .lastFrameUrl("https://media.example.com/2.png")
                  .build());

      assertThat(own.only().path())
          .isEqualTo(sdk.only().path())
          .isEqualTo("/api/v1/services/aigc/image2video/video-synthesis");
      assertThat(own.only().json().path("input").properties())
          .isSubsetOf(sdk.only().json().path("input").properties());
    }
  }

  @Test
  void status_isAskedForAndReadAlike() throws Exception {
    try (Recorder own = Recorder.answering(200, ANSWER);
        Recorder sdk = Recorder.answering(200, ANSWER);
        Described described = described(own)) {
      Optional<TaskState> state = described.state(ID);
      String status = client(sdk).fetch(ID, API_KEY).getOutput().getTaskStatus();

      assertThat(own.only().method()).isEqualTo(sdk.only().method());
      assertThat(own.only().path()).isEqualTo(sdk.only().path());
      assertThat(status).isEqualTo("PENDING");
      assertThat(state).contains(TaskState.QUEUED);
    }
  }

  @Test
  void status_knowsEveryWordOfTheSdk_butTwoThatEndNothing() {
    Map<TaskStatus, Optional<TaskState>> read = new EnumMap<>(TaskStatus.class);
    for (TaskStatus word : TaskStatus.values()) {
      try (Recorder server = Recorder.answering(200, ANSWER.replace("PENDING", word.getValue()));
          Described described = described(server)) {
        read.put(word, described.state(ID));
      }
    }
    assertThat(read)
        .containsOnly(
            entry(TaskStatus.PENDING, Optional.of(TaskState.QUEUED)),
            entry(TaskStatus.RUNNING, Optional.of(TaskState.PROCESSING)),
            entry(TaskStatus.SUCCEEDED, Optional.of(TaskState.SUCCEEDED)),
            entry(TaskStatus.FAILED, Optional.of(TaskState.FAILED)),
            entry(TaskStatus.CANCELED, Optional.of(TaskState.CANCELLED)),
            entry(TaskStatus.SUSPENDED, Optional.empty()),
            entry(TaskStatus.UNKNOWN, Optional.empty()));
  }

  @Test
  void cancel_isTheSameRequest() throws Exception {
    try (Recorder own = Recorder.answering(200, "{\"request_id\":\"r1\"}");
        Recorder sdk = Recorder.answering(200, "{\"request_id\":\"r1\"}");
        Described described = described(own)) {
      described.adapter().cancel(ID);
      client(sdk).cancel(ID, API_KEY);

      assertThat(own.only().method()).isEqualTo(sdk.only().method()).isEqualTo("POST");
      assertThat(own.only().path()).isEqualTo(sdk.only().path());
    }
  }

  /**
   * None of its own; but the HTTP client below sends once more, on another connection, when one
   * that it had kept is closed.
   */
  @ParameterizedTest
  @CsvSource({"CLOSES, 1", "CLOSES_KEPT, 2", "SAYS_500, 1", "SAYS_429, 1", "IS_SILENT, 1"})
  void sdk_sendsOneCreate_thisOften(Misbehaviour misbehaviour, int times) throws Exception {
    Client sdk =
        server -> {
          VideoSynthesis client = client(server);
          return () -> client.asyncCall(param());
        };
    assertThat(misbehaviour.sends(ANSWER, sdk)).isEqualTo(times);
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

  private static Recorded sdk() throws Exception {
    try (Recorder server = Recorder.answering(200, ANSWER)) {
      assertThat(client(server).asyncCall(param()).getOutput().getTaskId()).isEqualTo(ID);
      return server.only();
    }
  }

  private Described described(Recorder server) {
    return Described.open("dashscope", server.at(""), folder, Map.of("api-key", API_KEY), Map.of());
  }

  private static VideoSynthesis client(Recorder server) {
    // an address given to the constructor is for its reads: it creates at the usual one all the
    // same
    Constants.baseHttpApiUrl = server.at("/api/v1").toString();
    return new VideoSynthesis();
  }

  private static VideoSynthesisParam param() {
    return VideoSynthesisParam.builder()
        .apiKey(API_KEY)
        .model("wanx2.1-t2v-turbo")
        .prompt("a boat — at dusk")
        .negativePrompt("rain")
        .size("1280*720")
        .duration(5)
        .seed(7)
        .build();
  }
}
