package dev.tollgate.embedded;

/** What the servers have in common. Thread-safe. */
public interface Server extends AutoCloseable {
  /** Whether its process runs; it may be frozen, or not answer yet. */
  boolean isUp();

  /** Starts again on the same port. Nothing if it is up. */
  void start();

  /** Ends the server. Safe to call again. */
  @Override
  void close();
}
