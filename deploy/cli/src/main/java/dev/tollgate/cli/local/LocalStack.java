package dev.tollgate.cli.local;

import dev.tollgate.embedded.Ports;
import dev.tollgate.embedded.PostgresServer;
import dev.tollgate.embedded.Server;
import dev.tollgate.embedded.Services;
import dev.tollgate.embedded.ServicesOptions;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** PostgreSQL, Redis and Kafka with Tollgate's database and topics in them. Thread-safe. */
public final class LocalStack implements AutoCloseable {
  /** Enough for several workers to share, few enough to start fast. */
  public static final int PARTITIONS = 6;

  private static final String DATABASE = "tollgate";

  private final Services services;
  private final int sandboxPort;
  private final Path data;

  private LocalStack(Services services, int sandboxPort, Path data) {
    this.services = services;
    this.sandboxPort = sandboxPort;
    this.data = data;
  }

  /**
   * Starts the servers, going on with the data that is there, and makes what is missing.
   *
   * @param data folder of everything
   * @throws dev.tollgate.embedded.ServicesException when a server does not come up, or the folder
   *     is in use
   */
  public static LocalStack start(Path data, LocalPorts ports) {
    return started(
        new LocalStack(
            Services.embedded(ServicesOptions.at(data, ports.base())), ports.sandbox(), data));
  }

  /**
   * Starts servers of their own for somebody who goes: on free ports, with data in a temporary
   * folder that ends with them.
   *
   * @param data folder of the outputs
   */
  public static LocalStack startTemporary(Path data) {
    return started(
        new LocalStack(Services.embedded(ServicesOptions.temporary()), Ports.free(), data));
  }

  private static LocalStack started(LocalStack stack) {
    try {
      stack.startServers();
      return stack;
    } catch (RuntimeException e) {
      try {
        stack.close();
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private void startServers() {
    services.redis(); // the quickest: takes the folder's lock, or finds it taken
    try (ExecutorService starting = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> kafka =
          starting.submit(
              () ->
                  services
                      .kafka()
                      .createTopics(PARTITIONS, new Topics(LocalConfig.TOPIC_PREFIX).all()));
      Future<?> postgres = starting.submit(() -> Database.migrate(database()));
      finished(postgres);
      finished(kafka);
    }
  }

  private static void finished(Future<?> starting) {
    try {
      starting.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new ChildFailed("a server did not start: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChildFailed("interrupted while starting servers", e);
    }
  }

  /** Where Tollgate's database is; made if it is not there. */
  private DatabaseSettings database() {
    PostgresServer server = services.postgres();
    String url = server.jdbcUrl(DATABASE);
    if (!exists(server)) {
      url = server.createDatabase(DATABASE);
    }
    return new DatabaseSettings(url, server.user(), server.password());
  }

  private static boolean exists(PostgresServer server) {
    try (Connection connection =
            DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
        PreparedStatement query =
            connection.prepareStatement("SELECT 1 FROM pg_database WHERE datname = ?")) {
      query.setString(1, DATABASE);
      try (ResultSet found = query.executeQuery()) {
        return found.next();
      }
    } catch (SQLException e) {
      throw new ChildFailed("PostgreSQL does not list its databases: " + e.getMessage(), e);
    }
  }

  /** The configuration that fits. */
  public LocalConfig config() {
    PostgresServer postgres = services.postgres();
    return config(
        data,
        services.kafka().bootstrapServers(),
        new DatabaseSettings(postgres.jdbcUrl(DATABASE), postgres.user(), postgres.password()),
        services.redis().uri(),
        sandboxPort);
  }

  /**
   * The configuration that will fit once the servers run, but for the database's user and password,
   * which only the servers know.
   */
  public static LocalConfig planned(Path data, LocalPorts ports) {
    String postgres =
        "jdbc:postgresql://%s:%s/%s"
            .formatted(LocalPorts.HOST, String.valueOf(ports.postgres()), DATABASE);
    return config(
        data,
        LocalPorts.HOST + ":" + ports.kafka(),
        new DatabaseSettings(postgres, DATABASE, ""),
        "redis://" + LocalPorts.HOST + ":" + ports.redis(),
        ports.sandbox());
  }

  private static LocalConfig config(
      Path data, String kafka, DatabaseSettings database, String redis, int sandboxPort) {
    return new LocalConfig(
        kafka,
        LocalConfig.TOPIC_PREFIX,
        database.url(),
        database.user(),
        database.password(),
        Optional.of(redis),
        sandboxPort,
        data.resolve("outputs"),
        data.resolve("sandbox-key"));
  }

  /** The servers that run, by name. */
  public Map<String, Server> servers() {
    Map<String, Server> servers = new LinkedHashMap<>();
    servers.put("PostgreSQL", services.postgres());
    servers.put("Redis", services.redis());
    servers.put("Kafka", services.kafka());
    return servers;
  }

  /** The servers, for whoever wants to break one. */
  public Services services() {
    return services;
  }

  /** What {@code psql} takes to connect. */
  public String psqlUrl() {
    PostgresServer postgres = services.postgres();
    return "postgresql://%s:%s@%s:%s/%s"
        .formatted(
            postgres.user(),
            postgres.password(),
            postgres.host(),
            String.valueOf(postgres.port()),
            DATABASE);
  }

  @Override
  public void close() {
    services.close();
  }
}
