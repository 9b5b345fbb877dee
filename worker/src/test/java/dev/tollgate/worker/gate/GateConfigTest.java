package dev.tollgate.worker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GateConfigTest {

  @Test
  void defaults_arePinned() {
    assertThat(GateConfig.of(URI.create("redis://cache:6379")))
        .isEqualTo(
            new GateConfig(
                URI.create("redis://cache:6379"),
                Duration.ofMillis(200),
                Duration.ofMillis(100),
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                Duration.ofHours(24),
                4));
  }

  @Test
  void toString_hidesCredentials() {
    assertThat(GateConfig.of(URI.create("rediss://worker:s3cret@cache:6379/2")).toString())
        .contains("rediss://cache:6379")
        .doesNotContain("s3cret")
        .doesNotContain("worker");
  }

  @Test
  void mistakes_areReportedTogether() {
    assertThatThrownBy(
            () ->
                new GateConfig(
                    URI.create("http://cache"),
                    Duration.ZERO,
                    Duration.ofNanos(1),
                    Duration.ofHours(1),
                    Duration.ofMillis(1500),
                    Duration.ZERO,
                    0))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains(
            "redis must",
            "connectTimeout",
            "socketTimeout",
            "budget",
            "claimTtl",
            "consumedTtl",
            "connections");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "w 1", "w:1", "w1\n", "w1\0", "\u0131"})
  void ownerThatCouldBlurAValue_isRefused(String owner) {
    assertThatThrownBy(() -> new GateCodec("1", owner))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{1}", "1 2", "1\n", "*"})
  void incarnationThatCouldBlurAKey_isRefused(String incarnation) {
    assertThatThrownBy(() -> new GateCodec(incarnation, "w1"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void requestHashOfAnotherLength_isRefused() {
    assertThatThrownBy(() -> new GateKey(new byte[1], new byte[31]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
