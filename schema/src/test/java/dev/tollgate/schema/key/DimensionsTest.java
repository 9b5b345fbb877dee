package dev.tollgate.schema.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.RefusedException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DimensionsTest {
  @Test
  void components_areCanonical() {
    Dimensions dimensions =
        Dimensions.of("video")
            .product(" p-100 ")
            .locale("EN_us")
            .aspectRatio("32 : 18")
            .variant("cafe\u0301")
            .extra("season", " winter")
            .extra("voice", null)
            .build();
    assertThat(dimensions.product()).isEqualTo("p-100");
    assertThat(dimensions.locale()).isEqualTo("en-US");
    assertThat(dimensions.aspectRatio()).isEqualTo("16:9");
    assertThat(dimensions.variant()).isEqualTo("caf\u00e9");
    assertThat(dimensions.generation()).isEqualTo(1);
    assertThat(dimensions.extra()).isEqualTo(Map.of("season", "winter"));
  }

  @Test
  void fc53_emptyText_isRefusedByName() {
    assertThatThrownBy(() -> Dimensions.of("video").variant("").build())
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("variant is empty");
  }

  @Test
  void textLength_countsCodePoints() {
    String longest = "\uD83D\uDE00".repeat(DimensionText.LENGTH_MAX);
    assertThat(Dimensions.of("video").product(longest).build().product()).isEqualTo(longest);
    assertThatThrownBy(() -> Dimensions.of("video").product(longest + "x").build())
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("product is longer");
  }

  @Test
  void extraDimensions_haveALimit() {
    DimensionsBuilder builder = Dimensions.of("video");
    for (int i = 0; i < Dimensions.EXTRA_MAX; i++) {
      builder.extra("d" + i, "x");
    }
    assertThat(builder.build().extra()).hasSize(Dimensions.EXTRA_MAX);
    assertThatThrownBy(() -> builder.extra("more", "x").build())
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void params_doNotShowInText() {
    assertThat(Params.parse("{\"prompt\":\"secret\"}")).hasToString("Params[19 characters]");
  }

  @Test
  void provider_thatIsNoName_isRefused() {
    for (String name : new String[] {"", "A", "1a", "a_b", "a\n", "a".repeat(33)}) {
      assertThat(ProviderName.isValid(name)).as(name).isFalse();
    }
    assertThat(ProviderName.check("a".repeat(32))).hasSize(32);
  }
}
