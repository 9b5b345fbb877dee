package dev.tollgate.schema.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tollgate.schema.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Runs {@code request-hashes.json}: its expected values were computed by another program. */
final class RequestHashVectorsTest {
  static Stream<Arguments> vectors() {
    return Vectors.of("request-hashes.json", "vectors");
  }

  static Stream<Arguments> pairs() {
    return Vectors.of("request-hashes.json", "pairs");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void vector(String name, JsonNode vector) {
    String text = vector.get("params").asString();
    if (vector.has("refused")) {
      RefusedException refused =
          catchThrowableOfType(RefusedException.class, () -> Params.parse(text));
      assertThat(refused).as(name).isNotNull();
      assertThat(refused.code().name()).isEqualTo(vector.get("refused").asString());
      return;
    }
    String provider = vector.get("provider").asString();
    Params params = Params.parse(text);
    assertThat(RequestHash.canonicalJson(provider, params))
        .isEqualTo(vector.get("canonical").asString());
    assertThat(RequestHash.of(provider, params)).hasToString(vector.get("hash").asString());
    assertThat(Params.fromBytes(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(params);
    assertThat(Params.fromBytes(params.bytes())).as("canonical stays canonical").isEqualTo(params);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pairs")
  void pair(String name, JsonNode pair) {
    boolean same = pair.get("hashes").asString().equals("SAME");
    assertThat(hash(pair.get("a")).equals(hash(pair.get("b")))).as(name).isEqualTo(same);
  }

  private static RequestHash hash(JsonNode request) {
    return RequestHash.of(
        request.get("provider").asString(), Params.parse(request.get("params").asString()));
  }
}
