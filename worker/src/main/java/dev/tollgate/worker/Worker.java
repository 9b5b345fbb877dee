package dev.tollgate.worker;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.health.Vitals;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.kafka.DeadLetters;
import dev.tollgate.schema.kafka.Membership;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import dev.tollgate.schema.store.Histories;
import dev.tollgate.schema.store.History;
import dev.tollgate.schema.store.Inbox;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.PostgresChunks;
import dev.tollgate.schema.store.PostgresInbox;
import dev.tollgate.schema.store.PostgresOperationStore;
import dev.tollgate.worker.follow.FollowPolicy;
import dev.tollgate.worker.follow.Follower;
import dev.tollgate.worker.gate.DeferredMarks;
import dev.tollgate.worker.gate.Gate;
import dev.tollgate.worker.intake.Acceptance;
import dev.tollgate.worker.intake.Intake;
import dev.tollgate.worker.intake.IntakeAccount;
import dev.tollgate.worker.intake.IntakeLag;
import dev.tollgate.worker.intake.IntakeLoop;
import dev.tollgate.worker.intake.IntakePositions;
import dev.tollgate.worker.intake.IntentWriter;
import dev.tollgate.worker.intake.OldRequests;
import dev.tollgate.worker.intake.SubmissionKeys;
import dev.tollgate.worker.loop.Closing;
import dev.tollgate.worker.loop.Loop;
import dev.tollgate.worker.metrics.Binders;
import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import dev.tollgate.worker.output.Completion;
import dev.tollgate.worker.output.OutputStore;
import dev.tollgate.worker.output.Scratch;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.WebhookReader;
import dev.tollgate.worker.reading.StreamServer;
import dev.tollgate.worker.retention.Horizons;
import dev.tollgate.worker.send.Claimer;
import dev.tollgate.worker.send.Lane;
import dev.tollgate.worker.send.SendPolicy;
import dev.tollgate.worker.send.Sender;
import dev.tollgate.worker.stream.ChunkWriter;
import dev.tollgate.worker.stream.StreamPolicy;
import dev.tollgate.worker.stream.Streamer;
import dev.tollgate.worker.watch.Watch;
import dev.tollgate.worker.webhook.InboxReader;
import dev.tollgate.worker.webhook.WebhookServer;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.LoggedChanges;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The composition root of a worker: takes requests in, claims, sends, follows to the output. Start
 * and close from one thread.
 */
