package dev.tollgate.reconciler;

import dev.tollgate.reconciler.generation.Failures;
import dev.tollgate.reconciler.generation.GenerationPolicy;
import dev.tollgate.reconciler.generation.Regenerating;
import dev.tollgate.reconciler.ladder.Ladder;
import dev.tollgate.reconciler.ladder.Settlement;
import dev.tollgate.reconciler.look.DueLooks;
import dev.tollgate.reconciler.look.Duplicates;
import dev.tollgate.reconciler.look.Investigator;
import dev.tollgate.reconciler.look.LookListener;
import dev.tollgate.reconciler.look.LookPace;
import dev.tollgate.reconciler.look.ReconcileTopic;
import dev.tollgate.reconciler.look.Sweep;
import dev.tollgate.reconciler.policy.UnknownPolicy;
import dev.tollgate.reconciler.relay.ChunkRelay;
import dev.tollgate.reconciler.relay.Duty;
import dev.tollgate.reconciler.relay.Relay;
import dev.tollgate.reconciler.relay.Telling;
import dev.tollgate.reconciler.retention.Forgetting;
import dev.tollgate.reconciler.watch.Told;
import dev.tollgate.reconciler.watch.WaitingWatch;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.health.Vitals;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.kafka.DeadLetters;
import dev.tollgate.schema.kafka.Membership;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.PostgresChunks;
import dev.tollgate.schema.store.PostgresOperationStore;
import dev.tollgate.schema.store.PostgresRegenerations;
import dev.tollgate.schema.store.PostgresSuspicions;
import dev.tollgate.schema.store.PostgresTombstones;
import dev.tollgate.schema.store.Regenerations;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.worker.Providers;
import dev.tollgate.worker.Worker;
import dev.tollgate.worker.loop.Closing;
import dev.tollgate.worker.loop.Loop;
import dev.tollgate.worker.metrics.Binders;
import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.reading.StreamAddresses;
import dev.tollgate.worker.retention.Horizons;
import dev.tollgate.worker.send.BreakerPolicy;
import dev.tollgate.worker.send.Protection;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.LoggedChanges;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The composition root of a reconciler. Start and close from one thread. */
public final class Reconciler implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration RELAY_EVERY = Duration.ofMillis(100);
  private static final Duration WATCH_EVERY = Duration.ofSeconds(10);
  private static final Duration DUPLICATES_EVERY = Duration.ofSeconds(4);
  private static final Duration HORIZONS_EVERY = Duration.ofMinutes(10);
  private static final Duration REGENERATE_EVERY = Duration.ofSeconds(1);

  /** Somebody may be reading along. */
  private static final Duration RELAY_CHUNKS_EVERY = Duration.ofMillis(40);

  private final TollgateConfig config;
  private final Database database;
  private final Providers providers;
  private final OperationStore store;
  private final KafkaProducer<byte[], byte[]> producer;
  private final ChangeWriter writer;
  private final Loop sweeping;
  private final Loop looking;
  private final Loop relaying;
  private final Loop regenerating;
  private final Loop relayingChunks;
  private final Loop watching;
  private final Loop endingDuplicates;
  private final Loop askingHorizons;
  private final Loop forgetting;
  private final Binders binders;
  private final Vitals vitals;
  private final ReconcileTopic topic;

  /**
   * Wires a reconciler.
   *
   * @param instance random id of this process
   * @param clock for times that only people read
   * @param nanoTime the monotonic clock
   */
  public Reconciler(
      TollgateConfig config,
      String instance,
      MeterRegistry registry,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.config = config;
    TollgateConfig.Reconciler settings = config.reconciler();
    Meters meters = new Meters(registry);
    binders = new Binders(registry);
    vitals = meters.vitals();
    Topics topics = new Topics(config.kafka().topicPrefix());
    Clients kafka = new Clients(config.kafka().bootstrapServers(), config.kafka().client());
    database =
        new Database(
            Worker.settings(config),
            "reconciler-" + instance,
            config.database().connections(),
            registry);
    database.requireDurable();
    byte[] secret = database.submissionSecret();
    providers = new Providers(config, secret, clock, nanoTime);
    store = new PostgresOperationStore(database.dsl());
    producer = binders.of(kafka.producer(Relay.PRODUCER));
    writer =
        new ChangeWriter(
            "findings",
            store,
            new LoggedChanges(meters),
            config.worker().batchMax(),
            config.worker().linger(),
            nanoTime);
    LookPace pace =
        new LookPace(
            providers.adapters(),
            BreakerPolicy.of(config.worker().breaker()),
            settings.lookConcurrency(),
            (provider, cause) ->
                meters.count(Meter.LOOK_OPENINGS, 1, "provider", provider, "cause", cause),
            nanoTime,
            RandomGenerator.getDefault());
    gauges(pace, meters);
    LookListener listener = listener(meters);
    Duplicates duplicates =
        new Duplicates(
            store, new PostgresSuspicions(database.dsl()), providers.adapters(), listener);
    Duty ofDuplicates = new Duty(store, "duplicates", UUID.randomUUID(), nanoTime);
    endingDuplicates =
        new Loop(
            "duplicates",
            DUPLICATES_EVERY,
            nanoTime,
            () -> ofDuplicates.held() && duplicates.runOnce());
    Investigator investigator =
        new Investigator(
            pace.adapters(),
            new Ladder(store, settings.providerClockSkew()),
            settlement(config),
            writer,
            duplicates,
            listener);
    sweeping =
        new Loop(
            "sweep",
            settings.sweepEvery(),
            nanoTime,
            new Sweep(store, settings.lookAfter(), lost -> meters.count(Meter.SWEPT, lost)));
    looking =
        new Loop(
            "look",
            LOOK_EVERY,
            nanoTime,
            new DueLooks(
                store, investigator, settings.lookLease(), pace, UUID::randomUUID, nanoTime));
    Regenerations regenerations = new PostgresRegenerations(database.dsl());
    Map<String, GenerationPolicy> policies = GenerationPolicy.of(config);
    relaying =
        new Loop(
            "relay",
            RELAY_EVERY,
            nanoTime,
            new Relay(
                store,
                producer,
                new Telling(
                    topics,
                    config.currency(),
                    streaming(providers),
                    new StreamAddresses(config.streams().url(), secret)),
                settings.relayBatch(),
                UUID.randomUUID(),
                nanoTime,
                new Told(meters),
                new Failures(regenerations, policies)));
    regenerating =
        new Loop(
            "regenerate",
            REGENERATE_EVERY,
            nanoTime,
            new Regenerating(
                regenerations,
                store,
                policies,
                producer,
                topics.requests(),
                (provider, why) ->
                    meters.count(Meter.GENERATIONS_LEFT, 1, "provider", provider, "why", why)));
    relayingChunks =
        new Loop(
            "relay-chunks",
            RELAY_CHUNKS_EVERY,
            nanoTime,
            new ChunkRelay(
                new PostgresChunks(database.dsl()),
                store,
                producer,
                topics,
                settings.relayBatch(),
                UUID.randomUUID(),
                nanoTime,
                chunks -> meters.count(Meter.CHUNKS_RELAYED, chunks)));
    watching = new Loop("watch", WATCH_EVERY, nanoTime, new WaitingWatch(store, meters, nanoTime));
    Horizons horizons = Horizons.of(config, providers.adapters(), kafka);
    askingHorizons = new Loop("horizons", HORIZONS_EVERY, nanoTime, horizons);
    forgetting =
        new Loop(
            "forget",
            config.retention().pause(),
            nanoTime,
            new Forgetting(
                new PostgresTombstones(database.dsl()),
                new Duty(store, Forgetting.DUTY, UUID.randomUUID(), nanoTime),
                horizons::known,
                config.retention(),
                nanoTime,
                forgotten -> meters.count(Meter.FORGOTTEN, forgotten)));
    topic =
        new ReconcileTopic(
            binders.of(
                kafka.consumer(
                    config.kafka().reconcilerGroup(),
                    new Membership(config.kafka().groupProtocol(), config.kafka().instanceId()),
                    Map.of())),
            new ReconcileTopic.Source(
                topics.reconcile(), topics.reconcileDlt(), new DeadLetters(producer, clock)),
            store,
            investigator,
            settings.lookLease(),
            settings.lookConcurrency(),
            pace,
            UUID::randomUUID,
            nanoTime);
    topic.watchedBy(vitals);
    List.of(sweeping, looking, relaying, regenerating, relayingChunks, watching)
        .forEach(loop -> loop.watchedBy(vitals));
    vitals.dependsOn(() -> Database.standing(sweeping.sinceProgress()));
  }

  public void start() {
    writer.start();
    sweeping.start();
    looking.start();
    relaying.start();
    regenerating.start();
    relayingChunks.start();
    watching.start();
    endingDuplicates.start();
    askingHorizons.start();
    if (config.retention().enabled()) {
      forgetting.start();
    }
    topic.start();
    log.info("reconciler sweeps, looks and relays for {}", config.providers().keySet());
    warnOfForgottenProviders();
  }

  /**
   * Open operations are worked on by the names in the configuration: others would just lie there.
   */
  private void warnOfForgottenProviders() {
    try {
      for (String provider : store.openProviders()) {
        if (!config.providers().containsKey(provider)) {
          log.warn(
              "provider {} has open operations and is not configured: nobody sends, looks or follows"
                  + " them until it is",
              provider);
        }
      }
    } catch (StoreUnavailable e) {
      log.warn("providers that are no longer configured could not be listed: {}", e.getMessage());
    }
  }

  /** Whether it lives and can work. */
  public Vitals vitals() {
    return vitals;
  }

  /** Takes on nothing more, records what is found, then lets go of everything. */
  @Override
  public void close() {
    Closing.inOrder(
        topic::close,
        looking::close,
        sweeping::close,
        relaying::close,
        regenerating::close,
        relayingChunks::close,
        watching::close,
        forgetting::close,
        endingDuplicates::close,
        askingHorizons::close,
        writer::close,
        binders::close,
        () -> producer.close(Duration.ofSeconds(5)),
        providers::close,
        database::close);
  }

  private static void gauges(LookPace pace, Meters meters) {
    for (ProviderAdapter adapter : pace.adapters()) {
      String provider = adapter.profile().name();
      meters.gauge(Meter.LOOK_SLOTS, () -> pace.width(provider), "provider", provider);
      for (Protection.Cause cause : Protection.Cause.values()) {
        meters.gauge(
            Meter.LOOK_SLOTS_HELD,
            () -> pace.held(provider, cause),
            "provider",
            provider,
            "why",
            cause.word());
      }
    }
  }

  private static Set<String> streaming(Providers providers) {
    return providers.adapters().stream()
        .filter(adapter -> adapter.streams().isPresent())
        .map(adapter -> adapter.profile().name())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static LookListener listener(Meters meters) {
    return new LookListener() {
      @Override
      public void looked(String provider, String result) {
        meters.count(Meter.LOOKS, 1, "provider", provider, "result", result);
      }

      @Override
      public void settled(String provider, String to, Duration dwell) {
        meters.time(Meter.UNKNOWN_DWELL, dwell, "provider", provider, "to", to);
      }

      @Override
      public void duplicate(String provider, String ended) {
        meters.count(Meter.DUPLICATE_TASKS, 1, "provider", provider, "ended", ended);
      }
    };
  }

  private static Settlement settlement(TollgateConfig config) {
    return new Settlement(
        config.worker().attemptsMax(),
        config.reconciler().lostAttemptsMax(),
        config.worker().followAfter(),
        config.worker().retryPause(),
        config.reconciler().lookPause(),
        config.reconciler().lookPauseMax(),
        UnknownPolicy.of(config));
  }
}
