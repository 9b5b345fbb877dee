package dev.tollgate.worker.provider.described;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tollgate.worker.provider.AnswerReading.Form;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartialJsonTest {
  private static final String WHOLE =
      "{\"a\":{\"id\":\"t-1\",\"n\":1234,\"l\":[1,{\"x\":true},22]},\"b\":1.50,\"c\":null}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}          | OBJECT
          {"a":1}     | OBJECT
          {"a":1} x   | BROKEN_OBJECT
          {"a":1}{}   | BROKEN_OBJECT
          {"a":       | BROKEN_OBJECT
          [1]         | OTHER_JSON
          null        | OTHER_JSON
          <html>      | NOT_JSON
          ``          | EMPTY
          """)
  void form(String text, Form form) {
    assertThat(read(text).form()).isEqualTo(form);
  }

  /** Whatever is there after a cut is there in the whole as well, with the same value. */
  @Test
  void cutAtEveryByte_showsNothingThatTheWholeDoesNot() throws Exception {
    var whole = new ObjectMapper().readTree(WHOLE);
    for (int n = 0; n < WHOLE.length(); n++) {
      var cut = read(WHOLE.substring(0, n)).root();
      assertThat(cut.at("/a/n").isMissingNode() || cut.at("/a/n").equals(whole.at("/a/n")))
          .as("a.n after %d: %s", n, cut)
          .isTrue();
      assertThat(cut.at("/a/l/2").isMissingNode() || cut.at("/a/l/2").equals(whole.at("/a/l/2")))
          .as("a.l[2] after %d: %s", n, cut)
          .isTrue();
      boolean idWhole = n >= WHOLE.indexOf("t-1") + 4;
      assertThat(cut.at("/a/id").asText("").equals("t-1"))
          .as("a.id after %d", n)
          .isEqualTo(idWhole);
    }
  }

  @Test
  void nameTwice_isToldIfItsValuesDiffer() {
    assertThat(read("{\"id\":\"a\",\"id\":\"a\"}").twice()).isEmpty();
    assertThat(read("{\"id\":\"a\",\"id\":\"b\"}").twice()).contains("id");
    assertThat(read("{\"x\":{\"id\":1,\"id\":2}}").twice()).contains("id");
    assertThat(PartialJson.whole(utf8("{\"id\":1,\"id\":2}"))).isEmpty();
  }

  @Test
  void depthBeyondTheBound_isBroken() {
    assertThat(read("{\"id\":\"a\",\"x\":" + "[".repeat(5000) + "]".repeat(5000) + "}").form())
        .isEqualTo(Form.BROKEN_OBJECT);
  }

  @Test
  void numbers_keepTheirDigits() {
    var root =
        read("{\"n\":12345678901234567890123,\"d\":0.1000000000000000055511151231257827}").root();
    assertThat(root.path("n").asText()).isEqualTo("12345678901234567890123");
    assertThat(root.path("d").decimalValue().toPlainString())
        .isEqualTo("0.1000000000000000055511151231257827");
  }

  private static PartialJson read(String text) {
    return PartialJson.read(utf8(text));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
