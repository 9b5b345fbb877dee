package dev.tollgate.loadtest;

import dev.tollgate.embedded.SharedServices;
import dev.tollgate.loadtest.sandbox.Kind;
import dev.tollgate.loadtest.sandbox.Ledger;
import dev.tollgate.loadtest.sandbox.SandboxOptions;
import dev.tollgate.loadtest.sandbox.SandboxServer;
import dev.tollgate.reconciler.Reconciler;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import dev.tollgate.schema.store.TestDatabase;
import dev.tollgate.worker.Worker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jooq.exception.DataAccessException;

/**
 * Everything a scenario needs, in one JVM: a database and topics of its own on the shared servers,
 * a sandbox provider, and as many workers and reconcilers as it starts. Confined to the test's
 * thread.
 */
public final class Stage implements AutoCloseable {
  private final Path folder;
  private final Path key;
  private final Servers servers;
  private final Clients clients;
  private final Topics topics;
  private final DatabaseSettings databaseSettings;
  private final Database database;
  private final SandboxServer sandbox;
  private final Path ledger;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Map<String, String> settings = new HashMap<>();
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final List<Tap> taps = new ArrayList<>();
  private final List<SimpleMeterRegistry> meters = new ArrayList<>();
  private int instances;

  private Stage(
      Class<?> owner,
      Servers servers,
      DatabaseSettings databaseSettings,
      UnaryOperator<SandboxOptions> options) {
    try {
      this.folder = Files.createTempDirectory("stage");
      this.key = Files.writeString(folder.resolve("key"), Kind.SANDBOX_KEY);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.servers = servers;
    this.ledger = folder.resolve("ledger.jsonl");
    this.sandbox = SandboxServer.start(options.apply(SandboxOptions.of(ledger)));
    this.topics = new Topics(SharedServices.topicPrefix(owner));
    this.databaseSettings = databaseSettings;
    this.database = new Database(databaseSettings, "test", 2, null);
    servers.kafka().createTopics(2, topics.all().toArray(String[]::new));
    this.clients = new Clients(servers.kafka().bootstrapServers(), Map.of());
    this.producer = clients.producer(Map.of());
    defaults();
  }

  /** A stage with a sandbox that does as its requests' scripts say. */
  public static Stage open(Class<?> owner) {
    return open(owner, UnaryOperator.identity());
  }

  /** A stage with a sandbox of its own kind. */
  public static Stage open(Class<?> owner, UnaryOperator<SandboxOptions> options) {
    return new Stage(owner, Servers.shared(), TestDatabase.migrated(owner), options);
  }

  /** A stage on servers of which some are the test's own. */
  static Stage open(Class<?> owner, Servers servers) {
    String name = SharedServices.topicPrefix(owner).replace('-', '_');
    DatabaseSettings settings =
        new DatabaseSettings(
            servers.postgres().createDatabase(name),
            servers.postgres().user(),
            servers.postgres().password());
    Database.migrate(settings);
    return new Stage(owner, servers, settings, UnaryOperator.identity());
  }

  /** A stage with a database that is there. */
  static Stage open(Class<?> owner, Servers servers, DatabaseSettings settings) {
    return new Stage(owner, servers, settings, UnaryOperator.identity());
  }

  private void defaults() {
    set("kafka.bootstrap-servers", servers.kafka().bootstrapServers());
    set("kafka.topic-prefix", topics.prefix());
    set("kafka.worker-group", topics.prefix() + "-workers");
    set("kafka.reconciler-group", topics.prefix() + "-reconcilers");
    set("database.url", databaseSettings.url());
    set("database.user", databaseSettings.user());
    set("database.password", databaseSettings.password());
    set("redis.url", servers.redis().uri());
    set("outputs.folder", folder.resolve("outputs").toString());
    set("worker.lease-grace", "1s");
    set("worker.follow-after", "100ms");
    set("worker.follow-pace-max", "1s");
    set("worker.retry-pause", "100ms");
    set("worker.retry-pause-max", "1s");
    set("worker.drain-within", "5s");
    set("reconciler.sweep-every", "200ms");
    set("reconciler.look-after", "300ms");
    set("reconciler.look-pause", "200ms");
    set("reconciler.look-pause-max", "1s");
    set("reconciler.look-lease", "5s");
    for (Kind kind : Kind.values()) {
      provider(kind.path(), kind, kind.offers());
    }
  }

  /** Configures a provider: deadline 1 s, horizon 3.5 s after the last moment of sending. */
  public Stage provider(String name, Kind kind, String offers) {
    String prefix = "providers." + name + ".";
    set(prefix + "endpoint", sandbox.baseUri(kind).toString());
    set(prefix + "descriptor", kind.descriptor());
    set(prefix + "offers", offers);
    set(prefix + "api-key", "file:" + key);
    set(prefix + "submit-deadline", "1s");
    set(prefix + "connection-life", "2s");
    set(prefix + "longest-hold", "1s");
    set(prefix + "visibility-lag", "500ms");
    set(prefix + "promise-retention", "1h");
    return this;
  }

  /** Sets something under {@code tollgate.} for what is started afterwards. */
  public Stage set(String key, String value) {
    settings.put("tollgate." + key, value);
    return this;
  }

  public Stage unset(String key) {
    settings.remove("tollgate." + key);
    return this;
  }

  public TollgateConfig config() {
    return ConfigFile.read(Optional.empty(), settings);
  }

  /** Writes the configuration for a process of its own. */
  public void write(Path file) {
    Properties properties = new Properties();
    properties.putAll(settings);
    try (Writer out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SimpleMeterRegistry registry() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    meters.add(registry);
    return registry;
  }

  /** What all processes that were started have counted under a name and some tags. */
  public double counted(String meter, String... tags) {
    return meters.stream()
        .flatMap(registry -> registry.find(meter).tags(tags).counters().stream())
        .mapToDouble(Counter::count)
        .sum();
  }

  /** Starts one more worker. */
  public Worker worker() {
    Worker worker =
        new Worker(
            config(), "w" + instances++, registry(), InstantSource.system(), System::nanoTime);
    worker.start();
    running.push(worker);
    return worker;
  }

  /** Starts one more reconciler. */
  public Reconciler reconciler() {
    return reconciler(InstantSource.system());
  }

  /** Starts one more reconciler, whose process has a clock of its own. */
  Reconciler reconciler(InstantSource clock) {
    Reconciler reconciler =
        new Reconciler(config(), "r" + instances++, registry(), clock, System::nanoTime);
    reconciler.start();
    running.push(reconciler);
    return reconciler;
  }

  /** Starts a worker and a reconciler. */
  public Stage run() {
    worker();
    reconciler();
    return this;
  }

  /** Closes one of what was started before the stage ends. */
  public void stop(AutoCloseable process) {
    running.remove(process);
    try {
      process.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** A pipe to the database for what is started between {@link #through} and {@link #direct}. */
  Tap tap() {
    Tap tap = new Tap(servers.postgres().host(), servers.postgres().port());
    taps.add(tap);
    return tap;
  }

  /** What is started from now on reaches the database through a pipe. */
  Stage through(Tap tap) {
    return set("database.url", tap.url(databaseSettings));
  }

  /** What is started from now on reaches the database directly. */
  Stage direct() {
    return set("database.url", databaseSettings.url());
  }

  DatabaseSettings databaseSettings() {
    return databaseSettings;
  }

  public Topic topic(String name) {
    return new Topic(clients, name);
  }

  /** Makes a topic that was deleted, again; the broker may still be busy with deleting it. */
  void recreate(String name) {
    eventually().ignoreExceptions().untilAsserted(() -> servers.kafka().createTopics(2, name));
  }

  String workerGroup() {
    return topics.prefix() + "-workers";
  }

  public SandboxServer sandbox() {
    return sandbox;
  }

  public Ledger ledger() {
    return Ledger.read(ledger);
  }

  /** The sandbox's file. */
  public Path ledgerFile() {
    return ledger;
  }

  public Topics topics() {
    return topics;
  }

  public Database database() {
    return database;
  }

  public Path outputs() {
    return folder.resolve("outputs");
  }

  /**
   * A request's JSON.
   *
   * @param script what the sandbox does with its creates, in order
   */
  public static String request(String provider, String product, String... script) {
    String faults =
        script.length == 0 ? "" : ",\"sandbox_script\":[\"" + String.join("\",\"", script) + "\"]";
    return """
    {"kind":"video","product":"%s","variant":"a","provider":"%s","params":{"prompt":"a red kite for %s","seed":7%s}}"""
        .formatted(product, provider, product, faults);
  }

  /** Publishes a request and returns its operation key. */
  public String publish(String json) {
    EventMessage message = message(json);
    publish(message.toRecord(topics.requests()));
    return message.key();
  }

  /** Publishes a request under an event id of its own. */
  String publish(String json, String eventId) {
    EventMessage message = message(json);
    ProducerRecord<byte[], byte[]> record = message.toRecord(topics.requests());
    record.headers().remove("ce_id").add("ce_id", eventId.getBytes(StandardCharsets.UTF_8));
    publish(record);
    return message.key();
  }

  /** Publishes many at once and waits for the broker. */
  public List<String> publishAll(List<String> requests) {
    List<EventMessage> messages = requests.stream().map(Stage::message).toList();
    List<? extends Future<?>> sent =
        messages.stream().map(m -> producer.send(m.toRecord(topics.requests()))).toList();
    sent.forEach(Stage::acknowledged);
    return messages.stream().map(EventMessage::key).toList();
  }

  static EventMessage message(String json) {
    return switch (RequestWriter.fromJsonLine(json)) {
      case RequestWriter.Ready ready -> ready.message();
      case dev.tollgate.schema.event.Refused refused ->
          throw new IllegalArgumentException(refused.message() + ": " + json);
    };
  }

  /** Publishes bytes as they are. */
  public void publish(ProducerRecord<byte[], byte[]> record) {
    acknowledged(producer.send(record));
  }

  private static void acknowledged(Future<?> sent) {
    try {
      sent.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("not acknowledged", e);
    }
  }

  /** State by operation key. */
  public Map<String, String> states() {
    Map<String, String> states = new LinkedHashMap<>();
    database
        .dsl()
        .fetch("SELECT key, state::text FROM operations ORDER BY key")
        .forEach(row -> states.put((String) row.get(0), (String) row.get(1)));
    return states;
  }

  /** One operation's row of the view {@code operations}, by column, as text. */
  public Map<String, String> operation(String key) {
    Map<String, String> columns = new HashMap<>();
    database
        .dsl()
        .fetch("SELECT * FROM operations WHERE key = ?", key)
        .forEach(
            row ->
                row.intoMap().forEach((name, value) -> columns.put(name, String.valueOf(value))));
    return columns;
  }

  /** Codes of an operation's evidence, oldest first. */
  public List<String> evidence(String key) {
    List<String> codes = new ArrayList<>();
    database
        .dsl()
        .fetch(
            "SELECT e.source || ' ' || e.code || ' ' || coalesce(e.note, '') FROM evidence e WHERE e.op_key ="
                + " decode(split_part(?, ':', 2), 'hex') || convert_to(split_part(?, ':', 1), 'UTF8') ORDER BY e.at",
            key,
            key)
        .forEach(row -> codes.add((String) row.get(0)));
    return codes;
  }

  /**
   * Waits up to 60 s, which nothing that works needs. That the database is away for a while is part
   * of what is tried here.
   */
  public static ConditionFactory eventually() {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptionsInstanceOf(DataAccessException.class);
  }

  /** Waits until an operation is in a state. */
  public void awaitState(String key, String state) {
    try {
      eventually().until(() -> state.equals(operation(key).get("state")));
    } catch (RuntimeException e) {
      throw new AssertionError(
          "%s is not %s: %s; evidence %s".formatted(key, state, operation(key), evidence(key)), e);
    }
  }

  /** Waits until each operation is in a state. */
  void awaitStates(Collection<String> keys, String state) {
    keys.forEach(key -> awaitState(key, state));
  }

  /** How many tasks the sandbox made for a product. */
  long tasks(String product) {
    return ledger().tasks().stream()
        .filter(task -> String.valueOf(task.input()).contains("for " + product + "\""))
        .count();
  }

  /** How many creates the sandbox got for a product. */
  long creates(String product) {
    return ledger().requests().stream()
        .filter(request -> String.valueOf(request.input()).contains("for " + product + "\""))
        .count();
  }

  /** Rows of a query, each as its columns joined by spaces. */
  List<String> sql(String query) {
    List<String> rows = new ArrayList<>();
    database
        .dsl()
        .fetch(query)
        .forEach(
            row ->
                rows.add(
                    row.intoList().stream()
                        .map(String::valueOf)
                        .collect(java.util.stream.Collectors.joining(" "))));
    return rows;
  }

  @Override
  public void close() {
    taps.forEach(Tap::thaw);
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    taps.forEach(Tap::close);
    producer.close(Duration.ofSeconds(5));
    sandbox.close();
    database.close();
  }
}
