package dev.tollgate.loadtest.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.embedded.SharedServices;
import dev.tollgate.loadtest.Stage;
import dev.tollgate.loadtest.stream.StreamingProvider.Task;
import dev.tollgate.schema.client.ClientOptions;
import dev.tollgate.schema.client.Result;
import dev.tollgate.schema.client.StreamEnd;
import dev.tollgate.schema.client.StreamReader;
import dev.tollgate.schema.client.StreamedChunk;
import dev.tollgate.schema.client.Submission;
import dev.tollgate.schema.client.TollgateClient;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.worker.Worker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams that are cut at any byte, from the request to the stored text: each is paid once. {@code
 * -Dstreams=5000 -Dstreams.at-once=2500} for more of them, and more at once in each worker.
 */
final class StreamsIT {
  private static final Logger log = LoggerFactory.getLogger(StreamsIT.class);
  private static final int STREAMS = Integer.getInteger("streams", 200);
  private static final int AT_ONCE = Integer.getInteger("streams.at-once", 50);
  private static final int CHUNKS = 200;

  /** A whole topic of more does not fit beside the rest into the memory of a test. */
  private static final int HELD_MAX = 1000;

  private final Stage stage = Stage.open(StreamsIT.class);

  @AfterEach
  void close() {
    stage.close();
  }

  private void configure(StreamingProvider provider) throws IOException {
    Path key = Files.createTempFile("key", "");
    Files.writeString(key, "sk-streaming-0123");
    for (String name : List.of("responses", "chat")) {
      stage
          .set("providers." + name + ".descriptor", "openai-" + name)
          .set("providers." + name + ".endpoint", provider.endpoint().toString())
          .set("providers." + name + ".api-key", "file:" + key)
          .set("providers." + name + ".offers", "none")
          .set("providers." + name + ".concurrency", "" + AT_ONCE);
    }
  }

  private static String request(String provider, int n) {
    return """
    {"kind": "text", "product": "stream-%d", "template_version": "1", "source_fingerprint": "sha256:aa", "prompt_version": "1",
     "locale": "en", "aspect_ratio": "1:1", "variant": "%s", "generation": 1, "provider": "%s",
     "params": {"model": "m", "prompt": "prompt %d"}}
    """
        .formatted(n, provider, provider, n);
  }

  /** The stored chunks of every operation, by key, in their order. */
  private Map<String, List<String>> chunks() {
    Map<String, List<String>> chunks = new HashMap<>();
    stage
        .database()
        .dsl()
        .fetch(
            """
            SELECT convert_from(substring(op_key FROM 33), 'UTF8') || ':' || encode(substring(op_key FROM 1 FOR 32), 'hex'),
                   pos, convert_from(data, 'UTF8')
            FROM chunk ORDER BY op_key, pos
            """)
        .forEach(
            row -> {
              List<String> stored =
                  chunks.computeIfAbsent(row.get(0, String.class), _ -> new ArrayList<>());
              assertThat(row.get(1, Integer.class)).as("gapless").isEqualTo(stored.size());
              stored.add(row.get(2, String.class));
            });
    return chunks;
  }

  @Test
  void streamsThatAreCutAtAnyByte_areWholeAtTheEnd_andPaidOnce() throws Exception {
    try (StreamingProvider provider = new StreamingProvider(CHUNKS, 0.5, 815)) {
      configure(provider);
      stage.reconciler();
      Worker first = stage.worker();
      Worker second = stage.worker();
      long began = System.nanoTime();
      List<String> requests =
          IntStream.range(0, STREAMS).mapToObj(n -> request("responses", n)).toList();
      List<String> keys = stage.publishAll(requests);
      Stage.eventually().until(() -> provider.created() > STREAMS / 2);
      stage.stop(first);
      Worker third = stage.worker();
      Stage.eventually()
          .atMost(Duration.ofMinutes(10))
          .until(
              () ->
                  stage.states().values().stream().allMatch("complete"::equals)
                      && stage.states().size() == STREAMS);
      double took = (System.nanoTime() - began) / 1e9;
      log.info(
          String.format(
              Locale.ROOT,
              "%d streams of %d chunks, up to %d at once in each of two workers: whole in %.1f s (%.0f chunks/s),"
                  + " %d answers cut, %d resumptions",
              STREAMS,
              CHUNKS,
              AT_ONCE,
              took,
              STREAMS * (double) CHUNKS / took,
              provider.wasCut(),
              provider.resumed()));
      assertThat(provider.created()).as("paid").isEqualTo(STREAMS);
      assertThat(provider.wasCut()).isGreaterThan(STREAMS / 4);
      assertThat(provider.resumed()).isGreaterThan(STREAMS / 4);
      Map<String, List<String>> chunks = chunks();
      Map<String, Task> tasks = new HashMap<>();
      provider.tasks().forEach(task -> tasks.put(task.prompt(), task));
      for (int n = 0; n < STREAMS; n++) {
        Task task = Objects.requireNonNull(tasks.get("prompt " + n));
        assertThat(chunks.get(keys.get(n))).as(keys.get(n)).isEqualTo(task.data(CHUNKS));
      }
      Stage.eventually().until(() -> stage.database().dsl().fetch("TABLE chunk_outbox").isEmpty());
      if (STREAMS <= HELD_MAX) {
        assertThat(published()).isEqualTo(chunks);
      }
      assertThat(Files.readString(output(keys.getFirst()), UTF_8))
          .contains("\ud83d\ude00")
          .startsWith("caf\u00e9 1 of resp_");
      stage.stop(second);
      stage.stop(third);
    }
  }

