package dev.tollgate.schema.client;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.event.NextGeneration;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.kafka.Clients;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Publishes requests and hears what becomes of them. One for a process is enough; thread-safe.
 *
 * <pre>{@code
 * try (TollgateClient client = TollgateClient.open(ClientOptions.of("localhost:9092"))) {
 *   Submission film = client.submit("{\"kind\":\"video\", ...}");
 *   switch (film.result().get(10, TimeUnit.MINUTES)) {
 *     case Result.Completed done -> show(done.output().address());
 *     case Result.Failed failed -> giveUp(failed.code());
 *     case Result.Refused refused -> mend(refused.message());
 *   }
 * }
 * }</pre>
 *
 * <p>Where the output is a stream, the event that it was accepted says where it is read. It is
 * heard on the thread that reads events, so the stream is read on another:
 *
 * <pre>{@code
 * ClientOptions options =
 *     ClientOptions.of("localhost:9092")
 *         .withProgress(
 *             event -> {
 *               URI stream = event.details().stream();
 *               if (stream != null) {
 *                 threads.submit(() -> StreamReader.usual().read(stream, chunk -> print(chunk.text())));
 *               }
 *             });
 * }</pre>
 *
 * <p>That a result does not come within the caller's time is not a failure: the operation goes on,
 * and money may be spent on it. Whoever wants to hear of it later submits the same request again,
 * here or elsewhere, which is safe: the key decides, and nothing is paid twice.
 */
public final class TollgateClient implements AutoCloseable {
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  /** So that requests which are submitted together go out together. */
  private static final int LINGER_MS = 5;

  private final ClientOptions options;
  private final Awaited awaited;
  private final EventReader reader;
  private final Producer<byte[], byte[]> producer;

  private TollgateClient(
      ClientOptions options,
      Awaited awaited,
      EventReader reader,
      Producer<byte[], byte[]> producer) {
    this.options = options;
    this.awaited = awaited;
    this.reader = reader;
    this.producer = producer;
  }

  /**
   * A client that reads already. Asks the broker where the topics end, and waits for the answer.
   *
   * @throws ClientException.Unreachable if the topics cannot be read
   * @throws IllegalArgumentException if a setting would break a rule
   */
  public static TollgateClient open(ClientOptions options) {
    Clients clients = new Clients(options.bootstrapServers(), options.settings());
    Awaited awaited = new Awaited(options.resultsKept(), options.progress());
    Producer<byte[], byte[]> producer =
        clients.producer(Map.of(ProducerConfig.LINGER_MS_CONFIG, LINGER_MS));
    try {
      // before anything is published: no result of it comes before this position
      EventReader reader =
          EventReader.open(clients, options.topics(), options.from(), awaited, System::nanoTime);
      return new TollgateClient(options, awaited, reader, producer);
    } catch (RuntimeException e) {
      producer.close(Duration.ZERO);
      throw e;
    }
  }

  /**
   * Publishes a request, as {@link #submit(RequestWriter.Ready)}.
   *
   * @param json one JSON object, as a request's body is written
   * @throws RefusedException if it is not a request; nothing is published then
   */
  public Submission submit(String json) {
    return switch (RequestWriter.fromJsonLine(json, options.source())) {
      case RequestWriter.Ready ready -> submit(ready);
      case Refused refused -> throw new RefusedException(refused.code(), refused.message());
    };
  }

  /**
   * Asks for the next generation of a request that failed, or whose result is rejected: a new
   * operation that is paid for by itself. Its key follows from the earlier one's, so asking twice
   * is asking once. Where the earlier one has not ended, the result is {@link Result.Refused} with
   * {@link dev.tollgate.schema.Code#EARLIER_STILL_OPEN}, and nothing is paid for.
   *
   * @param json the earlier request, as it was submitted
   * @param why a sentence for people, of 1 to {@value
   *     dev.tollgate.schema.event.Retry#WHY_CHARS_MAX} characters
   * @throws RefusedException if either is not acceptable; nothing is published then
   */
  public Submission submitNext(String json, String why) {
    return switch (NextGeneration.ofJsonLine(json, options.source(), null, why)) {
      case RequestWriter.Ready ready -> submit(ready);
      case Refused refused -> throw new RefusedException(refused.code(), refused.message());
    };
  }

  /**
   * Publishes a request. Does not wait for the broker's word on it; while the broker is away or the
   * buffer is full it waits for that, for {@code max.block.ms} (60 s) at most, after which the
   * submission ends with {@link ClientException.NotPublished}.
   *
   * <p>A request that is open here already is not published again: both submissions get its result.
   * Where its operation was read to have ended, the result is there at once.
   *
   * @throws ClientException.Closed if the client is closed
   */
  public Submission submit(RequestWriter.Ready request) {
    Awaited.Joined joined = awaited.join(request);
    if (joined.publish()) {
      publish(request, joined.request());
    }
    return joined.request().submission();
  }

  private void publish(RequestWriter.Ready ready, Awaited.Request request) {
    try {
      Future<?> _ =
          producer.send(
              ready.message().toRecord(options.topics().requests()),
              (_, failure) -> {
                if (failure == null) {
                  awaited.published(request);
                } else {
                  awaited.notPublished(request, failure);
                }
              });
    } catch (RuntimeException e) {
      awaited.notPublished(request, e); // closed, interrupted, too large
    }
  }

  /**
   * Publishes what is in the buffer, within two seconds, then ends the futures that are open with
   * {@link ClientException.Closed}. Their operations go on. Takes no more than a few seconds; safe
   * to call again.
   */
  @Override
  public void close() {
    awaited.close();
    producer.close(CLOSE_WITHIN);
    reader.close();
    awaited.abandon();
  }
}
