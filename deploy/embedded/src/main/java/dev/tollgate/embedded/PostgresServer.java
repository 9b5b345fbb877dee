package dev.tollgate.embedded;

/**
 * A running PostgreSQL that keeps its promises: {@code fsync} and {@code synchronous_commit} are
 * on, so what was committed before {@link #stopImmediately()} is there after {@link #start()}.
 * Thread-safe.
 */
public interface PostgresServer extends Server {
  /** The database that exists from the start. */
  String DEFAULT_DATABASE = "postgres";

  /** Address for clients on this machine. */
  String host();

  /** Port; the same for the whole life of this object. */
  int port();

  /** Name of a superuser. */
  String user();

  /** Password of {@link #user()}. */
  String password();

  /** JDBC URL of a database, without user and password. The database need not exist yet. */
  String jdbcUrl(String database);

  /** JDBC URL of {@link #DEFAULT_DATABASE}. */
  default String jdbcUrl() {
    return jdbcUrl(DEFAULT_DATABASE);
  }

  /**
   * Creates an empty database.
   *
   * @param name lower case letters, digits and {@code _}; at most 63 characters
   * @return its JDBC URL
   * @throws ServicesException {@code REQUEST_FAILED}, also when it exists already
   */
  default String createDatabase(String name) {
    return createDatabase(name, "template1");
  }

  /**
   * Creates a database as a copy of another, which nobody may be connected to meanwhile. Copying a
   * migrated database is far cheaper than migrating again.
   *
   * @return its JDBC URL
   * @throws ServicesException {@code REQUEST_FAILED}, also when it exists already
   */
  String createDatabase(String name, String template);

  /** Ends the server as a crash would: no checkpoint, connections cut. Nothing if it is down. */
  void stopImmediately();

  /** Starts again on the same data and port, recovering if need be. Nothing if it is up. */
  @Override
  void start();

  /** Ends the server; its data goes if it was temporary. Safe to call again. */
  @Override
  void close();
}
