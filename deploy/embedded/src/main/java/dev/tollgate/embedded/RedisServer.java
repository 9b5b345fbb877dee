package dev.tollgate.embedded;

/**
 * A running Redis without persistence: after {@link #kill()} and {@link #start()} it is empty,
 * which is the loss that its users must bear anyway. Thread-safe.
 */
public interface RedisServer extends Server {
  /** Address for clients on this machine. */
  String host();

  /** Port; the same for the whole life of this object. */
  int port();

  /** {@code redis://host:port}. */
  default String uri() {
    return "redis://" + host() + ":" + port();
  }

  /** Ends the server at once. Nothing if it is down. */
  void kill();

  /** Starts again on the same port. Nothing if it is up. */
  @Override
  void start();

  /** Freezes the server: connections stay open, nothing is answered. */
  void pause();

  /** Ends {@link #pause()}. */
  void resume();

  /** Ends the server. Safe to call again. */
  @Override
  void close();
}
