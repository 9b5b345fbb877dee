package dev.tollgate.schema.client;

import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.event.Topics;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a client is to work. Immutable.
 *
 * @param bootstrapServers the cluster, {@code host:port} and more of them behind commas
 * @param topics the installation's topics
 * @param settings further settings of its Kafka clients, such as security
 * @param source what its requests name as their source: whom a budget may be for
 * @param from results are read from this moment on, by the records' timestamps; null means from
 *     when the client is opened
 * @param resultsKept how many of the latest results that were read are remembered, whoever asked
 *     for the operation: a request of one of them is answered at once. Each takes about 1 kB
 * @param progress hears of the states before the end (accepted, unknown) of what is waited for, in
 *     order and once each, on the reading thread: it must be short
 */
public record ClientOptions(
    String bootstrapServers,
    Topics topics,
    Map<String, String> settings,
    String source,
    @Nullable Instant from,
    int resultsKept,
    Consumer<ResultEvent> progress) {
  /** Some megabytes, and more than come in while a submit is on its way. */
  static final int RESULTS_KEPT = 10_000;

  public ClientOptions {
    settings = Map.copyOf(settings);
    if (resultsKept < 1) {
      throw new IllegalArgumentException(
          "resultsKept is %d, not at least 1".formatted(resultsKept));
    }
  }

  /** The defaults: the default topics, and results from now on. */
  public static ClientOptions of(String bootstrapServers) {
    return new ClientOptions(
        bootstrapServers,
        Topics.DEFAULT,
        Map.of(),
        RequestWriter.SOURCE,
        null,
        RESULTS_KEPT,
        _ -> {});
  }

  /**
   * Other topics.
   *
   * @param prefix as {@code tollgate.kafka.topic-prefix} of the installation
   */
  public ClientOptions withTopicPrefix(String prefix) {
    return new ClientOptions(
        bootstrapServers, new Topics(prefix), settings, source, from, resultsKept, progress);
  }

  /** Further settings of the Kafka clients, in place of those given before. */
  public ClientOptions withSettings(Map<String, String> further) {
    return new ClientOptions(
        bootstrapServers, topics, further, source, from, resultsKept, progress);
  }

  /** Another source, 1 to 255 characters. */
  public ClientOptions withSource(String name) {
    return new ClientOptions(bootstrapServers, topics, settings, name, from, resultsKept, progress);
  }

  /**
   * Joins late: what ended since {@code moment} is heard too, as by a process that starts again and
   * submits again what it had submitted. Where more than {@code keep} operations of all producers
   * ended since, those of the earlier ones are not remembered.
   */
  public ClientOptions withFrom(Instant moment, int keep) {
    return new ClientOptions(bootstrapServers, topics, settings, source, moment, keep, progress);
  }

  /** Who hears of the states before the end. */
  public ClientOptions withProgress(Consumer<ResultEvent> listener) {
    return new ClientOptions(
        bootstrapServers, topics, settings, source, from, resultsKept, listener);
  }
}
