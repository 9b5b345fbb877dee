package dev.tollgate.oracles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.oracles.Misbehaviour.Client;
import dev.tollgate.worker.provider.TaskState;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.document.Document;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeClient;
import software.amazon.awssdk.services.bedrockruntime.model.AsyncInvokeStatus;
import software.amazon.awssdk.services.bedrockruntime.model.BedrockRuntimeException;
import software.amazon.awssdk.services.bedrockruntime.model.SortAsyncInvocationBy;
import software.amazon.awssdk.services.bedrockruntime.model.SortOrder;
import software.amazon.awssdk.services.bedrockruntime.model.StartAsyncInvokeRequest;

/** {@code aws-bedrock} next to {@code software.amazon.awssdk:bedrockruntime}. */
final class BedrockOracleIT {
  private static final String ACCESS = "AKIDEXAMPLE";
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  private static final String TOKEN = "session/token+0123456789==";
  private static final String ARN =
      "arn:aws:bedrock:us-east-1:123456789012:async-invoke/abcdef123456";
  private static final String ANSWER = "{\"invocationArn\":\"" + ARN + "\"}";
  private static final JsonNode PARAMS =
      Recorded.json(
          """
          {"prompt": "a boat — at dusk", "model": "amazon.nova-reel-v1:1", "duration_s": 6,
           "resolution": "1280x720", "seed": 7, "output_prefix": "s3://example-bucket/videos/"}
          """);

  @TempDir private Path folder;

  @Test
  void create_isTheSameRequest() throws GeneralSecurityException {
    Recorded own = own(AwsBasicCredentials.create(ACCESS, SECRET));
    Recorded sdk = sdk(AwsBasicCredentials.create(ACCESS, SECRET));

    assertThat(own.method()).isEqualTo(sdk.method()).isEqualTo("POST");
    assertThat(own.path()).isEqualTo(sdk.path()).isEqualTo("/async-invoke");
    assertThat(own.query()).isEqualTo(sdk.query()).isEmpty();
    assertThat(own.mediaType()).isEqualTo(sdk.mediaType());
    assertThat(own.json()).isEqualTo(sdk.json());
    assertThat(sdk.headersBeyond(own)).containsExactly("amz-sdk-invocation-id", "amz-sdk-request");
    assertSignedAlike(own, sdk);
  }

  @Test
  void create_withTemporaryCredentials_carriesAndSignsTheirToken() throws GeneralSecurityException {
    Recorded own = own(AwsSessionCredentials.create(ACCESS, SECRET, TOKEN));
    Recorded sdk = sdk(AwsSessionCredentials.create(ACCESS, SECRET, TOKEN));

    assertThat(own.header("x-amz-security-token"))
        .isEqualTo(sdk.header("x-amz-security-token"))
        .isEqualTo(TOKEN);
    assertThat(SigV4.of(own).signedHeaders()).contains("x-amz-security-token");
    assertSignedAlike(own, sdk);
  }

  @Test
  void signature_doesNotVerifyForAnotherBody() throws GeneralSecurityException {
    Recorded own = own(AwsBasicCredentials.create(ACCESS, SECRET));
    Recorded changed = new Recorded(own.method(), own.path(), own.query(), own.headers(), "{}");
    assertThat(SigV4.of(own).expected(changed, SECRET)).isNotEqualTo(SigV4.of(own).signature());
  }

  @Test
  void status_isAskedForInTheSameWords() throws Exception {
    String running = status("InProgress");
    try (Recorder own = Recorder.answering(200, running);
        Recorder sdk = Recorder.answering(200, running);
        Described described = described(own, AwsBasicCredentials.create(ACCESS, SECRET));
        BedrockRuntimeClient client = client(sdk, AwsBasicCredentials.create(ACCESS, SECRET))) {
      described.adapter().status(ARN);
      client.getAsyncInvoke(get -> get.invocationArn(ARN));

      assertThat(own.only().method()).isEqualTo(sdk.only().method());
      assertThat(own.only().path()).isEqualTo(sdk.only().path());
      assertSignedAlike(own.only(), sdk.only());
    }
  }

