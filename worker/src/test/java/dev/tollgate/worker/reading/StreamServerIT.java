package dev.tollgate.worker.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.StreamsConfig;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Stream;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.ScriptedChunks;
import dev.tollgate.schema.store.StoreFailures;
import dev.tollgate.schema.store.TestStreams;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams over real sockets, from a real database. */
final class StreamServerIT {
  private static final OperationKey NOBODYS = Fixture.key(1_000_000);

  private static TestStreams streams;
  private static byte[] secret;
  private static int last;

  private Watched chunks;
  private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
  private final AtomicInteger sent = new AtomicInteger();
  private StreamServer server;

  /** Counts questions, and is away now and then. */
  private static final class Watched extends ScriptedChunks {
    private final AtomicBoolean away = new AtomicBoolean();
    private final ConcurrentLinkedQueue<Integer> asked = new ConcurrentLinkedQueue<>();

    Watched(Chunks real) {
      super(real);
    }

    @Override
    public Optional<Long> place(OperationKey key) {
      if (away.get()) {
        throw StoreFailures.unavailable();
      }
      return super.place(key);
    }

    @Override
    public List<Page> pages(List<Wanted> wanted, int most) {
      asked.add(wanted.size());
      if (away.get()) {
        throw StoreFailures.unavailable();
      }
      return super.pages(wanted, most);
    }
  }

  @BeforeAll
  static void open() {
    streams = TestStreams.open(StreamServerIT.class);
    secret = streams.secret();
  }

  @AfterAll
  static void close() {
    streams.close();
  }

