package dev.tollgate.worker.gate;

import java.net.URI;
import java.time.Duration;

/** Settings for gates under test. */
final class TestGates {

  private TestGates() {}

  /** Waits so long that a slow test machine is not taken for a slow Redis. */
  static GateConfig patient(URI redis) {
    return timed(redis, Duration.ofSeconds(10), Duration.ofSeconds(20));
  }

  /** Gives up soon, for tests in which no answer will come. */
  static GateConfig hasty(URI redis) {
    return timed(redis, Duration.ofMillis(100), Duration.ofMillis(500));
  }

  static GateConfig timed(URI redis, Duration socketTimeout, Duration budget) {
    return new GateConfig(
        redis,
        Duration.ofSeconds(5),
        socketTimeout,
        budget,
        Duration.ofSeconds(30),
        Duration.ofDays(1),
        2);
  }
}