  /** A producer that knows nothing but the broker reads the text while it comes. */
  @Test
  void stream_isReadAtTheAddressThatItsAcceptanceTells() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    CompletableFuture<URI> address = new CompletableFuture<>();
    Consumer<ResultEvent> progress =
        event -> Optional.ofNullable(event.details().stream()).ifPresent(address::complete);
    try (StreamingProvider provider = new StreamingProvider(CHUNKS, 0, 42);
        TollgateClient client =
            TollgateClient.open(
                ClientOptions.of(SharedServices.kafka().bootstrapServers())
                    .withTopicPrefix(stage.topics().prefix())
                    .withProgress(progress))) {
      configure(provider);
      stage.set("streams.port", "" + port).set("streams.url", "http://127.0.0.1:" + port);
      stage.run();
      Submission text = client.submit(request("responses", 1));
      List<String> got = new ArrayList<>();
      StreamEnd end =
          StreamReader.usual()
              .read(
                  address.get(60, TimeUnit.SECONDS),
                  (StreamedChunk chunk) -> got.add(new String(chunk.data(), UTF_8)));
      assertThat(end.state()).isEqualTo("complete");
      assertThat(got).isEqualTo(chunks().get(text.key().toString()));
      assertThat(text.result().get(60, TimeUnit.SECONDS)).isInstanceOf(Result.Completed.class);
    }
  }

  /** The data of every published chunk, by key, in the order of offsets; repeats are the same. */
  private Map<String, List<String>> published() {
    Map<String, SortedMap<Integer, String>> byOffset = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : stage.topic(stage.topics().chunks()).records()) {
      String body = new String(record.value(), UTF_8);
      String id = new String(record.headers().lastHeader("ce_id").value(), UTF_8);
      String[] place = id.split("/", 2);
      assertThat(place[0]).isEqualTo(new String(record.key(), UTF_8));
      String data = body.substring(body.indexOf(",\"data\":") + 8, body.length() - 1);
      String before =
          byOffset
              .computeIfAbsent(place[0], _ -> new TreeMap<>())
              .put(Integer.valueOf(place[1]), data);
      assertThat(before == null || before.equals(data)).isTrue();
    }
    Map<String, List<String>> published = new HashMap<>();
    byOffset.forEach((key, chunks) -> published.put(key, List.copyOf(chunks.values())));
    return published;
  }

  private Path output(String key) {
    return Path.of(
        URI.create(
            stage
                .database()
                .dsl()
                .fetchSingle(
                    "SELECT address FROM output WHERE op_key = decode(split_part(?, ':', 2), 'hex') || 'text'::bytea",
                    key)
                .get(0, String.class)));
  }

  @Test
  void fc76_streamThatCannotBeResumed_isForAPersonAndNeverSentAgain() throws Exception {
    try (StreamingProvider provider = new StreamingProvider(CHUNKS, 0.5, 4711)) {
      configure(provider);
      stage.run();
      List<String> keys =
          stage.publishAll(IntStream.range(0, 40).mapToObj(n -> request("chat", n)).toList());
      Stage.eventually()
          .until(
              () ->
                  stage
                          .database()
                          .dsl()
                          .fetchSingle(
                              "SELECT count(*) FROM operation WHERE state = 'complete' OR review = 'STREAM_CUT'")
                          .get(0, Integer.class)
                      == keys.size());
      assertThat(provider.created()).isEqualTo(keys.size());
      int complete =
          stage
              .database()
              .dsl()
              .fetchSingle("SELECT count(*) FROM operation WHERE state = 'complete'")
              .get(0, Integer.class);
      assertThat(keys.size() - complete).isEqualTo(provider.wasCut());
    }
  }
}
