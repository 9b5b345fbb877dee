package dev.tollgate.schema.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** How long brokers keep the messages of a topic, as they say themselves. */
public sealed interface KeptMessages {
  String topic();

  /** A hundred years: more is written for "never", and is more than a date can be taken from. */
  Duration FOR_EVER = Duration.ofDays(36_500);

  /**
   * By its retention.
   *
   * @param time until a segment's newest message is that old; {@code rollsWithin} later at most,
   *     the segment is over
   */
  record For(String topic, Duration time, Duration rollsWithin) implements KeptMessages {
    public For {
      time = time.compareTo(FOR_EVER) > 0 ? FOR_EVER : time;
      rollsWithin = rollsWithin.compareTo(FOR_EVER) > 0 ? FOR_EVER : rollsWithin;
    }

    /**
     * The longest that one of its messages can still be read: a segment goes when its newest
     * message is old enough, so its oldest may be older by as long as a segment takes messages.
     */
    public Duration longest() {
      return time.plus(rollsWithin);
    }
  }

  /**
   * For ever, as far as is known.
   *
   * @param why it keeps all, or could not be asked
   */
  record Unbounded(String topic, String why) implements KeptMessages {}

  /**
   * Asks the brokers; blocks for some seconds at most.
   *
   * @return one answer for each topic, in their order
   * @throws KafkaException if they could not be asked at all
   */
  static List<KeptMessages> of(Clients clients, Collection<String> topics)
      throws InterruptedException {
    List<KeptMessages> kept = new ArrayList<>();
    Admin admin = clients.admin();
    try {
      Map<ConfigResource, KafkaFuture<Config>> asked =
          admin
              .describeConfigs(
                  topics.stream()
                      .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                      .toList())
              .values();
      for (String topic : topics) {
        KafkaFuture<Config> answer =
            asked.get(new ConfigResource(ConfigResource.Type.TOPIC, topic));
        kept.add(answer == null ? new Unbounded(topic, "it is not told") : of(topic, answer));
      }
      return kept;
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  private static KeptMessages of(String topic, KafkaFuture<Config> answer)
      throws InterruptedException {
    try {
      Config config = answer.get(8, TimeUnit.SECONDS);
      long millis = number(config, TopicConfig.RETENTION_MS_CONFIG);
      long bytes = number(config, TopicConfig.RETENTION_BYTES_CONFIG);
      if (!text(config, TopicConfig.CLEANUP_POLICY_CONFIG)
          .contains(TopicConfig.CLEANUP_POLICY_DELETE)) {
        return new Unbounded(topic, "it is compacted, so the newest of each key stays");
      }
      if (millis > FOR_EVER.toMillis()) {
        return new Unbounded(topic, "retention.ms is more than a hundred years");
      }
      if (millis < 0) {
        return new Unbounded(
            topic,
            bytes < 0
                ? "retention.ms is -1"
                : "retention.ms is -1, and how long retention.bytes last is not known");
      }
      return new For(
          topic,
          Duration.ofMillis(millis),
          Duration.ofMillis(Math.max(0, number(config, TopicConfig.SEGMENT_MS_CONFIG))));
    } catch (ExecutionException e) {
      return new Unbounded(
          topic, "it could not be asked about: " + (e.getCause() == null ? e : e.getCause()));
    } catch (TimeoutException e) {
      throw new KafkaException("no answer about " + topic, e);
    }
  }

  private static long number(Config config, String name) {
    String text = text(config, name);
    return text.isEmpty() ? -1 : Long.parseLong(text);
  }

  private static String text(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? "" : entry.value();
  }
}