  @BeforeEach
  void start() {
    chunks = new Watched(streams.chunks());
    server = server(chunks, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private StreamServer server(Chunks of, Map<String, String> further) {
    Map<String, String> settings = new HashMap<>();
    settings.put("tollgate.kafka.bootstrap-servers", "unused:9092");
    settings.put("tollgate.database.url", "jdbc:postgresql://unused/unused");
    settings.put("tollgate.streams.port", "0");
    settings.put("tollgate.streams.look-every", "20ms");
    settings.putAll(further);
    StreamsConfig config = ConfigFile.read(Optional.empty(), settings).streams();
    StreamServer started =
        new StreamServer(
            config,
            secret,
            of,
            System::nanoTime,
            new ReadingListener() {
              @Override
              public void answered(String result) {
                heard.add(result);
              }

              @Override
              public void closed(String why) {
                heard.add(why);
              }

              @Override
              public void chunks(int some) {
                sent.addAndGet(some);
              }
            });
    started.start();
    return started;
  }

  private static Stream stream() {
    return streams.accepted(++last);
  }

  private static String path(OperationKey key) {
    return StreamAddress.of(secret, key).path();
  }

  private Listening read(Stream stream, String lines) {
    return new Listening(server.port(), "GET", path(stream.key()), lines);
  }

  private static List<String> ids(int from, int to) {
    List<String> ids = new ArrayList<>();
    IntStream.range(from, to).forEach(n -> ids.add("" + n));
    ids.add("end");
    return ids;
  }

  @Test
  void stream_isReplayedAndGoesOnLive_eachOffsetOnce_untilItsEnd() {
    Stream stream = stream();
    streams.append(stream, TestStreams.some(0, 250));
    try (Listening reader = read(stream, "")) {
      assertThat(reader.status()).isEqualTo(200);
      assertThat(reader.event()).containsExactly("retry: 1000");
      for (int n = 0; n < 250; n++) {
        assertThat(reader.event())
            .containsExactly(
                "id: " + n,
                "data: {\"key\":\"%s\",\"offset\":%d,\"text\":\"<%d>\",\"data\":{\"n\":%d}}"
                    .formatted(stream.key(), n, n, n));
      }
      for (int n = 250; n < 260; n++) {
        streams.append(stream, TestStreams.some(n, n + 1));
        assertThat(reader.event().getFirst()).isEqualTo("id: " + n);
      }
      streams.complete(stream);
      assertThat(reader.event())
          .containsExactly(
              "event: end",
              "id: end",
              "data: {\"state\":\"complete\",\"reason\":\"OUTPUT_STORED\"}");
      assertThat(reader.event()).as("the connection's end").isEmpty();
    }
    Awaitility.await().until(() -> server.readers() == 0);
    assertThat(heard).containsExactly("opened", "ended");
    assertThat(sent).hasValue(260);
  }

  @Test
  void head_saysWhatHolds() {
    Stream stream = stream();
    try (Listening reader = read(stream, "")) {
      assertThat(reader.headers())
          .containsEntry("content-type", "text/event-stream")
          .containsEntry("cache-control", "no-store")
          .containsEntry("x-content-type-options", "nosniff")
          .containsEntry("access-control-allow-origin", "*")
          .containsEntry("referrer-policy", "no-referrer")
          .doesNotContainKey("server");
    }
  }

  @Test
  void readerThatComesAgain_goesOnBehindWhatItHas() {
    Stream stream = stream();
    streams.append(stream, TestStreams.some(0, 5));
    streams.complete(stream);
    String path = path(stream.key());
    try (Listening header = read(stream, "Last-Event-ID: 2\r\n");
        Listening query = new Listening(server.port(), "GET", path + "?x=1&after=3", "");
        Listening both =
            new Listening(server.port(), "GET", path + "?after=0", "Last-Event-ID: 4\r\n");
        Listening escaped =
            new Listening(server.port(), "GET", "/base" + path.replace(":", "%3A"), "");
        Listening over = read(stream, "Last-Event-ID: end\r\n")) {
      assertThat(header.ids()).isEqualTo(ids(3, 5));
      assertThat(query.ids()).isEqualTo(ids(4, 5));
      assertThat(both.ids()).as("a browser sends both").isEqualTo(ids(5, 5));
      assertThat(escaped.ids()).isEqualTo(ids(0, 5));
      assertThat(over.status()).isEqualTo(204);
    }
  }

  @Test
  void dataOfSeveralLines_isOneEvent() {
    Stream stream = stream();
    streams.append(stream, List.of(TestStreams.chunk(0, null, "{\n\"a\":\r\n1}", null)));
    try (Listening reader = read(stream, "")) {
      reader.event();
      assertThat(reader.event())
          .containsExactly(
              "id: 0",
              "data: {\"key\":\"%s\",\"offset\":0,\"data\":{".formatted(stream.key()),
              "data: \"a\":",
              "data: 1}}");
    }
  }

  @Test
  void operationThatWaitsForAPerson_saysSoOnceAndWhenItChanges() {
    Stream stream = stream();
    streams.append(stream, TestStreams.some(0, 1));
    try (Listening reader = read(stream, "")) {
      reader.event();
      assertThat(reader.event()).hasSize(2);
      streams.review(stream, Code.OUTPUT_INVALID);
      assertThat(reader.event())
          .containsExactly(
              "event: waiting",
              "data: {\"state\":\"accepted\",\"reason\":\"OUTPUT_INVALID\",\"review\":\"OUTPUT_INVALID\"}");
      streams.fail(stream, Code.PROVIDER_REJECTED);
      assertThat(reader.event())
          .contains("data: {\"state\":\"failed\",\"reason\":\"PROVIDER_REJECTED\"}");
    }
  }

  @Test
  void unknownOperation_isWaitedFor() {
    OperationKey key = streams.unknown(++last);
    try (Listening reader = new Listening(server.port(), "GET", path(key), "")) {
      reader.event();
      assertThat(reader.event())
          .containsExactly(
              "event: waiting",
              "data: {\"state\":\"unknown\",\"reason\":\"OUTCOME_UNKNOWN\",\"review\":null}");
    }
  }

  /** Its last chunk says how it ends, but its operation has not ended: more may be said of it. */
  @Test
  void lastChunk_isNotTheEnd() {
    Stream stream = stream();
    streams.append(stream, List.of(TestStreams.chunk(0, null, "\"[DONE]\"", Chunks.End.SUCCEEDED)));
    try (Listening reader = read(stream, "")) {
      reader.event();
      assertThat(reader.event().getFirst()).isEqualTo("id: 0");
      streams.complete(stream);
      assertThat(reader.event().getFirst()).isEqualTo("event: end");
    }
  }

  static java.util.stream.Stream<Arguments> refused() {
    Stream stream = stream();
    String path = path(stream.key());
    String other = path(stream().key());
    java.util.stream.Stream.Builder<Arguments> cases = java.util.stream.Stream.builder();
    cases.add(Arguments.of("another mac", "GET", path.replaceAll(".$", "0") + "0", "", 404));
    cases.add(
        Arguments.of("a forged mac", "GET", path.replaceAll("[^/]*$", "0".repeat(32)), "", 404));
    cases.add(
        Arguments.of(
            "another operation's mac",
            "GET",
            path.replaceAll("[^/]*$", "") + other.replaceAll(".*/", ""),
            "",
            404));
    cases.add(Arguments.of("no mac", "GET", path.replaceAll("/[^/]*$", ""), "", 404));
    cases.add(Arguments.of("nobody's operation", "GET", path(NOBODYS), "", 404));
    cases.add(Arguments.of("no path", "GET", "/operations", "", 404));
    cases.add(Arguments.of("a path in disguise", "GET", "/x/.." + path, "", 404));
    for (String method : List.of("POST", "PUT", "OPTIONS", "DELETE")) {
      cases.add(Arguments.of(method, method, path, "Content-Length: 0\r\n", 405));
    }
    for (String id : List.of("x", "-1", "1.5", "01", "2147483647", "99999999999", "0 0", "END")) {
      cases.add(Arguments.of("id " + id, "GET", path, "Last-Event-ID: " + id + "\r\n", 400));
    }
    cases.add(
        Arguments.of("two ids", "GET", path, "Last-Event-ID: 1\r\nLast-Event-ID: 2\r\n", 400));
    cases.add(Arguments.of("after x", "GET", path + "?after=x", "", 400));
    cases.add(Arguments.of("after nothing", "GET", path + "?after=", "", 400));
    cases.add(Arguments.of("after twice", "GET", path + "?after=1&after=2", "", 400));
    cases.add(Arguments.of("a huge header", "GET", path, "X-A: " + "a".repeat(9000) + "\r\n", 431));
    return cases.build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refused(String what, String method, String target, String lines, int status) {
    try (Listening reader = new Listening(server.port(), method, target, lines)) {
      assertThat(reader.status()).as(what).isEqualTo(status);
    }
    assertThat(chunks.asked).as("nobody asks the table").isEmpty();
  }

  @Test
  void address_isBelowThePublicOne() {
    StreamAddress address = StreamAddress.of(secret, NOBODYS);
    assertThat(address.below(URI.create("https://streams.example.com/tollgate/")))
        .isEqualTo("https://streams.example.com/tollgate" + address.path());
    assertThat(StreamAddress.of(new byte[32], NOBODYS).mac()).isNotEqualTo(address.mac());
  }

  @Test
  void page_isServedWithAPolicy() {
    try (Listening reader = new Listening(server.port(), "GET", "/", "")) {
      assertThat(reader.status()).isEqualTo(200);
      assertThat(reader.headers()).containsKey("content-security-policy");
      assertThat(reader.headers()).containsEntry("content-type", "text/html; charset=utf-8");
    }
  }

  @Test
  void readersWhoWait_areAskedForTogether() {
    List<Listening> readers = new ArrayList<>();
    List<Stream> followed = streams.accepted(last + 1, last + 51);
    last += 50;
    try {
      followed.forEach(stream -> readers.add(read(stream, "")));
      readers.forEach(Listening::event);
      Awaitility.await().until(() -> chunks.asked.contains(50));
      chunks.asked.clear();
      Awaitility.await().until(() -> chunks.asked.size() > 3);
      assertThat(chunks.asked).as("one question a tick").containsOnly(50);
      streams.append(followed.get(7), TestStreams.some(0, 1));
      assertThat(readers.get(7).event().getFirst()).isEqualTo("id: 0");
    } finally {
      readers.forEach(Listening::close);
    }
  }

  @Test
  void nobodyReads_nobodyAsks() {
    Stream stream = stream();
    streams.complete(stream);
    try (Listening reader = read(stream, "")) {
      assertThat(reader.ids()).containsExactly("end");
    }
    Awaitility.await().until(() -> server.readers() == 0);
    chunks.asked.clear();
    Awaitility.await().during(Duration.ofMillis(200)).until(() -> chunks.asked.isEmpty());
  }

  @Test
  void databaseAway_readersHearHeartbeatsAndGoOn_newOnesAreRefused() {
    Stream stream = stream();
    try (StreamServer own = server(chunks, Map.of("tollgate.streams.heartbeat", "50ms"));
        Listening reader = new Listening(own.port(), "GET", path(stream.key()), "")) {
      reader.event();
      chunks.away.set(true);
      int before = chunks.asked.size();
      Awaitility.await().until(() -> chunks.asked.size() > before + 1);
      try (Listening another = new Listening(own.port(), "GET", path(stream.key()), "")) {
        assertThat(another.status()).isEqualTo(503);
      }
      assertThat(reader.bodyLine()).isEqualTo(":");
      assertThat(reader.bodyLine()).isEqualTo(":");
      streams.append(stream, TestStreams.some(0, 1));
      chunks.away.set(false);
      assertThat(reader.event().getFirst()).isEqualTo("id: 0");
    }
  }

  @Test
  void connectionsTime_isBounded_andItsReaderGoesOn() {
    Stream stream = stream();
    streams.append(stream, TestStreams.some(0, 3));
    try (StreamServer own = server(chunks, Map.of("tollgate.streams.connection-for", "300ms"))) {
      try (Listening reader = new Listening(own.port(), "GET", path(stream.key()), "")) {
        assertThat(reader.ids()).containsExactly("0", "1", "2");
      }
      Awaitility.await().until(() -> heard.contains("time"));
      streams.append(stream, TestStreams.some(3, 4));
      streams.complete(stream);
      String lines = "Last-Event-ID: 2\r\n";
      try (Listening again = new Listening(own.port(), "GET", path(stream.key()), lines)) {
        assertThat(again.ids()).isEqualTo(ids(3, 4));
      }
    }
  }

  @Test
  void readerThatTakesNothing_isCutAndHoldsUpNobody() {
    Stream slow = stream();
    String large = "\"" + "x".repeat(200_000) + "\"";
    for (int n = 0; n < 60; n++) {
      streams.append(slow, List.of(TestStreams.chunk(n, null, large, null)));
    }
    Stream quick = stream();
    try (StreamServer own = server(chunks, Map.of("tollgate.streams.write-within", "1s"));
        Listening _ = new Listening(own.port(), "GET", path(slow.key()), "");
        Listening reader = new Listening(own.port(), "GET", path(quick.key()), "")) {
      reader.event();
      for (int n = 0; n < 20; n++) {
        streams.append(quick, TestStreams.some(n, n + 1));
        assertThat(reader.event().getFirst()).isEqualTo("id: " + n);
      }
      Awaitility.await().until(() -> heard.contains("slow"));
      assertThat(own.readers()).isEqualTo(1);
    }
  }

  @Test
  void readerThatIsGone_isNoticed() {
    Stream stream = stream();
    try (StreamServer own = server(chunks, Map.of("tollgate.streams.heartbeat", "20ms"))) {
      try (Listening reader = new Listening(own.port(), "GET", path(stream.key()), "")) {
        reader.event();
        assertThat(own.readers()).isEqualTo(1);
      }
      Awaitility.await().until(() -> heard.contains("gone"));
      assertThat(own.readers()).isZero();
    }
  }

  @Test
  void serverThatCloses_endsItsConnectionsInOrder() {
    Stream stream = stream();
    streams.append(stream, TestStreams.some(0, 3));
    StreamServer own = server(chunks, Map.of());
    try (Listening reader = new Listening(own.port(), "GET", path(stream.key()), "")) {
      for (int n = 0; n < 4; n++) {
        reader.event();
      }
      own.close();
      assertThat(reader.event()).isEmpty();
      assertThat(heard).contains("closing");
    }
  }

  @Test
  void portThatIsTaken_isToldWithItsAddress() {
    assertThatThrownBy(
            () -> server(chunks, Map.of("tollgate.streams.port", "" + server.port())).close())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("streams cannot be served at 127.0.0.1:" + server.port());
  }
}
