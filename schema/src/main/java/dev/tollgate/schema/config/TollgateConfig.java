package dev.tollgate.schema.config;

import dev.tollgate.schema.kafka.Membership;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Everything that can be set, under the prefix {@code tollgate}. Durations are ISO 8601 ({@code
 * PT2S}) or a number with a unit ({@code 2s}, {@code 500ms}). Immutable.
 */
@ConfigMapping(prefix = "tollgate")
public interface TollgateConfig {
  Kafka kafka();

  DatabaseConfig database();

  Redis redis();

  /** Providers by the name that requests use. */
  Map<String, ProviderConfig> providers();

  /** A folder with descriptors of your own, one {@code NAME.yaml} each, before the shipped ones. */
  Optional<Path> providersFolder();

  /** The public address below which providers can report to this installation, if they can. */
  Optional<URI> callbacks();

  WebhooksConfig webhooks();

  StreamsConfig streams();

  /** Budgets by names that only people read. */
  Map<String, BudgetConfig> budgets();

  /** What becomes of operations that nobody can find out about, by the name of the rule. */
  Map<String, UnknownRuleConfig> unknowns();

  ReviewConfig review();

  RetentionConfig retention();

  /** New generations of outputs. */
  GenerationsConfig generations();

  /** What prices and budgets are in; only shown. */
  @WithDefault("USD")
  String currency();

  Worker worker();

  Reconciler reconciler();

  OutputsConfig outputs();

  /** Where metrics and health are served; none without a port. */
  Http http();

  /** Metrics that are pushed. */
  MetricsConfig metrics();

  /** The log. */
  interface Kafka {
    String bootstrapServers();

    /** Prefix of all topics. */
    @WithDefault("generation")
    String topicPrefix();

    @WithDefault("tollgate-workers")
    String workerGroup();

    @WithDefault("tollgate-reconcilers")
    String reconcilerGroup();

    /**
     * How members of both groups share the partitions. {@code classic}: any broker; who dies is
     * missed after 10 s. {@code consumer}: brokers from 4.0, which hand the partitions out
     * themselves, so that one member that is slow holds up nobody else's rebalance: better where
     * members come and go by the dozen. When a dead member is missed is the broker's to say there,
     * and as it comes no less than 45 s, which is why it is not the default. The two may be mixed
     * while members are replaced one by one.
     */
    @WithDefault("classic")
    Membership.Protocol groupProtocol();

    /**
     * Name of this process in its group, the same after a restart, and nobody else's: the pod's
     * name in a StatefulSet. Who comes back under it within 45 s gets its partitions back, and
     * nobody rebalances. Nor does anybody read them meanwhile.
     */
    Optional<String> instanceId();

    /** Further settings of every Kafka client, such as security. */
    Map<String, String> client();
  }

  /** PostgreSQL. */
  interface DatabaseConfig {
    String url();

    @WithDefault("tollgate")
    String user();

    @WithDefault("")
    Optional<String> password();

    @WithDefault("4")
    int connections();
  }

  /** Redis, or none: Tollgate is then slower and just as right. */
  interface Redis {
    /** {@code redis://[user:password@]host:port}, or {@code rediss} for TLS. */
    Optional<URI> url();

    /** How long a mark of a durable operation is kept. */
    @WithDefault("24h")
    Duration consumedTtl();

    /** How long a claim of an intake that died stands in the way of nothing but speed. */
    @WithDefault("30s")
    Duration consumingTtl();
  }

  /** Workers. */
  interface Worker {
    /** Name of this process in attempts; made up if absent. */
    Optional<String> name();

    /** How much longer than the submit deadline a claim holds. */
    @WithDefault("5s")
    Duration leaseGrace();

    /**
     * Transport attempts of one operation, those that were provably not sent or throttled included.
     * With the pauses below, that is some hours of a provider that is away.
     */
    @WithDefault("100")
    int attemptsMax();

    @WithDefault("500ms")
    Duration retryPause();

    @WithDefault("5m")
    Duration retryPauseMax();

    /** Prepared operations of one provider at which intake pauses. */
    @WithDefault("50000")
    int backlogMax();

    /** Most changes of one statement. */
    @WithDefault("1000")
    int batchMax();

    /** How long the first change of a batch waits for others. */
    @WithDefault("10ms")
    Duration linger();

    /** Most records of one poll. */
    @WithDefault("1000")
    int pollRecords();

    /** How long records are held back when another worker is at their operations. */
    @WithDefault("50ms")
    Duration holdBack();

    /**
     * When an accepted task is first asked about, and the shortest time between two questions about
     * it.
     */
    @WithDefault("2s")
    Duration followAfter();

    @WithDefault("60s")
    Duration followPaceMax();

    /** Most status questions and downloads under way at one provider. */
    @WithDefault("16")
    int followConcurrency();

    /** How long a worker that is told to stop waits for what it has sent. */
    @WithDefault("25s")
    Duration drainWithin();

    BreakerConfig breaker();
  }

  /** Reconcilers. */
  interface Reconciler {
    @WithDefault("500ms")
    Duration sweepEvery();

    /** When an unknown operation is looked at if nobody hears of it sooner. */
    @WithDefault("2s")
    Duration lookAfter();

    /** Pause after the first look that decided nothing; doubled with each further one. */
    @WithDefault("1s")
    Duration lookPause();

    @WithDefault("5m")
    Duration lookPauseMax();

    /** Attempts of one operation after which a lost one is not sent again by itself. */
    @WithDefault("10")
    int lostAttemptsMax();

    /** How long one look may take. */
    @WithDefault("60s")
    Duration lookLease();

    /** Most looks under way at one provider. */
    @WithDefault("16")
    int lookConcurrency();

    /** Events of one round of the relay, about: those that one statement wrote go together. */
    @WithDefault("2000")
    int relayBatch();

    /** How far a provider's clock may be off when its list is searched by time. */
    @WithDefault("60s")
    Duration providerClockSkew();
  }

  /** Metrics and health. */
  interface Http {
    OptionalInt port();

    @WithDefault("127.0.0.1")
    String host();
  }
}
