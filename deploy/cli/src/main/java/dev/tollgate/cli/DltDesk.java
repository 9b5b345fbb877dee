package dev.tollgate.cli;

import dev.tollgate.cli.dlt.DeadLetter;
import dev.tollgate.cli.dlt.DeadLetterTopic;
import dev.tollgate.cli.dlt.Judge;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DeadLetterRuns;
import dev.tollgate.schema.store.StandingReader;
import dev.tollgate.worker.Providers;
import dev.tollgate.worker.Worker;
import dev.tollgate.worker.intake.Acceptance;
import dev.tollgate.worker.retention.Horizons;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * What every command on dead letters works with: one of the topics, and the database, after a look
 * that they are there. Not for use by several threads.
 */
final class DltDesk implements AutoCloseable {
  private static final String NAME = "tollgate-dlt";

  private final TollgateConfig config;
  private final DltCommand.Source source;
  private final Clients clients;
  private final DeadLetterTopic letters;
  private final Database database;
  private @Nullable Providers providers;

  private DltDesk(
      TollgateConfig config,
      DltCommand.Source source,
      Clients clients,
      DeadLetterTopic letters,
      Database database) {
    this.config = config;
    this.source = source;
    this.clients = clients;
    this.letters = letters;
    this.database = database;
  }

  /** A connection for what needs no topic; it has to be closed. */
  static Database database(TollgateConfig config) {
    Reach.schema(config);
    return new Database(Worker.settings(config), NAME, 1, null);
  }

  static DltDesk open(TollgateConfig config, DltCommand.Source source) {
    Reach.schema(config);
    String topic = letters(config, source);
    Map<String, Uuid> ids = Reach.topics(config, List.of(target(config, source), topic));
    Uuid id = ids.getOrDefault(topic, Uuid.ZERO_UUID);
    Clients clients = new Clients(config.kafka().bootstrapServers(), config.kafka().client());
    DeadLetterTopic letters =
        new DeadLetterTopic(
            clients,
            topic,
            new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()),
            System::nanoTime);
    return new DltDesk(config, source, clients, letters, database(config));
  }

  /** Where the letters of a source lie. */
  static String letters(TollgateConfig config, DltCommand.Source source) {
    Topics topics = new Topics(config.kafka().topicPrefix());
    return switch (source) {
      case REQUESTS -> topics.requestsDlt();
      case RECONCILE -> topics.reconcileDlt();
    };
  }

  private static String target(TollgateConfig config, DltCommand.Source source) {
    Topics topics = new Topics(config.kafka().topicPrefix());
    return switch (source) {
      case REQUESTS -> topics.requests();
      case RECONCILE -> topics.reconcile();
    };
  }

  DeadLetterTopic letters() {
    return letters;
  }

  /** Where the letters came from, and a replay goes. */
  String target() {
    return target(config, source);
  }

  Clients clients() {
    return clients;
  }

  String currency() {
    return config.currency();
  }

  DeadLetterRuns runs() {
    return new DeadLetterRuns(database.dsl());
  }

  StandingReader standings() {
    return new StandingReader(database.dsl());
  }

  /**
   * Foretells what would come of a replay.
   *
   * @param spent letters that are not sent, whatever comes of them
   * @param complaints hears what keeps it from knowing all that a worker knows
   */
  Judge judge(Predicate<DeadLetter> spent, PrintWriter complaints) {
    boolean requests = source == DltCommand.Source.REQUESTS;
    Acceptance acceptance = requests ? acceptance(complaints) : _ -> Optional.empty();
    Optional<Horizons.Known> horizons = requests ? horizons(complaints) : Optional.empty();
    return new Judge(
        requests,
        standings()::of,
        acceptance,
        new Judge.Prices() {
          @Override
          public Optional<Money> of(String provider) {
            ProviderConfig configured = config.providers().get(provider);
            return configured == null ? Optional.empty() : configured.price();
          }

          @Override
          public String currency() {
            return config.currency();
          }
        },
        provider -> horizons.map(known -> known.of(provider)),
        spent,
        InstantSource.system());
  }

  /** As the worker's, of the providers that could be opened here. */
  private Optional<Horizons.Known> horizons(PrintWriter complaints) {
    Horizons horizons =
        Horizons.of(config, providers == null ? List.of() : providers.adapters(), clients);
    try {
      horizons.runOnce();
    } catch (KafkaException e) {
      complaints.println(
          "tollgate: which letters are too old is not known here: " + Explanation.said(e));
      complaints.flush();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.unreachable("interrupted while asking Kafka", e);
    }
    return horizons.known();
  }

  /** As the worker's, where the providers can be opened here, too; else by their names alone. */
  private Acceptance acceptance(PrintWriter complaints) {
    Acceptance accepts;
    try {
      Providers opened =
          new Providers(
              config, database.submissionSecret(), InstantSource.system(), System::nanoTime);
      providers = opened;
      accepts = Acceptance.of(opened.adapters());
    } catch (ConfigFile.Invalid e) {
      complaints.println(
          "tollgate: what providers object to is not known here: "
              + String.join(" ", Explanation.of(e).line().lines().map(String::strip).toList()));
      complaints.flush();
      accepts =
          request ->
              config.providers().containsKey(request.provider())
                  ? Optional.empty()
                  : Optional.of(
                      new Refused(
                          Code.UNKNOWN_PROVIDER,
                          "provider %s is not configured; known are %s"
                              .formatted(request.provider(), config.providers().keySet())));
    }
    return accepts.upToGeneration(config.generations().max());
  }

  @Override
  public void close() {
    if (providers != null) {
      providers.close();
    }
    letters.close();
    database.close();
  }
}
