package dev.tollgate.loadtest.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.tollgate.schema.client.CuttingProxy;
import dev.tollgate.schema.client.StreamEnd;
import dev.tollgate.schema.client.StreamReader;
import dev.tollgate.schema.client.StreamedChunk;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.store.Chunks.Appended;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.schema.store.Chunks.Stream;
import dev.tollgate.schema.store.TestStreams;
import dev.tollgate.worker.reading.ReadingListener;
import dev.tollgate.worker.reading.StreamAddress;
import dev.tollgate.worker.reading.StreamServer;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many streams, each with a reader whose connection is cut at random bytes while chunks are stored:
 * {@code -Dstreams=5000 -Dstreams.seed=1} for other sizes and cuts, {@code -Dstreams.at-once=4400}
 * where a process may have some 20,000 open files.
 */
final class ReadersIT {
  private static final Logger log = LoggerFactory.getLogger(ReadersIT.class);
  private static final int STREAMS = Integer.getInteger("streams", 300);
  private static final long SEED = Long.getLong("streams.seed", 20_261_130);
  private static final int CHUNKS = 200;

  /** Both ends of two connections for each are open files of this process. */
  private static final int AT_ONCE = Integer.getInteger("streams.at-once", 4_400);

  /** Of one stream in one statement, and streams in it. */
  private static final int CHUNKS_AT_ONCE = 10;

  private static final int STREAMS_AT_ONCE = 25;

  /** One connection brings a part of some 30 kB. */
  private static final int CUT_WITHIN = 20_000;

  private static final StreamReader.Patience PATIENCE =
      new StreamReader.Patience(
          Duration.ofSeconds(120), Duration.ofMillis(100), Duration.ofSeconds(1), 1000);

  /** Bytes that tell streams and offsets apart, of many lengths, hard to carry. */
  private static byte[] data(int stream, int offset) {
    String filling = "é\\u0000\\ud800 1.0".repeat((stream * 31 + offset * 7) % 9);
    return "{\"stream\":%d,\"n\":%d.50e3,\"s\":\"%s\"}"
        .formatted(stream, offset, filling)
        .getBytes(UTF_8);
  }

  private static Chunk chunk(int stream, int offset) {
    return new Chunk(
        offset,
        null,
        ("\"" + offset + " \"").getBytes(UTF_8),
        data(stream, offset),
        offset == CHUNKS - 1 ? End.SUCCEEDED : null);
  }

  /** What one reader got. Confined to its thread. */
  private static final class Got {
    private final int stream;
    private final StringBuilder text = new StringBuilder();
    private int next;

    Got(int stream) {
      this.stream = stream;
    }

    void take(StreamedChunk chunk) {
      if (chunk.offset() != next || !Arrays.equals(chunk.data(), data(stream, next))) {
        throw new AssertionError(
            "stream %d: chunk %d is %d, %s"
                .formatted(stream, next, chunk.offset(), new String(chunk.data(), UTF_8)));
      }
      next++;
      text.append(chunk.text());
    }
  }

  private static final class Counted implements ReadingListener {
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger chunks = new AtomicInteger();

    @Override
    public void answered(String result) {
      opened.incrementAndGet();
    }

    @Override
    public void chunks(int sent) {
      chunks.addAndGet(sent);
    }
  }

  private static StreamServer server(TestStreams streams, ReadingListener listener) {
    Map<String, String> settings =
        Map.of(
            "tollgate.kafka.bootstrap-servers", "unused:9092",
            "tollgate.database.url", "jdbc:postgresql://unused/unused",
            "tollgate.streams.port", "0",
            "tollgate.streams.connections", "20000");
    return new StreamServer(
        ConfigFile.read(Optional.empty(), settings).streams(),
        streams.secret(),
        streams.chunks(),
        System::nanoTime,
        listener);
  }

  private static void write(TestStreams streams, List<Stream> all, CountDownLatch half) {
    for (int from = 0; from < CHUNKS; from += CHUNKS_AT_ONCE) {
      for (int first = 0; first < all.size(); first += STREAMS_AT_ONCE) {
        Map<Stream, List<Chunk>> some = new java.util.HashMap<>();
        for (int n = first; n < Math.min(all.size(), first + STREAMS_AT_ONCE); n++) {
          List<Chunk> chunks = new ArrayList<>();
          for (int offset = from; offset < from + CHUNKS_AT_ONCE; offset++) {
            chunks.add(chunk(n, offset));
          }
          some.put(all.get(n), chunks);
        }
        assertThat(streams.chunks().append(some).values()).containsOnly(Appended.STORED);
      }
      if (from >= CHUNKS / 2) {
        half.countDown();
      }
    }
    streams.complete(all);
  }

  @Test
  void everyReader_getsEveryOffsetOnce_inOrder_bytesEqual() throws Exception {
    Random random = new Random(SEED);
    Counted counted = new Counted();
    CountDownLatch half = new CountDownLatch(1);
    Semaphore atOnce = new Semaphore(AT_ONCE);
    try (TestStreams streams = TestStreams.open(ReadersIT.class);
        StreamServer server = server(streams, counted);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        HttpClient http = HttpClient.newBuilder().executor(threads).build()) {
      server.start();
      byte[] secret = streams.secret();
      List<Stream> all = streams.accepted(0, STREAMS);
      try (CuttingProxy proxy =
          new CuttingProxy(server.port(), () -> 1L + random.nextInt(CUT_WITHIN))) {
        long cpu = cpu();
        long began = System.nanoTime();
        List<Future<Got>> readers = new ArrayList<>();
        for (int n = 0; n < STREAMS; n++) {
          int stream = n;
          String path = StreamAddress.of(secret, all.get(n).key()).path();
          readers.add(
              threads.submit(
                  () -> {
                    if (stream % 4 == 3) {
                      half.await(); // these replay a half, and go on live
                    }
                    atOnce.acquire();
                    try {
                      Got got = new Got(stream);
                      StreamEnd end =
                          new StreamReader(http, PATIENCE).read(proxy.address(path), got::take);
                      assertThat(end).isEqualTo(new StreamEnd("complete", "OUTPUT_STORED", CHUNKS));
                      return got;
                    } finally {
                      atOnce.release();
                    }
                  }));
        }
        write(streams, all, half);
        double wrote = (System.nanoTime() - began) / 1e9;
        String text =
            java.util.stream.IntStream.range(0, CHUNKS)
                .mapToObj(n -> n + " ")
                .collect(Collectors.joining());
        for (Future<Got> reader : readers) {
          Got got = reader.get(10, TimeUnit.MINUTES);
          assertThat(got.next).isEqualTo(CHUNKS);
          assertThat(got.text.toString()).isEqualTo(text);
        }
        double took = (System.nanoTime() - began) / 1e9;
        log.info(
            String.format(
                Locale.ROOT,
                "%d streams of %d chunks, seed %d: written in %.1f s, read by all in %.1f s (%.0f chunks/s),"
                    + " %d connections, %d cuts, %d chunks sent, %.1f cores of this JVM (writer, server,"
                    + " proxy and readers)",
                STREAMS,
                CHUNKS,
                SEED,
                wrote,
                took,
                STREAMS * (double) CHUNKS / took,
                counted.opened.get(),
                proxy.cuts(),
                counted.chunks.get(),
                (cpu() - cpu) / 1e9 / took));
        assertThat(proxy.cuts()).isGreaterThan(STREAMS);
      }
    }
  }

  private static long cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
