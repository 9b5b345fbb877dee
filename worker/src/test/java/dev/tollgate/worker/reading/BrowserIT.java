package dev.tollgate.worker.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tollgate.schema.client.CuttingProxy;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.Stream;
import dev.tollgate.schema.store.ScriptedChunks;
import dev.tollgate.schema.store.StoreFailures;
import dev.tollgate.schema.store.TestStreams;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The page in a real browser, whose connections are cut again and again. */
final class BrowserIT {
  private static final Logger log = LoggerFactory.getLogger(BrowserIT.class);
  private static final int CHUNKS = 200;

  /** Each pair is divided between two chunks. */
  private static final List<String> TEXTS =
      List.of("\"kite \"", "\"\\ud83e\"", "\"\\ude81 \"", "\"<b>&\\u0000é\\n\"");

  private static final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger refusals = new AtomicInteger();

  @TempDir static Path folder;
  private static TestStreams streams;
  private static StreamServer server;
  private static Browser browser;
  private static int last;

  @BeforeAll
  static void start() throws Exception {
    Optional<Path> program = Browser.program();
    if (program.isEmpty()) {
      log.error("NO CHROMIUM ON THE PATH: the page for browsers is not tested");
    }
    assumeTrue(program.isPresent(), "no chromium on the PATH: the page is not tested");
    streams = TestStreams.open(BrowserIT.class);
    Chunks chunks =
        new ScriptedChunks(streams.chunks()) {
          @Override
          public Optional<Long> place(OperationKey key) {
            if (refusals.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
              throw StoreFailures.unavailable();
            }
            return super.place(key);
          }
        };
    server =
        new StreamServer(
            ConfigFile.read(
                    Optional.empty(),
                    Map.of(
                        "tollgate.kafka.bootstrap-servers", "unused:9092",
                        "tollgate.database.url", "jdbc:postgresql://unused/unused",
                        "tollgate.streams.port", "0"))
                .streams(),
            streams.secret(),
            chunks,
            System::nanoTime,
            new ReadingListener() {
              @Override
              public void answered(String result) {
                heard.add(result);
              }
            });
    server.start();
    browser = Browser.start(program.get(), folder.resolve("browser"));
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
      server.close();
      streams.close();
    }
  }

  private static ConditionFactory eventually() {
    return Awaitility.await().atMost(Duration.ofSeconds(60));
  }

  private static List<Chunk> chunks(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(n -> TestStreams.chunk(n, TEXTS.get(n % TEXTS.size()), "{\"n\":" + n + "}", null))
        .toList();
  }

  private static String wholeText() {
    return "kite \ud83e\ude81 <b>&\u0000é\n".repeat(CHUNKS / TEXTS.size());
  }

  private static void open(String address) {
    heard.clear();
    browser.open("about:blank"); // a change behind the # alone would load nothing
    eventually().until(() -> browser.evaluate("location.href").equals("about:blank"));
    browser.open("http://127.0.0.1:" + server.port() + "/#" + address);
  }

  private static String shown(String id) {
    return browser.evaluate(
        "document.getElementById('%s') ? document.getElementById('%s').textContent : ''"
            .formatted(id, id));
  }

  private static void awaitState(String state) {
    eventually().until(() -> shown("state"), state::equals);
  }

  private static String path(Stream stream) {
    return StreamAddress.of(streams.secret(), stream.key()).path();
  }

  /** Cuts so many connections at random bytes, and then none. */
  private static CuttingProxy proxy(int cuts, int bytesMost) {
    Random random = new Random(7);
    AtomicInteger connections = new AtomicInteger();
    return new CuttingProxy(
        server.port(),
        () ->
            connections.incrementAndGet() <= cuts
                ? 500L + random.nextInt(bytesMost)
                : CuttingProxy.NEVER);
  }

  @Test
  void cutAgainAndAgain_showsEachChunkOnce_liveAndFromBefore() {
    Stream stream = streams.accepted(++last);
    streams.append(stream, chunks(0, 120));
    try (CuttingProxy proxy = proxy(6, 4000)) {
      open(proxy.address(path(stream)).toString());
      eventually().until(() -> browser.evaluate("String(next)").equals("120"));
      for (int n = 120; n < CHUNKS; n += 8) {
        streams.append(stream, chunks(n, n + 8));
      }
      eventually().until(() -> browser.evaluate("String(next)").equals("" + CHUNKS));
      eventually().until(() -> proxy.cuts() >= 3);
      streams.complete(stream);
      awaitState("complete, OUTPUT_STORED (200 chunks)");
      assertThat(shown("text")).isEqualTo(wholeText());
      assertThat(browser.evaluate("String(repeats)")).isEqualTo("0");
      assertThat(proxy.connections()).isGreaterThan(3);
    }
    eventually().until(() -> server.readers() == 0);
    assertThat(heard).as("it does not come again").doesNotContain("over");
  }

  /** What a browser says of the last event gets lost on the way: all comes again. */
  @Test
  void everythingComesAgain_showsEachChunkOnce() {
    Stream stream = streams.accepted(++last);
    streams.append(stream, chunks(0, CHUNKS));
    streams.complete(stream);
    try (CuttingProxy proxy = proxy(3, 20_000).forgetting()) {
      open(proxy.address(path(stream)).toString());
      awaitState("complete, OUTPUT_STORED (200 chunks)");
      assertThat(shown("text")).isEqualTo(wholeText());
      assertThat(Integer.parseInt(browser.evaluate("String(repeats)"))).isPositive();
    }
  }

  /** A browser gives up for good after an answer such as 503; the page does not. */
  @Test
  void refusedForAWhile_isReadAllTheSame() {
    Stream stream = streams.accepted(++last);
    streams.append(stream, chunks(0, CHUNKS));
    streams.complete(stream);
    refusals.set(2);
    open(path(stream));
    awaitState("complete, OUTPUT_STORED (200 chunks)");
    assertThat(shown("text")).isEqualTo(wholeText());
    assertThat(heard).containsExactly("page", "unavailable", "unavailable", "opened");
  }

  @Test
  void pageHasAtMostSixtyLines() throws Exception {
    try (var page = StreamServer.class.getResourceAsStream("stream.html")) {
      assertThat(new String(page.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).lines())
          .hasSizeLessThanOrEqualTo(60);
    }
  }
}
