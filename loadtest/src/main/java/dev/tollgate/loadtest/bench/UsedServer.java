package dev.tollgate.loadtest.bench;

import dev.tollgate.embedded.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * Brings a new database server into the condition of one that has been at work: its shared memory
 * touched and its log segments there to be used again. A new server clears each page of memory and
 * fills each log segment with zeros when it first needs it, a fifth of its CPU time while a
 * benchmark lasts and nothing ever after.
 */
final class UsedServer {
  /** What the benchmark sets; the log kept for reuse is more than one leg writes. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "shared_buffers", "2GB",
          "min_wal_size", "3GB",
          "max_wal_size", "4GB",
          "checkpoint_timeout", "30min");

  private static final String SCRATCH = "bench_scratch";

  private UsedServer() {}

  /** Writes more than the shared memory holds, and drops it. */
  static void use(PostgresServer server) throws IOException {
    server.createDatabase(SCRATCH);
    execute(server, SCRATCH, "CREATE TABLE filled (n int, text text)");
    // a plain insert: what copies or creates a table as a whole goes through a small ring of memory
    execute(
        server,
        SCRATCH,
        "INSERT INTO filled SELECT n, repeat(md5(n::text), 60) FROM generate_series(1, 1100000) AS s (n)");
    drop(server, SCRATCH);
  }

  /** Drops a database. The server writes a checkpoint then: the segments before it are free. */
  static void drop(PostgresServer server, String database) throws IOException {
    execute(server, PostgresServer.DEFAULT_DATABASE, "DROP DATABASE " + database);
  }

  private static void execute(PostgresServer server, String database, String sql)
      throws IOException {
    try (Connection connection =
            DriverManager.getConnection(
                server.jdbcUrl(database), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IOException("the database server refused: " + sql, e);
    }
  }
}
