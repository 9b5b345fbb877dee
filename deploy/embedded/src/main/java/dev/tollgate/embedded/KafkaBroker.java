package dev.tollgate.embedded;

import java.util.Collection;
import java.util.List;

/**
 * A running single Kafka broker (KRaft, broker and controller in one). Topics are never created by
 * themselves. Thread-safe.
 */
public interface KafkaBroker extends Server {
  /** {@code host:port} for clients; the same for the whole life of this object. */
  String bootstrapServers();

  /**
   * Creates topics with one replica and waits until each partition has a leader. Topics that exist
   * already are left as they are.
   *
   * @throws ServicesException {@code REQUEST_FAILED} when the broker refuses or does not answer
   */
  void createTopics(int partitions, Collection<String> names);

  /** As {@link #createTopics(int, Collection)}. */
  default void createTopics(int partitions, String... names) {
    createTopics(partitions, List.of(names));
  }

  /** Ends the broker at once, as kill -9 does. Nothing if it is down. */
  void kill();

  /** Starts again on the same data and port. Nothing if it is up. */
  @Override
  void start();

  /** Freezes the broker: connections stay open, nothing is answered. */
  void pause();

  /** Ends {@link #pause()}. */
  void resume();

  /** Ends the broker; its data goes if it was temporary. Safe to call again. */
  @Override
  void close();
}
