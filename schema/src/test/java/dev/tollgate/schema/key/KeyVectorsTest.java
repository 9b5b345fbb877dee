package dev.tollgate.schema.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Json;
import dev.tollgate.schema.json.StrictJson;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Runs {@code keys.json}: its expected values were computed by another program. */
final class KeyVectorsTest {
  static Stream<Arguments> vectors() {
    return Vectors.of("keys.json", "vectors");
  }

  static Stream<Arguments> pairs() {
    return Vectors.of("keys.json", "pairs");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void vector(String name, JsonNode vector) {
    String input = vector.get("input").asString();
    if (vector.has("refused")) {
      RefusedException refused =
          catchThrowableOfType(RefusedException.class, () -> dimensions(input));
      assertThat(refused).as(name).isNotNull();
      assertThat(refused.code().name()).isEqualTo(vector.get("refused").asString());
      return;
    }
    Dimensions dimensions = dimensions(input);
    assertThat(dimensions.canonicalJson()).isEqualTo(vector.get("canonical").asString());
    assertThat(dimensions.operationKey()).hasToString(vector.get("key").asString());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pairs")
  void pair(String name, JsonNode pair) {
    Dimensions a = dimensions(pair.get("a").asString());
    Dimensions b = dimensions(pair.get("b").asString());
    boolean same = pair.get("keys").asString().equals("SAME");
    assertThat(a.operationKey().equals(b.operationKey())).as(name).isEqualTo(same);
    assertThat(a.equals(b)).as(name).isEqualTo(same);
  }

  private static Dimensions dimensions(String json) {
    return switch (StrictJson.normalising().read(json)) {
      case Json.Obj fields -> Dimensions.fromJson(fields);
      case Json other -> throw RefusedException.invalid("this is " + other.typeName());
    };
  }
}