  @Test
  void status_knowsEveryWordOfTheSdk() {
    Map<String, Optional<TaskState>> read = new HashMap<>();
    for (AsyncInvokeStatus word : AsyncInvokeStatus.knownValues()) {
      try (Recorder server = Recorder.answering(200, status(word.toString()));
          Described described = described(server, AwsBasicCredentials.create(ACCESS, SECRET))) {
        read.put(word.toString(), described.state(ARN));
      }
    }
    assertThat(read)
        .containsOnly(
            entry("InProgress", Optional.of(TaskState.PROCESSING)),
            entry("Completed", Optional.of(TaskState.SUCCEEDED)),
            entry("Failed", Optional.of(TaskState.FAILED)));
  }

  private static String status(String word) {
    return """
        {"invocationArn": "%s", "modelArn": "m", "status": "%s",
         "submitTime": "2026-11-29T00:00:00Z",
         "outputDataConfig": {"s3OutputDataConfig": {"s3Uri": "s3://b/k"}}}
        """
        .formatted(ARN, word);
  }

  @Test
  void list_isAskedForInTheSameWords() throws Exception {
    String none = "{\"asyncInvokeSummaries\": []}";
    Instant from = Instant.parse("2026-11-29T00:00:00Z");
    Instant to = Instant.parse("2026-11-29T00:10:00.250Z");
    try (Recorder own = Recorder.answering(200, none);
        Recorder sdk = Recorder.answering(200, none);
        Described described = described(own, AwsBasicCredentials.create(ACCESS, SECRET));
        BedrockRuntimeClient client = client(sdk, AwsBasicCredentials.create(ACCESS, SECRET))) {
      described.adapter().list(from, to);
      client.listAsyncInvokes(
          list ->
              list.submitTimeAfter(from)
                  .submitTimeBefore(to)
                  .sortBy(SortAsyncInvocationBy.SUBMISSION_TIME)
                  .sortOrder(SortOrder.DESCENDING)
                  .maxResults(100));

      assertThat(own.only().path()).isEqualTo(sdk.only().path());
      assertThat(own.only().parameters()).isEqualTo(sdk.only().parameters());
      assertSignedAlike(own.only(), sdk.only());
    }
  }

  /** Three attempts, whatever it was: the default of its standard retry mode. */
  @ParameterizedTest
  @CsvSource({"CLOSES, 3", "CLOSES_KEPT, 3", "SAYS_500, 3", "SAYS_429, 3", "IS_SILENT, 3"})
  void sdk_sendsOneCreate_thisOften(Misbehaviour misbehaviour, int times) throws Exception {
    Client sdk =
        server -> {
          BedrockRuntimeClient client = client(server, AwsBasicCredentials.create(ACCESS, SECRET));
          return () -> client.startAsyncInvoke(start().build());
        };
    assertThat(misbehaviour.sends(ANSWER, sdk)).isEqualTo(times);
  }

  /** Which is what may make them harmless, for as long as the service remembers it. */
  @Test
  void sdk_withoutToken_makesOneForAllItsResends() {
    try (Recorder server = Misbehaviour.SAYS_500.serve(ANSWER);
        BedrockRuntimeClient client = client(server, AwsBasicCredentials.create(ACCESS, SECRET))) {
      assertThatThrownBy(() -> client.startAsyncInvoke(start().clientRequestToken(null).build()))
          .isInstanceOf(BedrockRuntimeException.class);
      assertThat(server.requests())
          .hasSize(3)
          .allSatisfy(request -> assertThat(token(request)).hasSizeGreaterThan(30))
          .extracting(BedrockOracleIT::token)
          .containsOnly(token(server.requests().getFirst()));
    }
  }

  private static String token(Recorded request) {
    return request.json().path("clientRequestToken").asText();
  }

