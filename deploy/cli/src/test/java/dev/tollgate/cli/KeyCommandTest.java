package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.event.EventLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeyCommandTest {
  private static final String GOOD =
      "{\"kind\":\"video\",\"product\":\"p-1\",\"provider\":\"keyed\",\"params\":{\"prompt\":\"x\"}}";
  private static final String KEY = "video:[0-9a-f]{64}";

  @TempDir Path folder;

  @Test
  void goodLines_printOneKeyEach_sameForSameDimensions() throws IOException {
    Typed typed = key(GOOD + "\n\r\n" + GOOD.replace("\"x\"", "\"y\"") + "\r\n");
    assertThat(typed.code()).isZero();
    assertThat(typed.outLines()).hasSize(2).allMatch(line -> line.matches(KEY));
    assertThat(typed.outLines().get(0)).isEqualTo(typed.outLines().get(1));
    assertThat(typed.err()).isEmpty();
  }

  @Test
  void refusedLines_areNamedByTheirNumber_andTheOthersStillPrinted() throws IOException {
    Typed typed = key("nonsense\n\n" + GOOD + "\n{}\n");
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.outLines()).hasSize(1);
    assertThat(typed.errLines()).hasSize(2);
    assertThat(typed.errLines().get(0)).startsWith("line 1: INVALID_EVENT: ");
    assertThat(typed.errLines().get(1)).startsWith("line 4: INVALID_EVENT: ");
  }

  @Test
  void lineThatIsNotUtf8_isRefused_notRepaired() throws IOException {
    byte[] bytes = GOOD.replace('x', '\u00e9').getBytes(StandardCharsets.ISO_8859_1);
    Path file = folder.resolve("latin1");
    Files.write(file, bytes);
    Typed typed = Typed.type("key", file.toString());
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.err())
        .isEqualToIgnoringNewLines("line 1: INVALID_EVENT: the line is not UTF-8");
  }

  @Test
  void byteOrderMark_isNoPartOfTheFirstLine() throws IOException {
    assertThat(key("\uFEFF" + GOOD).out()).isEqualTo(key(GOOD).out());
  }

  @Test
  void lineBeyondTheLimit_isRefused_andTheNextStillRead() throws IOException {
    Typed typed = key("x".repeat(EventLimits.VALUE_BYTES_MAX + 1) + "\n" + GOOD);
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.outLines()).hasSize(1);
    assertThat(typed.err()).startsWith("line 1: INVALID_EVENT: the line has 1048577 bytes");
  }

  @Test
  void emptyFile_isNoFailure() throws IOException {
    Typed typed = key("");
    assertThat(typed).isEqualTo(new Typed(0, "", ""));
  }

  @Test
  void examples_areGoodRequestsOverAllProviders_oneOfThemLosesItsAnswer() throws IOException {
    Path examples = Path.of("..", "examples", "requests.jsonl");
    Typed typed = Typed.type("key", examples.toString());
    assertThat(typed.err()).isEmpty();
    assertThat(typed.code()).isZero();
    assertThat(typed.outLines()).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(5);
    Path text = Path.of("..", "examples", "text.jsonl");
    assertThat(Typed.type("key", text.toString()).outLines()).hasSize(2);
    assertThat(Files.readString(text)).contains("\"text\"", "accept/cut");
    assertThat(Files.readString(examples))
        .contains("\"keyed\"", "\"lookup\"", "\"listed\"", "\"blind\"", "accept/drop");
  }

  private Typed key(String text) throws IOException {
    Path file = folder.resolve("requests.jsonl");
    Files.writeString(file, text);
    return Typed.type("key", file.toString());
  }
}
