package dev.tollgate.schema.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.event.ChunkEvent;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.schema.store.Fixture;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over real sockets that are cut at any byte. */
final class StreamReaderTest {
  private static final OperationKey KEY = Fixture.key(1);
  private static final StreamReader.Patience SHORT =
      new StreamReader.Patience(
          Duration.ofMillis(500), Duration.ofMillis(5), Duration.ofMillis(20), 200);
  private static final String END =
      "event: end\nid: end\ndata: {\"state\":\"complete\",\"reason\":\"OUTPUT_STORED\"}\n\n";

  private final List<StreamedChunk> got = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  private final StreamListener listener =
      new StreamListener() {
        @Override
        public void chunk(StreamedChunk chunk) {
          got.add(chunk);
        }

        @Override
        public void waiting(String state, @Nullable String reason, @Nullable String review) {
          told.add(state + " " + reason + " " + review);
        }
      };

  private StreamEnd read(URI address) throws InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return new StreamReader(http, SHORT).read(address, listener);
    }
  }

  private StreamEnd read(SaidStream said) throws InterruptedException {
    return read(URI.create("http://127.0.0.1:" + said.port() + "/"));
  }

  private static String event(int offset, @Nullable String text, String data, @Nullable End end) {
    Chunk chunk =
        new Chunk(
            offset, null, text == null ? null : text.getBytes(UTF_8), data.getBytes(UTF_8), end);
    return "id: %d\ndata: %s\n\n".formatted(offset, ChunkEvent.body(KEY, chunk));
  }

  private static String data(int offset) {
    return "{\"n\":%d,\"s\":\"%s\"}".formatted(offset, "é\\\"]}".repeat(offset % 7));
  }

  private static List<String> events(int chunks) {
    List<String> events = new ArrayList<>();
    for (int n = 0; n < chunks; n++) {
      events.add(event(n, "\"" + n + " \"", data(n), n == chunks - 1 ? End.SUCCEEDED : null));
    }
    events.add(END);
    return events;
  }

  private void hasAll(int chunks) {
    assertThat(got)
        .extracting(StreamedChunk::offset)
        .isEqualTo(IntStream.range(0, chunks).boxed().toList());
    for (StreamedChunk chunk : got) {
      assertThat(new String(chunk.data(), UTF_8)).isEqualTo(data(chunk.offset()));
      assertThat(chunk.text()).isEqualTo(chunk.offset() + " ");
    }
  }

  @Test
  void stream_isReadToItsEnd() throws InterruptedException {
    try (SaidStream said = new SaidStream(events(30), 0)) {
      assertThat(read(said)).isEqualTo(new StreamEnd("complete", "OUTPUT_STORED", 30));
      hasAll(30);
      assertThat(got.getLast().end()).isEqualTo("succeeded");
      assertThat(got.getFirst().end()).isNull();
    }
  }

  @Test
  void read_fromALaterChunk_asksFromThere() throws InterruptedException {
    try (SaidStream said = new SaidStream(events(30), 2);
        HttpClient http = HttpClient.newHttpClient()) {
      URI address = URI.create("http://127.0.0.1:" + said.port() + "/");
      new StreamReader(http, SHORT).read(address, 10, listener);
      assertThat(said.asked()).containsExactly("9");
      assertThat(got).extracting(StreamedChunk::offset).startsWith(10).hasSize(20);
    }
  }

  @ParameterizedTest(name = "seed {0}, {1} repeats")
  @CsvSource({"1, 0", "2, 0", "3, 3", "4, 50", "5, 1"})
  void cutAtRandomBytes_eachChunkComesOnceAndInOrder(long seed, int repeats)
      throws InterruptedException {
    Random random = new Random(seed);
    try (SaidStream said = new SaidStream(events(200), repeats);
        CuttingProxy proxy =
            new CuttingProxy(said.port(), () -> 1 + random.nextLong(300 * (repeats + 4L)))) {
      StreamEnd end = read(proxy.address("/"));
      assertThat(end.chunks()).isEqualTo(200);
      hasAll(200);
      assertThat(proxy.cuts()).as("cuts").isGreaterThan(3);
    }
  }

  /** Every byte at which one stream can be cut. */
  @Test
  void cutAtEachByte_nothingIsLostOrTwice() throws InterruptedException {
    List<String> events = events(3);
    int bytes = String.join("", events).getBytes(UTF_8).length + 80;
    for (int after = 1; after < bytes; after += 3) {
      got.clear();
      int cut = after;
      boolean[] first = {true};
      try (SaidStream said = new SaidStream(events, 0);
          CuttingProxy proxy =
              new CuttingProxy(
                  said.port(),
                  () -> {
                    long limit = first[0] ? cut : CuttingProxy.NEVER;
                    first[0] = false;
                    return limit;
                  })) {
        read(proxy.address("/"));
      }
      hasAll(3);
    }
  }

  /**
   * Numbers that no double holds, U+0000, half surrogates, blanks: none is parsed and rewritten.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\": 1.50e3, \"b\":12345678901234567890123, \"c\":[ -0.0 ,{}]}",
        "\"\\u0000 \\ud83d \\\\\"",
        "\"[DONE]\"",
        "null",
        "-1.0E+2",
        "true",
        "[]",
        "{\"data\":{\"data\":\"}\"},\"offset\":7}"
      })
  void data_isPassedByteForByte(String data) throws InterruptedException {
    List<String> events = List.of(event(0, "\"\\ud83d\"", data, null), END);
    try (SaidStream said = new SaidStream(events, 0)) {
      read(said);
    }
    assertThat(new String(got.getFirst().data(), UTF_8)).isEqualTo(data);
    assertThat(got.getFirst().text()).isEqualTo("\ud83d");
  }

  @Test
  void textDividedInAPair_isWholeWhenPutTogether() throws InterruptedException {
    List<String> events =
        List.of(
            event(0, "\"a\\ud83d\"", "1", null),
            event(1, null, "2", null),
            event(2, "\"\\ude00\\u0000\"", "3", null),
            END);
    try (SaidStream said = new SaidStream(events, 0)) {
      read(said);
    }
    StringBuilder text = new StringBuilder();
    got.forEach(chunk -> text.append(chunk.text() == null ? "" : chunk.text()));
    assertThat(text.toString()).isEqualTo("a\ud83d\ude00\u0000");
  }

  @Test
  void waiting_isTold_andWhatIsUnknownIsLeftOut() throws InterruptedException {
    List<String> events =
        List.of(
            """
            : a comment
            retry: 1000

            event: later
            data: {}

            event: waiting
            data: {"state":"accepted",
            data: "reason":null,"review":"STREAM_CUT"}

            """
                .replace("\n", "\r\n"),
            END);
    try (SaidStream said = new SaidStream(events, 0)) {
      read(said);
    }
    assertThat(told).containsExactly("accepted null STREAM_CUT");
  }

  @Test
  void gap_isAnError() {
    List<String> events = List.of(event(0, null, "1", null), event(2, null, "1", null), END);
    try (SaidStream said = new SaidStream(events, 0)) {
      assertThatThrownBy(() -> read(said))
          .isInstanceOf(ClientException.NoStream.class)
          .hasMessage("the stream has a gap: chunk 2 came where 1 is next");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id: 0\ndata: {\"offset\":1,\"data\":1}\n\n",
        "data: {\"offset\":0,\"data\":1}\n\n",
        "id: 0\ndata: {\"offset\":0}\n\n",
        "id: 0\ndata: {\"offset\":0,\"data\":\n\n",
        "id: 0\ndata: hello\n\n",
        "id: 99999999999\ndata: {\"offset\":99999999999,\"data\":1}\n\n"
      })
  void whatIsNoStream_isAnError(String event) {
    try (SaidStream said = new SaidStream(List.of(event), 0)) {
      assertThatThrownBy(() -> read(said)).isInstanceOf(ClientException.NoStream.class);
      assertThat(got).isEmpty();
    }
  }

  @Test
  void noSuchStream_isAnErrorAtOnce() {
    try (SaidStream said = new SaidStream(events(3), 0)) {
      said.refuse("404 Not Found");
      assertThatThrownBy(() -> read(said))
          .isInstanceOf(ClientException.NoStream.class)
          .hasMessage("there is no stream at this address");
      assertThat(said.asked()).hasSize(1);
    }
  }

  @Test
  void serverThatIsAway_isTriedAgain_andGivenUpAfterSoManyTries() throws InterruptedException {
    try (SaidStream said = new SaidStream(events(3), 0)) {
      said.refuse("503 Unavailable", "500 Oops", "429 Slow", "503 Unavailable");
      read(said);
      hasAll(3);
      assertThat(said.asked()).hasSize(5);
    }
    StreamReader.Patience three =
        new StreamReader.Patience(
            Duration.ofMillis(500), Duration.ofMillis(1), Duration.ofMillis(2), 3);
    try (SaidStream said = new SaidStream(events(3), 0);
        HttpClient http = HttpClient.newHttpClient()) {
      said.refuse("503 1", "503 2", "503 3", "503 4", "503 5");
      URI address = URI.create("http://127.0.0.1:" + said.port() + "/");
      assertThatThrownBy(() -> new StreamReader(http, three).read(address, listener))
          .isInstanceOf(ClientException.Unreachable.class)
          .hasMessageContaining("503");
      assertThat(said.asked()).hasSize(4);
    }
  }

  /** No FIN and no bytes: only the time tells. */
  @Test
  void connectionThatDiesSilently_isMadeAgain() throws InterruptedException {
    try (SaidStream said = new SaidStream(events(3), 0)) {
      said.hang();
      read(said);
      hasAll(3);
      assertThat(said.asked()).hasSize(2);
    }
  }

  @Test
  void listenerThatThrows_endsTheReading() {
    try (SaidStream said = new SaidStream(events(3), 0);
        HttpClient http = HttpClient.newHttpClient()) {
      URI address = URI.create("http://127.0.0.1:" + said.port() + "/");
      assertThatThrownBy(
              () ->
                  new StreamReader(http, SHORT)
                      .read(
                          address,
                          _ -> {
                            throw new IllegalArgumentException("mine");
                          }))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("mine");
    }
  }
}
