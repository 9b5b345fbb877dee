package dev.tollgate.schema.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.embedded.SharedServices;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a real broker says of how long it keeps messages. */
final class KeptMessagesIT {
  private static final String PREFIX = SharedServices.topicPrefix(KeptMessagesIT.class);
  private static final Clients CLIENTS =
      new Clients(SharedServices.kafka().bootstrapServers(), Map.of());

  private static String topic(String name) {
    return PREFIX + "." + name;
  }

  private static NewTopic topic(String name, Map<String, String> config) {
    return new NewTopic(topic(name), 1, (short) 1).configs(config);
  }

  @BeforeAll
  static void create() throws Exception {
    try (Admin admin = CLIENTS.admin()) {
      admin
          .createTopics(
              List.of(
                  topic("hours", Map.of("retention.ms", "7200000", "segment.ms", "3600000")),
                  topic("ever", Map.of("retention.ms", "-1")),
                  topic("bytes", Map.of("retention.ms", "-1", "retention.bytes", "1000000")),
                  topic("compacted", Map.of("cleanup.policy", "compact")),
                  topic(
                      "both",
                      Map.of(
                          "cleanup.policy", "compact,delete",
                          "retention.ms", "1000",
                          "segment.ms", "1000"))))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
  }

  private static KeptMessages asked(String name) throws InterruptedException {
    return KeptMessages.of(CLIENTS, List.of(topic(name))).getFirst();
  }

  @Test
  void byTime_asLongAsItsOldestMessageMayLast() throws InterruptedException {
    assertThat(asked("hours"))
        .isEqualTo(new KeptMessages.For(topic("hours"), Duration.ofHours(2), Duration.ofHours(1)));
    assertThat(((KeptMessages.For) asked("hours")).longest()).isEqualTo(Duration.ofHours(3));
    assertThat(asked("both")).isInstanceOf(KeptMessages.For.class);
  }

  @Test
  void withoutATime_itSaysWhy() throws InterruptedException {
    assertThat(why("ever")).isEqualTo("retention.ms is -1");
    assertThat(why("bytes")).contains("retention.bytes");
    assertThat(why("compacted")).contains("compacted");
    assertThat(why("missing")).contains("could not be asked about", "UnknownTopic");
  }

  private static String why(String name) throws InterruptedException {
    return ((KeptMessages.Unbounded) asked(name)).why();
  }

  @Test
  void oneAnswerForEach_inTheirOrder() throws InterruptedException {
    assertThat(KeptMessages.of(CLIENTS, List.of(topic("missing"), topic("hours"), topic("ever"))))
        .extracting(KeptMessages::topic)
        .containsExactly(topic("missing"), topic("hours"), topic("ever"));
  }
}
