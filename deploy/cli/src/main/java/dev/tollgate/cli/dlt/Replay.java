package dev.tollgate.cli.dlt;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Headers;

/** Sends letters back, one at a time, at a bounded rate. Not for use by several threads. */
public final class Replay {
  /**
   * What holds for all letters of one replay.
   *
   * @param target the topic they go to
   * @param source the topic they lie in
   * @param who replays
   * @param why they do
   * @param interval shortest time between two
   * @param replaysMax how often one message may be replayed
   */
  public record Terms(
      String target, String source, String who, String why, Duration interval, int replaysMax) {}

  /** What became of one letter. */
  public sealed interface Outcome permits Sent, NotSent {}

  /** Acknowledged by the broker, and where it lies now. */
  public record Sent(int partition, long offset, int replays) implements Outcome {}

  /** Left where it is, and why. */
  public record NotSent(String reason) implements Outcome {}

  private final Producer<byte[], byte[]> producer;
  private final Terms terms;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private long nextNanos;

  public Replay(
      Producer<byte[], byte[]> producer, Terms terms, InstantSource clock, LongSupplier nanoTime) {
    this.producer = producer;
    this.terms = terms;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.nextNanos = nanoTime.getAsLong();
  }

  /** Why a letter may not be sent; null if it may. */
  public static @org.jspecify.annotations.Nullable NotSent refusal(
      DeadLetter letter, int replays, int replaysMax) {
    if (letter.shortened()) {
      return new NotSent(
          "only the beginning of its value was kept, so it cannot be sent again; ask its producer");
    }
    if (replays >= replaysMax) {
      return new NotSent(
          "%s: replayed %d times already, %d are allowed"
              .formatted(Code.REPLAY_LIMIT, replays, replaysMax));
    }
    return null;
  }

  /**
   * Sends one letter when its time has come.
   *
   * @param replays how often its message was replayed so far
   * @throws ExecutionException when the broker did not acknowledge it: it may have been sent or not
   */
  public Outcome send(DeadLetter letter, int replays)
      throws ExecutionException, InterruptedException {
    NotSent refusal = refusal(letter, replays, terms.replaysMax());
    if (refusal != null) {
      return refusal;
    }
    pace();
    RecordMetadata at =
        producer
            .send(
                new ProducerRecord<>(
                    terms.target(),
                    null,
                    letter.record().key(),
                    letter.record().value(),
                    headers(letter, replays + 1)))
            .get();
    return new Sent(at.partition(), at.offset(), replays + 1);
  }

  private Headers headers(DeadLetter letter, int replays) {
    Headers headers = letter.producerHeaders();
    DeadLetterHeaders.add(
        headers, DeadLetterHeaders.FIRST_FAILED_AT, letter.firstFailedAt().toString());
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REPLAYS, String.valueOf(replays));
    DeadLetterHeaders.add(
        headers,
        DeadLetterHeaders.REPLAYED_BY,
        "%s at %s from %s-%s: %s"
            .formatted(terms.who(), clock.instant(), terms.source(), letter.place(), terms.why()));
    return headers;
  }

  private void pace() throws InterruptedException {
    long wait = nextNanos - nanoTime.getAsLong();
    if (wait > 0) {
      TimeUnit.NANOSECONDS.sleep(wait);
    }
    nextNanos =
        Math.max(nextNanos, nanoTime.getAsLong() - terms.interval().toNanos())
            + terms.interval().toNanos();
  }
}
