package dev.tollgate.oracles;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.images.ImageGenerateParams;
import com.openai.models.images.ImageModel;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * FC-41: how many images {@code com.openai:openai-java} asks for when one is wanted. There is no
 * descriptor to compare with: an image is its request's answer and cannot be asked for later.
 */
final class OpenAiResendsIT {
  private static final String ANSWER =
      "{\"created\": 1, \"data\": [{\"url\": \"https://media.example.com/1.png\"}]}";

  /** Two resends, whatever it was; the HTTP client below is told to add none of its own. */
  @ParameterizedTest
  @CsvSource({"CLOSES, 3", "CLOSES_KEPT, 3", "SAYS_500, 3", "SAYS_429, 3", "IS_SILENT, 3"})
  void fc41_sdk_sendsOneCreate_thisOften(Misbehaviour misbehaviour, int times) throws Exception {
    assertThat(
            misbehaviour.sends(
                ANSWER,
                server -> {
                  OpenAIClient client = client(server);
                  return () -> client.images().generate(boat());
                }))
        .isEqualTo(times);
  }

  /** Each is a request of its own to the service. */
  @Test
  void fc41_resends_carryNothingThatMakesThemOne() {
    try (Recorder server = Misbehaviour.SAYS_500.serve(ANSWER)) {
      OpenAIClient client = client(server);
      assertThat(Misbehaviour.answered(() -> client.images().generate(boat()))).isFalse();
      assertThat(server.requests())
          .hasSize(3)
          .allSatisfy(request -> assertThat(request.header("idempotency-key")).isEmpty())
          .extracting(request -> request.header("x-stainless-retry-count"))
          .containsExactly("0", "1", "2");
    }
  }

  private static OpenAIClient client(Recorder server) {
    return OpenAIOkHttpClient.builder()
        .apiKey("sk-0123456789")
        .baseUrl(server.at("/v1").toString())
        // 10 minutes by default, and more would only take longer
        .timeout(Duration.ofSeconds(2))
        .build();
  }

  private static ImageGenerateParams boat() {
    return ImageGenerateParams.builder().prompt("a boat").model(ImageModel.DALL_E_3).build();
  }
}
