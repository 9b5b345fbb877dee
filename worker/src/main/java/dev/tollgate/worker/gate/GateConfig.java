package dev.tollgate.worker.gate;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How to reach Redis, and how long to wait for it.
 *
 * @param redis address and credentials, {@code redis://[user:password@]host:port[/db]}, the scheme
 *     ending in a second s for TLS
 * @param connectTimeout for one connection attempt
 * @param socketTimeout for one read
 * @param budget for one call of the gate altogether: name look-up, connecting, writing and reading
 *     included. Neither of the two timeouts bounds a name server that hangs, a full send buffer, or
 *     replies that trickle in; this one does.
 * @param claimTtl how long a claim stands if its owner dies; whole seconds
 * @param consumedTtl how long a durable operation is remembered; whole seconds
 * @param connections the most connections held at once
 */
public record GateConfig(
    URI redis,
    Duration connectTimeout,
    Duration socketTimeout,
    Duration budget,
    Duration claimTtl,
    Duration consumedTtl,
    int connections) {

  public GateConfig {
    List<String> problems = new ArrayList<>();
    String scheme = String.valueOf(redis.getScheme()).toLowerCase(Locale.ROOT);
    if (!(scheme.equals("redis") || scheme.equals("rediss"))
        || redis.getHost() == null
        || redis.getPort() < 1) {
      problems.add("redis must be redis://host:port or rediss://host:port");
    }
    millis(problems, "connectTimeout", connectTimeout);
    millis(problems, "socketTimeout", socketTimeout);
    millis(problems, "budget", budget);
    wholeSeconds(problems, "claimTtl", claimTtl);
    wholeSeconds(problems, "consumedTtl", consumedTtl);
    if (connections < 1) {
      problems.add("connections must be at least 1, is " + connections);
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("gate: " + String.join("; ", problems));
    }
  }

  /**
   * The defaults: 200 ms to connect, 100 ms for a read, 500 ms altogether; claims stand 30 s, marks
   * a day.
   */
  public static GateConfig of(URI redis) {
    return new GateConfig(
        redis,
        Duration.ofMillis(200),
        Duration.ofMillis(100),
        Duration.ofMillis(500), // a connection, its greeting, and the two round trips of ask
        Duration.ofSeconds(30),
        Duration.ofDays(1),
        4);
  }

  private static void millis(List<String> problems, String name, Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(Duration.ofMinutes(1)) > 0) {
      problems.add(name + " must lie between 1 ms and 1 min, is " + value);
    }
  }

  private static void wholeSeconds(List<String> problems, String name, Duration value) {
    if (value.isNegative() || value.isZero() || value.toNanosPart() != 0) {
      problems.add(name + " must be a positive number of whole seconds, is " + value);
    }
  }

  /** Without the user and password. */
  @Override
  public String toString() {
    return "GateConfig[%s://%s:%d, connectTimeout=%s, socketTimeout=%s, budget=%s, claimTtl=%s, consumedTtl=%s, connections=%d]"
        .formatted(
            redis.getScheme(),
            redis.getHost(),
            redis.getPort(),
            connectTimeout,
            socketTimeout,
            budget,
            claimTtl,
            consumedTtl,
            connections);
  }
}
