package dev.tollgate.loadtest;

import dev.tollgate.embedded.PostgresServer;
import dev.tollgate.embedded.Services;
import dev.tollgate.embedded.ServicesOptions;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL and an asynchronous standby of it, which may be promoted without the last commits.
 * Confined to the test's thread.
 */
final class TwoClusters implements AutoCloseable {
  private static final String DATABASE = "lost_history";

  private final Path folder;
  private final Services first;
  private final Services second;
  private Optional<Long> frozen = Optional.empty();

  private TwoClusters(Path folder, Services first, Services second) {
    this.folder = folder;
    this.first = first;
    this.second = second;
  }

  /** Starts both, with a migrated database that has reached the standby. */
  static TwoClusters start() {
    try {
      Path folder = Files.createTempDirectory("clusters");
      // the servers run as another user where this process is root
      run("chmod", "755", folder.toString());
      Services first = Services.embedded(options(folder.resolve("first"), Map.of()));
      PostgresServer primary = first.postgres();
      DatabaseSettings settings = settings(primary, primary.createDatabase(DATABASE));
      Database.migrate(settings);
      primary.stopImmediately();
      Path copy = folder.resolve("second");
      Files.createDirectories(copy);
      run("cp", "-a", folder.resolve("first").resolve("postgres").toString(), copy.toString());
      Path data = copy.resolve("postgres");
      run(
          "cp",
          "-a",
          data.resolve("PG_VERSION").toString(),
          data.resolve("standby.signal").toString());
      Files.deleteIfExists(data.resolve("postmaster.pid"));
      primary.start();
      String source =
          "host=%s port=%d user=%s password=%s"
              .formatted(primary.host(), primary.port(), primary.user(), primary.password());
      Services second = Services.embedded(options(copy, Map.of("primary_conninfo", source)));
      second.postgres();
      TwoClusters clusters = new TwoClusters(folder, first, second);
      Awaitility.await().until(() -> !clusters.walSenders().isEmpty());
      return clusters;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServicesOptions options(Path data, Map<String, String> more) {
    ServicesOptions usual = ServicesOptions.temporary();
    Map<String, String> settings = new HashMap<>(more);
    settings.put("wal_keep_size", "128MB");
    return new ServicesOptions(
        Optional.of(data),
        OptionalInt.empty(),
        settings,
        Map.of(),
        Map.of(),
        usual.kafkaHeapMb(),
        usual.quickStart(),
        usual.startTimeout());
  }

  private static DatabaseSettings settings(PostgresServer server, String url) {
    return new DatabaseSettings(url, server.user(), server.password());
  }

  PostgresServer primary() {
    return first.postgres();
  }

  /** One address for both, which leads to whichever takes writes. */
  DatabaseSettings settings() {
    PostgresServer a = first.postgres();
    PostgresServer b = second.postgres();
    return settings(
        a,
        "jdbc:postgresql://%s:%d,%s:%d/%s?targetServerType=primary"
            .formatted(a.host(), a.port(), b.host(), b.port(), DATABASE));
  }

  /** A query's single value, as the standby has it. */
  String onStandby(String query) {
    return String.valueOf(value(second.postgres(), query));
  }

  private List<Long> walSenders() {
    try (Database database = database(first.postgres())) {
      return database
          .dsl()
          .fetch("SELECT pid::int8 FROM pg_stat_replication WHERE state = 'streaming'")
          .map(row -> row.get(0, Long.class));
    }
  }

  private static @Nullable Object value(PostgresServer server, String query) {
    try (Database database = database(server)) {
      return database.dsl().fetchValue(query);
    }
  }

  private static Database database(PostgresServer server) {
    return Database.forReading(settings(server, server.jdbcUrl(DATABASE)), "clusters");
  }

  /**
   * From now on nothing that is committed reaches the standby. It is the sender that is stopped:
   * what a stopped receiver has not read waits in its socket, and arrives.
   */
  void loseCommits() {
    long sender = walSenders().getFirst();
    frozen = Optional.of(sender);
    run("kill", "-STOP", String.valueOf(sender));
  }

  /** The primary is gone for good, and the standby takes its place with what it has. */
  void failOver() {
    first.postgres().stopImmediately(); // kills the sender, which does not react, after a while
    frozen = Optional.empty();
    value(second.postgres(), "SELECT pg_promote()");
  }

  private static void run(String... command) {
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IllegalStateException("failed: " + List.of(command));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    frozen.ifPresent(sender -> run("kill", "-CONT", String.valueOf(sender)));
    first.close();
    second.close();
    run("rm", "-r", folder.toString());
  }
}
