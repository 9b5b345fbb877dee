package dev.tollgate.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** PostgreSQL as a container. Thread-safe. */
final class ContainerPostgres implements PostgresServer {
  private static final String IMAGE = "postgres:18-alpine";
  private static final String USER = "tollgate";
  private static final String PASSWORD = "tollgate";
  private static final int PORT = 5432;

  private static final Duration CRASH_PATIENCE = Duration.ofSeconds(10);

  private final ManagedContainer server;

  private ContainerPostgres(ManagedContainer server) {
    this.server = server;
  }

  static ContainerPostgres start(ServicesOptions options) {
    PostgreSQLContainer container = new PostgreSQLContainer(IMAGE);
    container
        .withUsername(USER)
        .withPassword(PASSWORD)
        .withDatabaseName(DEFAULT_DATABASE)
        // the same order and case rules as the embedded server, on any C library
        .withEnv(
            "POSTGRES_INITDB_ARGS",
            "-E UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8");
    // replaces Testcontainers' own command, which turns fsync off
    container.setCommand(command(options).toArray(String[]::new));
    ManagedContainer server =
        new ManagedContainer(
            "PostgreSQL", container, PORT, options.postgresPort(), options.startTimeout());
    ContainerPostgres postgres = new ContainerPostgres(server);
    server.startFirst(postgres::answers);
    return postgres;
  }

  private static List<String> command(ServicesOptions options) {
    Map<String, String> settings = new TreeMap<>(PostgresSettings.DEFAULTS);
    settings.putAll(options.postgresSettings());
    List<String> command = new ArrayList<>(List.of("postgres"));
    settings.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
    return command;
  }

  private boolean answers() {
    return PostgresAdmin.answers(jdbcUrl(), USER, PASSWORD);
  }

  @Override
  public String host() {
    return server.host();
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public String user() {
    return USER;
  }

  @Override
  public String password() {
    return PASSWORD;
  }

  @Override
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://" + host() + ":" + port() + "/" + database;
  }

  @Override
  public String createDatabase(String name, String template) {
    PostgresAdmin.createDatabase(this, name, template);
    return jdbcUrl(name);
  }

  @Override
  public void stopImmediately() {
    server.end("QUIT", CRASH_PATIENCE);
  }

  @Override
  public boolean isUp() {
    return server.isUp();
  }

  @Override
  public void start() {
    server.start(this::answers);
  }

  @Override
  public void close() {
    server.close();
  }
}
