package dev.tollgate.worker.provider.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventStreamParserTest {
  private final List<String> events = new ArrayList<>();

  private EventStreamParser parser(int max) {
    return new EventStreamParser(
        max,
        (_, data) -> {
          events.add(new String(data, StandardCharsets.UTF_8));
          return true;
        });
  }

  private List<String> read(String text, int piece) throws EventStreamParser.TooLong {
    events.clear();
    EventStreamParser parser = parser(1000);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int from = 0; from < bytes.length; from += piece) {
      parser.feed(bytes, from, Math.min(piece, bytes.length - from));
    }
    return List.copyOf(events);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void fc81_events_areTheSameInWhateverPiecesTheyCome(String end) throws Exception {
    String text =
        ": sign of life|event: x|data: {\"a\":\"caf\u00e9 \ud83d\ude00\"}|id: 7||data:one|data: two|data|data:  three||"
            .replace("|", end);
    for (int piece = 1; piece <= text.length(); piece++) {
      assertThat(read(text, piece))
          .as("pieces of %d", piece)
          .containsExactly("{\"a\":\"caf\u00e9 \ud83d\ude00\"}", "one\ntwo\n\n three");
    }
  }

  @Test
  void byteOrderMark_isNoPartOfTheFirstLine() throws Exception {
    assertThat(read("\ufeffdata: a\n\ndata: \ufeffb\n\n", 1)).containsExactly("a", "\ufeffb");
  }

  @Test
  void otherFields_carryNothing() throws Exception {
    assertThat(read("dat: a\ndata2: b\nretry: 3\n: data: c\n data: d\n\ndata:e\n\n", 3))
        .containsExactly("e");
  }

  @Test
  void names_belongToTheirEventAlone() throws Exception {
    List<String> names = new ArrayList<>();
    EventStreamParser parser =
        new EventStreamParser(
            100,
            (name, _) -> {
              names.add(name);
              return true;
            });
    byte[] text =
        "event: a\n\ndata: 1\n\nevent:error\ndata: 2\n\ndata: 3\n\n"
            .getBytes(StandardCharsets.UTF_8);
    parser.feed(text, 0, text.length);
    assertThat(names).containsExactly("message", "error", "message");
  }

  @Test
  void emptyData_isAnEvent() throws Exception {
    assertThat(read("data:\n\n\n\ndata\n\n", 1)).containsExactly("", "");
  }

  @Test
  void end_wholeLinesCount_aCutLineDoesNot() throws Exception {
    EventStreamParser parser = parser(100);
    byte[] text = "data: [DONE]\ndata: cu".getBytes(StandardCharsets.UTF_8);
    parser.feed(text, 0, text.length);
    assertThat(events).isEmpty();
    parser.end();
    assertThat(events).containsExactly("[DONE]");
    EventStreamParser cut = parser(100);
    cut.feed(text, 0, 7);
    cut.end();
    assertThat(events).hasSize(1);
  }

  @Test
  void tooLong_inOneLineOrMany_isRefused() {
    byte[] line = ("data: " + "x".repeat(200)).getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> parser(100).feed(line, 0, line.length))
        .isInstanceOf(EventStreamParser.TooLong.class);
    byte[] lines = "data: 0123456789\n".repeat(20).getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> parser(100).feed(lines, 0, lines.length))
        .isInstanceOf(EventStreamParser.TooLong.class);
  }

  @Test
  void reader_whoWantsNoMore_getsNoMore() throws Exception {
    EventStreamParser parser =
        new EventStreamParser(
            100,
            (_, data) -> {
              events.add(new String(data, StandardCharsets.UTF_8));
              return false;
            });
    byte[] text = "data: a\n\ndata: b\n\n".getBytes(StandardCharsets.UTF_8);
    assertThat(parser.feed(text, 0, text.length)).isFalse();
    assertThat(events).containsExactly("a");
  }
}
