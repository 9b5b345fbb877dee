package dev.tollgate.schema.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings of retention that cannot be meant, and what holds without any. */
final class RetentionCheckTest {
  private static TollgateConfig config(Map<String, String> further) {
    Map<String, String> settings =
        new TreeMap<>(
            Map.of(
                "tollgate.kafka.bootstrap-servers", "none:1",
                "tollgate.database.url", "jdbc:postgresql://none/none"));
    settings.putAll(further);
    return ConfigFile.read(Optional.empty(), settings);
  }

  @Test
  void defaults() {
    RetentionConfig retention = config(Map.of()).retention();
    assertThat(retention.enabled()).isTrue();
    assertThat(retention.billingWindow()).isEqualTo(Duration.ofDays(90));
    assertThat(retention.auditWindow()).isEqualTo(Duration.ofDays(90));
    assertThat(retention.batch()).isEqualTo(500);
    assertThat(retention.pause()).isEqualTo(Duration.ofMillis(500));
    assertThat(retention.every()).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @CsvSource({
    "batch, 0, is 0",
    "batch, 10001, is 10001",
    "pause, 0s, must be positive",
    "every, 0s, must be positive",
    "billing-window, PT-1H, is not from 0",
    "audit-window, 40000d, is not from 0"
  })
  void whatCannotBe_isRefused(String key, String value, String told) {
    assertThatThrownBy(() -> config(Map.of("tollgate.retention." + key, value)))
        .isInstanceOf(ConfigFile.Invalid.class)
        .hasMessageContaining("tollgate.retention." + key)
        .hasMessageContaining(told);
  }
}
