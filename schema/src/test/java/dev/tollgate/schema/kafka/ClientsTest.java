package dev.tollgate.schema.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings under which something would be lost or repeated are refused before anything starts. */
final class ClientsTest {
  private static void refused(String name, String value, String... words) {
    assertThatThrownBy(() -> new Clients("localhost:9092", Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("refusing to start", name)
        .hasMessageContainingAll(words);
  }

  /** What came while nobody read would never be read. */
  @ParameterizedTest
  @ValueSource(strings = {"latest", "by_duration:PT1H", ""})
  void fc28_offsetsResetToTheEnd_refuseToStart(String reset) {
    refused("auto.offset.reset", reset, "never read", "earliest or none");
  }

  /** A commit that comes late acts on the next transaction: nothing here may rest on one. */
  @Test
  void fc35_transactionsOfKafka_areRefused() {
    refused("transactional.id", "tollgate-1", "acknowledged", "event id");
  }

  @Test
  void fixedSettings_areRefusedWithTheReason() {
    refused("enable.auto.commit", "true", "after the database has committed");
    refused("acks", "1", "every replica");
    refused("enable.idempotence", "false", "reorder or repeat");
  }
}
