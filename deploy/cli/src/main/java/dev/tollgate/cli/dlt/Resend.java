package dev.tollgate.cli.dlt;

import dev.tollgate.schema.kafka.DeadLetterHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Sends letters back, one at a time, at a bounded rate. Not for use by several threads. */
public final class Resend {
  /**
   * What holds for all letters of one run.
   *
   * @param target the topic they go to
   * @param source the topic they lie in
   * @param who replays
   * @param why they do
   * @param interval shortest time between two
   */
  public record Route(String target, String source, String who, String why, Duration interval) {}

  /** Where a letter that the broker acknowledged lies now. */
  public record Sent(Place place, int replays) {}

  private final Producer<byte[], byte[]> producer;
  private final Route route;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private long nextNanos;

  public Resend(
      Producer<byte[], byte[]> producer, Route route, InstantSource clock, LongSupplier nanoTime) {
    this.producer = producer;
    this.route = route;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.nextNanos = nanoTime.getAsLong();
  }

  /** Waits until the next letter may be sent. */
  public void pace() throws InterruptedException {
    long wait = nextNanos - nanoTime.getAsLong();
    if (wait > 0) {
      TimeUnit.NANOSECONDS.sleep(wait);
    }
  }

  /**
   * Sends one letter when its time has come.
   *
   * @param replays how often its message was replayed so far
   * @throws ExecutionException when the broker did not acknowledge it: it may have been sent or not
   */
  public Sent send(DeadLetter letter, int replays) throws ExecutionException, InterruptedException {
    pace();
    long interval = route.interval().toNanos();
    nextNanos = Math.max(nextNanos, nanoTime.getAsLong() - interval) + interval;
    String by =
        "%s at %s from %s-%s: %s"
            .formatted(route.who(), clock.instant(), route.source(), letter.place(), route.why());
    RecordMetadata at =
        producer
            .send(
                new ProducerRecord<>(
                    route.target(),
                    null,
                    letter.record().key(),
                    letter.record().value(),
                    DeadLetterHeaders.replayed(
                        letter.record().headers(), letter.firstFailedAt(), replays + 1, by)))
            .get();
    return new Sent(new Place(at.partition(), at.offset()), replays + 1);
  }
}