  @ParameterizedTest
  @EnumSource
  void descriptor_sendsOneCreate_once(Misbehaviour misbehaviour) throws Exception {
    AwsCredentials credentials = AwsBasicCredentials.create(ACCESS, SECRET);
    assertThat(misbehaviour.sends(ANSWER, server -> described(server, credentials).create(PARAMS)))
        .isEqualTo(1);
  }

  private static void assertSignedAlike(Recorded own, Recorded sdk)
      throws GeneralSecurityException {
    SigV4 ours = SigV4.of(own);
    SigV4 theirs = SigV4.of(sdk);
    assertThat(theirs.expected(sdk, SECRET)).isEqualTo(theirs.signature());
    assertThat(ours.expected(own, SECRET)).isEqualTo(ours.signature());
    assertThat(ours.accessKey()).isEqualTo(theirs.accessKey());
    assertThat(withoutDate(ours.scope()))
        .isEqualTo(withoutDate(theirs.scope()))
        .isEqualTo("us-east-1/bedrock/aws4_request");
    // what its documentation asks for; the SDK signs its trace of the call and the length besides
    assertThat(ours.signedHeaders()).isEqualTo(toBeSigned(own));
    assertThat(theirs.signedHeaders()).containsAll(toBeSigned(sdk));
  }

  private static List<String> toBeSigned(Recorded request) {
    return request.headers().keySet().stream()
        .filter(
            name -> name.equals("host") || name.equals("content-type") || name.startsWith("x-amz-"))
        .sorted()
        .toList();
  }

  private static String withoutDate(String scope) {
    return scope.substring(scope.indexOf('/') + 1);
  }

  private Recorded own(AwsCredentials credentials) {
    try (Recorder server = Recorder.answering(200, ANSWER);
        Described described = described(server, credentials)) {
      assertThat(described.accepted(PARAMS)).isEqualTo(ARN);
      return server.only();
    }
  }

  private static Recorded sdk(AwsCredentials credentials) {
    try (Recorder server = Recorder.answering(200, ANSWER);
        BedrockRuntimeClient client = client(server, credentials)) {
      assertThat(client.startAsyncInvoke(start().build()).invocationArn()).isEqualTo(ARN);
      return server.only();
    }
  }

  private Described described(Recorder server, AwsCredentials credentials) {
    Map<String, String> secrets = new HashMap<>();
    secrets.put("access-key-id", credentials.accessKeyId());
    secrets.put("secret-access-key", credentials.secretAccessKey());
    if (credentials instanceof AwsSessionCredentials temporary) {
      secrets.put("session-token", temporary.sessionToken());
    }
    return Described.open(
        "aws-bedrock", server.at(""), folder, secrets, Map.of("settings.region", "us-east-1"));
  }

  private static BedrockRuntimeClient client(Recorder server, AwsCredentials credentials) {
    return BedrockRuntimeClient.builder()
        .endpointOverride(server.at(""))
        .region(Region.US_EAST_1)
        .credentialsProvider(StaticCredentialsProvider.create(credentials))
        // 30 s by default, and more would only take longer
        .httpClientBuilder(Apache5HttpClient.builder().socketTimeout(Duration.ofSeconds(2)))
        .build();
  }

  private static StartAsyncInvokeRequest.Builder start() {
    Document input =
        Document.mapBuilder()
            .putString("taskType", "TEXT_VIDEO")
            .putMap("textToVideoParams", text -> text.putString("text", "a boat — at dusk"))
            .putMap(
                "videoGenerationConfig",
                video ->
                    video
                        .putNumber("durationSeconds", 6)
                        .putNumber("fps", 24)
                        .putString("dimension", "1280x720")
                        .putNumber("seed", 7))
            .build();
    String place = "s3://example-bucket/videos/" + Described.KEY + "/";
    return StartAsyncInvokeRequest.builder()
        .clientRequestToken(Described.KEY)
        .modelId("amazon.nova-reel-v1:1")
        .modelInput(input)
        .outputDataConfig(output -> output.s3OutputDataConfig(s3 -> s3.s3Uri(place)));
  }
}
