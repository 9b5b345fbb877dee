package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** PostgreSQL as a child process. Thread-safe. */
final class LocalPostgres implements PostgresServer {
  private static final String USER = "tollgate";
  private static final String PASSWORD = "tollgate";

  /** A fast shutdown writes a checkpoint: give it the time that a slow disk needs. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  /** The server itself kills what does not react within 5 s. */
  private static final Duration CRASH_PATIENCE = Duration.ofSeconds(10);

  private static final String IMMEDIATE = "QUIT";
  private static final String FAST = "INT";

  private final ManagedServer server;
  private final boolean temporary;

  private LocalPostgres(ManagedServer server, boolean temporary) {
    this.server = server;
    this.temporary = temporary;
  }

  static LocalPostgres start(DataFolder folder, ServicesOptions options) {
    return start(folder, options, NotRoot.here());
  }

  static LocalPostgres start(DataFolder folder, ServicesOptions options, NotRoot runAs) {
    Kind kind = new Kind(folder, options, folder.binaries().postgres(), runAs);
    ManagedServer server =
        new ManagedServer(kind, List.of(options.postgresPort()), options.startTimeout());
    return new LocalPostgres(server.startFirst(), folder.temporary());
  }

  private record Kind(DataFolder folder, ServicesOptions options, Path programs, NotRoot runAs)
      implements ManagedServer.Kind {
    @Override
    public String name() {
      return "PostgreSQL";
    }

    @Override
    public ServerProcess.Spec prepare(List<Integer> ports) {
      Path data = folder.of("postgres");
      try {
        if (!Files.exists(data.resolve("PG_VERSION"))) {
          initialise(data);
        }
      } catch (IOException e) {
        throw new ServicesException(Reason.FILES, "cannot prepare PostgreSQL's data " + data, e);
      }
      List<String> command = new ArrayList<>();
      command.addAll(List.of(program("postgres"), "-D", data.toString()));
      settings(ports.getFirst())
          .forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
      return new ServerProcess.Spec(
          name(), runAs.command(command), Map.of("LC_ALL", "C"), folder.log("postgres"), IMMEDIATE);
    }

    private Map<String, String> settings(int port) {
      Map<String, String> settings = new TreeMap<>();
      settings.put("listen_addresses", Ports.HOST);
      settings.put("unix_socket_directories", "");
      settings.put("port", Integer.toString(port));
      settings.put("log_line_prefix", "%m [%p] ");
      settings.putAll(PostgresSettings.DEFAULTS);
      settings.putAll(options.postgresSettings());
      return settings;
    }

    /** In a folder beside, so that an interrupted start leaves no half-made data behind. */
    private void initialise(Path data) throws IOException {
      Path unfinished = data.resolveSibling("postgres.unfinished");
      Path password = data.resolveSibling("postgres.password");
      Folders.delete(unfinished);
      Files.createDirectories(unfinished);
      Files.writeString(password, PASSWORD);
      if (runAs.owner().isPresent()) {
        folder.letOthersPass();
        runAs.hand(unfinished);
        runAs.hand(password);
      }
      List<String> command = new ArrayList<>();
      command.addAll(
          List.of(program("initdb"), "-D", unfinished.toString(), "-U", USER, "-E", "UTF8"));
      command.addAll(
          List.of("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"));
      command.addAll(List.of("--auth=scram-sha-256", "--pwfile=" + password));
      if (folder.temporary()) {
        command.add("--no-sync");
      }
      Programs.Result result =
          Programs.run(runAs.command(command), Map.of("LC_ALL", "C"), options.startTimeout());
      Files.delete(password);
      if (!result.succeeded()) {
        throw new ServicesException(
            Reason.START_FAILED,
            "initdb ended with status %s in %s and said: %s"
                .formatted(result.exit(), unfinished, result.output()));
      }
      Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private String program(String name) {
      return programs.resolve("bin").resolve(name).toString();
    }

    @Override
    public boolean answers(List<Integer> ports) {
      return Ports.accepts(ports.getFirst())
          && PostgresAdmin.answers(url(ports.getFirst(), DEFAULT_DATABASE), USER, PASSWORD);
    }
  }

  private static String url(int port, String database) {
    return "jdbc:postgresql://" + Ports.HOST + ":" + port + "/" + database;
  }

  @Override
  public String host() {
    return Ports.HOST;
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
    return url(port(), database);
  }

  @Override
  public String createDatabase(String name, String template) {
    PostgresAdmin.createDatabase(this, name, template);
    return jdbcUrl(name);
  }

  @Override
  public void stopImmediately() {
    server.stop(IMMEDIATE, CRASH_PATIENCE);
  }

  @Override
  public boolean isUp() {
    return server.isUp();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void close() {
    if (temporary) {
      server.close(IMMEDIATE, CRASH_PATIENCE); // nobody reads this data again
    } else {
      server.close(FAST, STOP_PATIENCE);
    }
  }

  OptionalLong pid() {
    return server.pid();
  }
}
