package dev.tollgate.embedded;

/**
 * The three servers that Tollgate runs on. Each is started on its first use and stays up until
 * {@link #close()}. Thread-safe; a start blocks only callers that want the same server.
 */
public interface Services extends AutoCloseable {
  /** PostgreSQL, started if it has not been yet. */
  PostgresServer postgres();

  /** Redis, started if it has not been yet. */
  RedisServer redis();

  /** Kafka, started if it has not been yet. */
  KafkaBroker kafka();

  /** Ends what was started; data in a temporary folder goes. Safe to call again. */
  @Override
  void close();

  /** The system property that {@link #chosen} reads. */
  String PROPERTY = "tollgate.services";

  /** Servers as child processes, from binaries and jars on the class path. */
  static Services embedded(ServicesOptions options) {
    return new LocalServices(options);
  }

  /**
   * Servers as containers, by Testcontainers.
   *
   * @throws ServicesException {@code ENGINE_UNAVAILABLE} when no Docker engine answers
   */
  static Services containers(ServicesOptions options) {
    return new ContainerServices(options);
  }

  /** What the system property {@value #PROPERTY} says: {@code embedded} if it says nothing. */
  static Services chosen(ServicesOptions options) {
    return of(System.getProperty(PROPERTY, "embedded"), options);
  }

  /** {@code embedded} or {@code containers}, by name. */
  static Services of(String choice, ServicesOptions options) {
    return switch (choice) {
      case "embedded" -> embedded(options);
      case "containers" -> containers(options);
      default ->
          throw new IllegalArgumentException(
              "%s is embedded or containers, not %s".formatted(PROPERTY, choice));
    };
  }
}
