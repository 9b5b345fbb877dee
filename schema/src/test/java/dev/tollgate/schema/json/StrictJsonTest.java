package dev.tollgate.schema.json;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.RefusedException;
import java.util.HexFormat;
import java.util.Random;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StrictJsonTest {
  private static final long SEED = 8785;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "efbbbf7b7d", // byte order mark
        "c080", // overlong NUL
        "22eda080ededb08022", // surrogates encoded one by one
        "22ff22",
        "22c3",
        "fffe00",
        "7b0022006100220000",
      })
  void read_bytesThatAreNotPlainUtf8Json_areRefused(String hex) {
    assertRefused(HexFormat.of().parseHex(hex));
  }

  @Test
  void read_utf16_isNotGuessed() {
    assertRefused("{\"a\":1}".getBytes(UTF_16LE));
  }

  @Test
  void read_realReplacementCharacter_isText() {
    assertThat(StrictJson.verbatim().read("\"\uFFFD\"".getBytes(UTF_8)))
        .isEqualTo(new Json.Text("\uFFFD"));
  }

  @Test
  void read_nesting_upToTheLimit() {
    int max = JsonLimits.NESTING_MAX;
    assertThat(StrictJson.verbatim().read("[".repeat(max) + "]".repeat(max)).canonical())
        .hasSize(2 * max);
    assertRefused(("[".repeat(max + 1) + "]".repeat(max + 1)).getBytes(UTF_8));
    assertRefused("[".repeat(100_000).getBytes(UTF_8));
    assertRefused("{\"a\":".repeat(100_000).getBytes(UTF_8));
  }

  @Test
  void read_stringLength_upToTheLimit() {
    String longest = "x".repeat(JsonLimits.STRING_CHARS_MAX);
    assertThat(StrictJson.verbatim().read('"' + longest + '"')).isEqualTo(new Json.Text(longest));
    assertRefused(('"' + longest + "x\"").getBytes(UTF_8));
  }

  @Test
  void read_nameLength_upToTheLimit() {
    String longest = "x".repeat(JsonLimits.NAME_CHARS_MAX);
    assertThat(StrictJson.verbatim().read("{\"" + longest + "\":1}")).isInstanceOf(Json.Obj.class);
    assertRefused(("{\"" + longest + "x\":1}").getBytes(UTF_8));
  }

  @Test
  void read_numberLength_upToTheLimit() {
    String longest = "1." + "0".repeat(JsonLimits.NUMBER_CHARS_MAX - 2);
    assertThat(StrictJson.verbatim().read("[" + longest + "]").canonical()).isEqualTo("[1]");
    assertRefused(("[" + "1".repeat(JsonLimits.NUMBER_CHARS_MAX + 1) + "]").getBytes(UTF_8));
    assertRefused(("[" + "1".repeat(1_000_000) + "]").getBytes(UTF_8));
  }

  @Test
  void read_documentLength_upToTheLimit() {
    byte[] value = ("1" + " ".repeat(JsonLimits.DOCUMENT_BYTES_MAX - 1)).getBytes(UTF_8);
    assertThat(StrictJson.verbatim().read(value).canonical()).isEqualTo("1");
    assertRefused(("1" + " ".repeat(JsonLimits.DOCUMENT_BYTES_MAX)).getBytes(UTF_8));
  }

  @Test
  void read_verbatim_keepsNfdAndTwins() {
    assertThat(StrictJson.verbatim().read("{\"e\u0301\":1,\"\u00e9\":2}").canonical())
        .isEqualTo("{\"e\u0301\":1,\"\u00e9\":2}");
  }

  @Test
  void refusal_doesNotRepeatTheDocument() {
    assertThatThrownBy(() -> StrictJson.normalising().read("{\"prompt\":secret kite}"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("line 1 column")
        .hasMessageNotContaining("secret");
  }

  /** A second implementation judges the form of whole documents. */
  @Test
  void canonical_ofRandomDocuments_isThatOfTheReferenceLibrary() throws Exception {
    Random random = new Random(SEED);
    for (int i = 0; i < 2_000; i++) {
      String text = new RandomJson(random).object();
      assertThat(StrictJson.verbatim().read(text).canonical())
          .as("seed %d, document %d: %s", SEED, i, text)
          .isEqualTo(new JsonCanonicalizer(text).getEncodedString());
    }
  }

  private static void assertRefused(byte[] value) {
    assertThatThrownBy(() -> StrictJson.normalising().read(value))
        .isInstanceOf(RefusedException.class);
  }
}