public final class Worker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Worker.class);
  private static final Duration CLAIM_EVERY = Duration.ofMillis(250);
  private static final Duration WATCH_EVERY = Duration.ofMillis(500);
  private static final Duration FOLLOW_EVERY = Duration.ofMillis(200);
  private static final Duration ACCOUNT_EVERY = Duration.ofSeconds(5);
  private static final Duration READ_EVERY = Duration.ofMillis(500);
  private static final Duration HORIZONS_EVERY = Duration.ofMinutes(10);

  private final TollgateConfig config;
  private final LongSupplier nanoTime;
  private final Database database;
  private final Providers providers;
  private final Gate gate;
  private final KafkaProducer<byte[], byte[]> producer;
  private final ChangeWriter writer;
  private final OutputStore outputs;
  private final ChunkWriter chunkWriter;
  private final Streamer streamer;
  private final Loop renewing;
  private final Sender sender;
  private final Loop claiming;
  private final Loop watching;
  private final Loop following;
  private final Loop reading;
  private final Optional<WebhookServer> webhooks;
  private final Optional<StreamServer> streams;
  private final Loop askingHorizons;
  private final Binders binders;
  private final Vitals vitals;
  private final IntakeLoop intakeLoop;
  private final Loop accounting;
  private final Intake intake;
  private volatile boolean draining;

  /**
   * Wires a worker.
   *
   * @param instance random id of this process: owner of gate entries
   * @param clock for times that only people read
   * @param nanoTime the monotonic clock by which a worker measures what time it has left
   */
  public Worker(
      TollgateConfig config,
      String instance,
      MeterRegistry registry,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.config = config;
    this.nanoTime = nanoTime;
    String name = config.worker().name().orElse("worker-" + instance);
    Meters meters = new Meters(registry);
    binders = new Binders(registry);
    vitals = meters.vitals();
    Topics topics = new Topics(config.kafka().topicPrefix());
    Clients kafka = new Clients(config.kafka().bootstrapServers(), config.kafka().client());

    database = new Database(settings(config), name, config.database().connections(), registry);
    database.requireDurable();
    byte[] secret = database.submissionSecret();
    providers = new Providers(config, secret, clock, nanoTime);
    Map<String, Lane> lanes = ConfiguredLanes.of(providers.adapters(), config, meters, nanoTime);
    History history =
        new Histories(database.dsl())
            .begin(name, lanes.values().stream().map(Lane::terms).toList());
    database.bind(history);
    if (history.earlier()) {
      log.warn(
          "the database is in history {}, which began with other data lost; {} operations counted as"
              + " possibly sent",
          history.id(),
          history.suspected());
    }
    // records what came of claims, whichever history the data is in
    OperationStore store = new PostgresOperationStore(database.dsl());
    // gives rights to send, on the strength of what this process knows
    OperationStore claims = new PostgresOperationStore(database.bound());
    gate =
        new DeferredMarks(
            ConfiguredGate.open(
                config, database.incarnation(history), instance, meters, vitals, nanoTime));
    producer = binders.of(kafka.producer(Map.of()));
    Duration longestLease =
        lanes.values().stream()
            .map(lane -> lane.terms().lease())
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    Watch watch =
        new Watch(
            store,
            database::now,
            lanes.keySet(),
            config.worker().backlogMax(),
            longestLease,
            nanoTime,
            () -> meters.count(Meter.CLOCK_STEPS, 1));
    watching = new Loop("watch", WATCH_EVERY, nanoTime, watch);

    TollgateConfig.Worker settings = config.worker();
    writer =
        new ChangeWriter(
            "outcomes",
            store,
            new LoggedChanges(meters),
            settings.batchMax(),
            settings.linger(),
            nanoTime);
    outputs = ConfiguredOutputs.store(config, nanoTime);
    Scratch scratch = new Scratch(config.outputs().folder());
    scratch.sweep(clock.instant());
    Completion completion =
        new Completion(
            outputs,
            scratch,
            store,
            change -> writer.write(change, () -> {}),
            ConfiguredOutputs.policy(config),
            meters);
    Chunks chunks = new PostgresChunks(database.bound());
    chunkWriter = new ChunkWriter(chunks, settings.linger(), meters, nanoTime);
    streamer = new Streamer(chunks, chunkWriter, writer, completion, StreamPolicy.USUAL, meters);
    renewing = new Loop("streams", streamer.renewEvery(), nanoTime, streamer);
    sender = new Sender(writer, sendPolicy(config), meters, nanoTime, Optional.of(streamer));
    Claimer claimer =
        new Claimer(
            claims,
            lanes.values(),
            sender,
            meters,
            name,
            UUID::randomUUID,
            nanoTime,
            () -> stopping() || watch.pauseClaims(),
            this::wakeClaiming);
    claiming = new Loop("claim", CLAIM_EVERY, nanoTime, claimer);
    following =
        new Loop(
            "follow",
            FOLLOW_EVERY,
            nanoTime,
            new Follower(
                store,
                providers.adapters(),
                completion,
                writer,
                followPolicy(config),
                meters,
                nanoTime,
                Optional.of(streamer)));

    Inbox inbox = new PostgresInbox(database.dsl());
    reading =
        new Loop(
            "inbox",
            READ_EVERY,
            nanoTime,
            new InboxReader(inbox, store, config.webhooks(), meters, nanoTime));
    webhooks =
        config.webhooks().port().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new WebhookServer(
                    config.webhooks(),
                    readers(providers),
                    secret,
                    inbox,
                    reading::wake,
                    clock,
                    nanoTime,
                    meters));

    streams =
        config.streams().port().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new StreamServer(
                    config.streams(),
                    secret,
                    new PostgresChunks(database.dsl()),
                    nanoTime,
                    meters));
    streams.ifPresent(server -> meters.gauge(Meter.READERS, server::readers));

    Histories histories = new Histories(database.bound());
    Horizons horizons = Horizons.of(config, providers.adapters(), kafka);
    askingHorizons = new Loop("horizons", HORIZONS_EVERY, nanoTime, horizons);
    IntakeLag lag = new IntakeLag(clock);
    meters.gauge(Meter.LAG, lag::records);
    meters.gauge(Meter.LAG_AGE, () -> lag.age().toMillis() / 1000.0);
    intakeLoop =
        new IntakeLoop(
            binders.of(
                kafka.consumer(
                    config.kafka().workerGroup(),
                    new Membership(config.kafka().groupProtocol(), config.kafka().instanceId()),
                    consumerSettings(settings, name))),
            topics.requests(),
            topics.requestsDlt(),
            new DeadLetters(producer, clock),
            new IntakePositions(
                history,
                IntakeLoop.AHEAD_BATCHES * settings.pollRecords(),
                partitions -> histories.progress(topics.requests(), partitions)),
            watch::full,
            meters,
            lag,
            nanoTime);
    accounting =
        new Loop(
            "account",
            ACCOUNT_EVERY,
            nanoTime,
            new IntakeAccount(
                intakeLoop::progress, next -> histories.progressed(topics.requests(), next)));
    IntentWriter intents =
        new IntentWriter(
            claims,
            gate,
            new IntentWriter.Handover(
                lanes, sender, this::wakeClaiming, () -> stopping() || watch.pauseClaims()),
            new SubmissionKeys(secret),
            ConfiguredLanes.prices(config),
            name,
            UUID::randomUUID,
            nanoTime,
            intakeLoop::await,
            meters);
    intake =
        new Intake(
            gate,
            intents,
            Acceptance.of(providers.adapters()).upToGeneration(config.generations().max()),
            new OldRequests(store, horizons::known, watch::databaseTime),
            meters,
            () -> TimeUnit.NANOSECONDS.sleep(settings.holdBack().toNanos()));

    meters.gauge(Meter.STREAMS, streamer::live);
    intakeLoop.watchedBy(vitals);
    List.of(renewing, watching, claiming, following, reading)
        .forEach(loop -> loop.watchedBy(vitals));
    vitals.dependsOn(() -> Database.standing(watching.sinceProgress()));
    lanes.forEach(
        (provider, lane) -> {
          meters.gauge(Meter.IN_FLIGHT, lane::inFlight, "provider", provider);
          meters.gauge(Meter.SLOTS, lane::width, "provider", provider);
          meters.gauge(
              Meter.BACKLOG, () -> watch.backlog().getOrDefault(provider, 0), "provider", provider);
        });
  }

  public void start() {
    writer.start();
    chunkWriter.start();
    renewing.start();
    watching.start();
    claiming.start();
    following.start();
    reading.start();
    webhooks.ifPresent(WebhookServer::start);
    streams.ifPresent(StreamServer::start);
    askingHorizons.start();
    intakeLoop.start(intake);
    accounting.start();
    log.info(
        "worker reads {}.requests for {}",
        config.kafka().topicPrefix(),
        config.providers().keySet());
  }

  /** Whether it lives and can work. */
  public Vitals vitals() {
    return vitals;
  }

  /** How long ago intake last made progress. */
  public Duration sinceProgress() {
    return intakeLoop.sinceProgress();
  }

  /**
   * Why this process has to end and be started anew, if it has to: the data is in another history
   * than what the process knows.
   */
  public Optional<String> broken() {
    Optional<String> moved =
        database
            .moved()
            .map(
                place ->
                    "%s: the database's data is at %s, where another history goes on; this process"
                            .formatted(Code.HISTORY_LOST, place)
                        + " is of the one before, and its successor finds out what may have been sent");
    moved.ifPresent(why -> vitals.failed("database-history", why));
    return moved;
  }

  private boolean stopping() {
    return draining || database.moved().isPresent();
  }

  /**
   * Drains: takes nothing in and claims nothing more, gives back what is claimed and not sent,
   * waits for what was sent, records it, then lets go of everything. Sends are waited for until
   * {@code worker.drain-within} after this call; what is not over by then is found by its lease.
   */
  @Override
  public void close() {
    draining = true;
    sender.drain();
    long until = nanoTime.getAsLong() + config.worker().drainWithin().toNanos();
    Closing.inOrder(
        accounting::close,
        intakeLoop::close,
        askingHorizons::close,
        claiming::close,
        () -> webhooks.ifPresent(WebhookServer::close),
        () -> streams.ifPresent(StreamServer::close),
        reading::close,
        following::close,
        streamer::stop,
        () -> awaitSends(until),
        watching::close,
        renewing::close,
        chunkWriter::close,
        writer::close,
        outputs::close,
        binders::close,
        () -> producer.close(Duration.ofSeconds(5)),
        gate::close,
        providers::close,
        database::close);
  }

  private static Map<String, WebhookReader> readers(Providers providers) {
    Map<String, WebhookReader> readers = new HashMap<>();
    for (ProviderAdapter adapter : providers.adapters()) {
      adapter.webhooks().ifPresent(reader -> readers.put(adapter.profile().name(), reader));
    }
    return readers;
  }

  /** The port at which webhooks are received, if they are. */
  public OptionalInt webhookPort() {
    return webhooks.isPresent() ? OptionalInt.of(webhooks.get().port()) : OptionalInt.empty();
  }

  /** The port at which streams are read, if they are. */
  public OptionalInt streamPort() {
    return streams.isPresent() ? OptionalInt.of(streams.get().port()) : OptionalInt.empty();
  }

  private void awaitSends(long until) {
    while (sender.inFlight() + streamer.live() > 0 && nanoTime.getAsLong() - until < 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(10);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    int left = sender.inFlight();
    if (left > 0) {
      log.warn("drained, but {} sends were not over in time; their leases tell the sweep", left);
    } else {
      log.info("drained: all that was sent is recorded");
    }
  }

  private void wakeClaiming() {
    claiming.wake();
  }

  private static SendPolicy sendPolicy(TollgateConfig config) {
    return new SendPolicy(
        config.worker().attemptsMax(),
        config.worker().retryPause(),
        config.worker().retryPauseMax(),
        config.worker().followAfter(),
        config.reconciler().lookAfter());
  }

  private static FollowPolicy followPolicy(TollgateConfig config) {
    return new FollowPolicy(
        config.worker().followAfter(),
        config.worker().followPaceMax(),
        config.worker().followConcurrency());
  }

  private static Map<String, Object> consumerSettings(TollgateConfig.Worker settings, String name) {
    // larger fetches cost less than many small ones; the wait is short beside a generation
    return Map.of(
        ConsumerConfig.CLIENT_ID_CONFIG, // what its attempts are under, too
        name,
        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
        settings.pollRecords(),
        ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
        64 * 1024,
        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
        10);
  }

  /** Where the configured database is. */
  public static DatabaseSettings settings(TollgateConfig config) {
    return new DatabaseSettings(
        config.database().url(), config.database().user(), config.database().password().orElse(""));
  }
}
