package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.client.StreamReader;
import dev.tollgate.schema.client.StreamedChunk;
import dev.tollgate.schema.store.Chunks.Stream;
import dev.tollgate.schema.store.TestStreams;
import dev.tollgate.worker.Worker;
import dev.tollgate.worker.reading.StreamAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stored chunks, through the processes as they are wired: to the topic, and to a reader. */
final class StreamingIT {
  private Stage stage;
  private TestStreams streams;

  @BeforeEach
  void open() {
    stage = Stage.open(StreamingIT.class);
    streams = TestStreams.on(stage.databaseSettings());
  }

  @AfterEach
  void close() {
    streams.close();
    stage.close();
  }

  private List<String> published(Stream stream) {
    return stage.topic(stage.topics().chunks()).records().stream()
        .filter(record -> new String(record.key(), UTF_8).equals(stream.key().toString()))
        .map(record -> new String(record.value(), UTF_8))
        .toList();
  }

  @Test
  void chunks_arePublishedByAReconciler() {
    Stream stream = streams.accepted(1);
    streams.append(stream, TestStreams.some(0, 10));
    stage.reconciler();
    eventually().until(() -> published(stream).size() >= 10);
    streams.append(stream, TestStreams.some(10, 12));
    eventually().until(() -> published(stream).size() >= 12);
    List<String> bodies = published(stream);
    for (int n = 0; n < 12; n++) {
      assertThat(bodies.get(n)).contains("\"offset\":" + n + ",", "\"data\":{\"n\":" + n + "}");
    }
    eventually().until(() -> stage.counted("tollgate.chunks.relayed") >= 12);
    assertThat(streams.chunks().outbox(10)).isEmpty();
  }

  @Test
  void streams_areReadFromAWorker_andFromTheNextOneWhenItEnds() throws InterruptedException {
    Stream stream = streams.accepted(1);
    streams.append(stream, TestStreams.some(0, 10));
    streams.complete(stream);
    stage.set("streams.port", "0");
    String path = StreamAddress.of(streams.secret(), stream.key()).path();
    for (int i = 0; i < 2; i++) {
      Worker worker = stage.worker();
      List<Integer> got = new CopyOnWriteArrayList<>();
      URI address = URI.create("http://127.0.0.1:" + worker.streamPort().orElseThrow() + path);
      StreamReader.usual().read(address, (StreamedChunk chunk) -> got.add(chunk.offset()));
      assertThat(got).isEqualTo(IntStream.range(0, 10).boxed().toList());
      stage.stop(worker);
    }
  }
}
