package dev.tollgate.worker.metrics;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.health.Vitals;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Chunks.Appended;
import dev.tollgate.worker.follow.FollowListener;
import dev.tollgate.worker.intake.IntakeListener;
import dev.tollgate.worker.output.OutputListener;
import dev.tollgate.worker.reading.ReadingListener;
import dev.tollgate.worker.send.SendListener;
import dev.tollgate.worker.stream.StreamListener;
import dev.tollgate.worker.webhook.WebhookListener;
import dev.tollgate.worker.write.WriteListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Counts what the parts report. Tags are codes, states and configured provider names, so they are
 * few. Thread-safe.
 */
public final class Meters
    implements IntakeListener,
        SendListener,
        WriteListener,
        FollowListener,
        OutputListener,
        WebhookListener,
        StreamListener,
        ReadingListener {
  private final Catalogue catalogue;
  private final Timer batches;
  private final Timer writes;
  private final Timer chunkWrites;
  private final Counter chunksRead;

  /** Looking a meter up by its tags costs more than counting; each is looked up once. */
  private final Map<ChangeTags, Counter> changes = new ConcurrentHashMap<>();

  private final Map<SendTags, Timer> sends = new ConcurrentHashMap<>();

  private record ChangeTags(String from, String to, Code reason) {}

  private record SendTags(String provider, Code verdict) {}

  public Meters(MeterRegistry registry) {
    this.catalogue = new Catalogue(registry);
    this.batches = catalogue.timer(Meter.BATCH);
    this.writes = catalogue.timer(Meter.WRITE);
    this.chunkWrites = catalogue.timer(Meter.CHUNKS_WRITE);
    this.chunksRead = catalogue.counter(Meter.CHUNKS_READ);
  }

  @Override
  public void batch(int records, int stored, int duplicates, Duration took) {
    batches.record(took);
    count(Meter.RECORDS, stored, "result", "stored");
    count(Meter.RECORDS, duplicates, "result", "duplicate");
    count(Meter.RECORDS, records - stored - duplicates, "result", "dead_letter");
  }

  @Override
  public void deadLetter(Code code) {
    count(Meter.DEAD_LETTERS, 1, "code", code.name());
  }

  @Override
  public void generation(String provider, boolean byPolicy) {
    String cause = byPolicy ? "policy" : "request";
    count(Meter.GENERATIONS, 1, "provider", provider, "cause", cause);
  }

  @Override
  public void heldBack(int records) {
    count(Meter.HELD_BACK, records);
  }

  @Override
  public void broughtBack(int intents) {
    count(Meter.BROUGHT_BACK, intents);
  }

  @Override
  public void answeredFromRecord(String provider, OptionalLong micros) {
    money().saved(provider, "duplicate", micros.isPresent() ? micros.getAsLong() : null);
  }

  /** The signs of life of this process; what cannot go on is shown as a meter, too. */
  public Vitals vitals() {
    return new Vitals(
        component -> catalogue.gauge(Meter.HEALTH_FAILED, () -> 1, "component", component));
  }

  /** What counts money. */
  public MoneyMeters money() {
    return new MoneyMeters(this);
  }

  @Override
  public void sent(String provider, Code verdict, Duration took) {
    sends
        .computeIfAbsent(
            new SendTags(provider, verdict),
            tags ->
                catalogue.timer(
                    Meter.SENDS, "provider", tags.provider, "verdict", tags.verdict.name()))
        .record(took);
  }

  @Override
  public void claimed(String provider, int claims) {
    count(Meter.CLAIMS, claims, "provider", provider);
  }

  @Override
  public void heldByBudget(String provider, int waiting, int refused) {
    count(Meter.BUDGET_HELD, waiting, "provider", provider, "result", "wait");
    count(Meter.BUDGET_HELD, refused, "provider", provider, "result", "refuse");
  }

  @Override
  public void breakerOpened(String provider, String cause) {
    count(Meter.OPENINGS, 1, "provider", provider, "cause", cause);
  }

  @Override
  public void throttlePaused(String provider) {
    count(Meter.THROTTLE_PAUSES, 1, "provider", provider);
  }

  @Override
  public void applied(Change change) {
    changes
        .computeIfAbsent(
            new ChangeTags(change.from().word(), change.to().word(), change.reason()),
            tags ->
                catalogue.counter(
                    Meter.CHANGES, "from", tags.from, "to", tags.to, "reason", tags.reason.name()))
        .increment();
  }

  @Override
  public void stale(Change change) {
    count(Meter.STALE, 1, "from", change.from().word());
  }

  @Override
  public void suspectedDuplicate(Change change) {
    count(Meter.SUSPECTED, 1, "provider", change.provider());
  }

  @Override
  public void duplicateOutput(Change change, OperationKey other) {
    count(Meter.DUPLICATE_OUTPUTS, 1, "provider", change.provider());
  }

  @Override
  public void appended(int chunks, Duration took) {
    chunkWrites.record(took);
    count(Meter.CHUNKS, chunks);
  }

  @Override
  public void refused(Appended why) {
    count(Meter.CHUNKS_REFUSED, 1, "reason", why.name().toLowerCase(Locale.ROOT));
  }

  @Override
  public void ended(String provider, String how) {
    count(Meter.STREAMS_ENDED, 1, "provider", provider, "how", how);
  }

  @Override
  public void resumed(String provider) {
    count(Meter.STREAMS_RESUMED, 1, "provider", provider);
  }

  @Override
  public void trouble(String provider, Code code, boolean forAPerson) {
    String result = forAPerson ? "person" : "again";
    count(Meter.OUTPUT_TROUBLE, 1, "provider", provider, "code", code.name(), "result", result);
  }

  @Override
  public void refused(Change change, RuntimeException why) {
    count(Meter.REFUSED, 1);
  }

  @Override
  public void wrote(int size, Duration took) {
    writes.record(took);
  }

  @Override
  public void asked(String provider, String answer) {
    count(Meter.FOLLOWED, 1, "provider", provider, "answer", answer);
  }

  @Override
  public void received(String provider, String result) {
    count(Meter.EVENTS, 1, "provider", provider, "result", result);
  }

  @Override
  public void unmatched(String provider) {
    count(Meter.UNMATCHED, 1, "provider", provider);
  }

  @Override
  public void contradicted(String provider) {
    count(Meter.CONTRADICTED, 1, "provider", provider);
  }

  @Override
  public void answered(String result) {
    count(Meter.READS, 1, "result", result);
  }

  @Override
  public void closed(String why) {
    count(Meter.READ_ENDS, 1, "why", why);
  }

  @Override
  public void chunks(int sent) {
    chunksRead.increment(sent);
  }

  @Override
  public void stored(String provider, long bytes) {
    catalogue.summary(Meter.OUTPUTS, "provider", provider).record((double) bytes);
  }

  /** Counts by name and tags; for what happens seldom or in batches. */
  public void count(Meter meter, int by, String... tags) {
    if (by > 0) {
      catalogue.counter(meter, tags).increment(by);
    }
  }

  /** Adds to a counter what is no whole number, such as money. */
  public void add(Meter meter, double amount, String... tags) {
    catalogue.counter(meter, tags).increment(amount);
  }

  /** Adds one size to a summary. */
  public void size(Meter meter, double size, String... tags) {
    catalogue.summary(meter, tags).record(size);
  }

  /** Adds one duration to a timer. */
  public void time(Meter meter, Duration took, String... tags) {
    catalogue.timer(meter, tags).record(took);
  }

  /** Shows a value, see {@link Catalogue#gauge}. */
  public void gauge(Meter meter, Supplier<Number> value, String... tags) {
    catalogue.gauge(meter, value, tags);
  }

  /** What listens to the gate. */
  public GateMeters gate() {
    return new GateMeters(catalogue);
  }
}
