package dev.tollgate.worker.provider.http;

import java.time.Duration;

/**
 * How an engine treats its connections.
 *
 * @param maxConnections the most that are open at once; positive
 * @param connectTimeout how long one address may take to connect, and TLS to be established
 * @param idleLife how long a connection may lie idle and still be used again
 * @param validateAfterIdle a connection that lay idle for longer is tested before it is used, at
 *     the cost of about a millisecond
 */
public record HttpSettings(
    int maxConnections, Duration connectTimeout, Duration idleLife, Duration validateAfterIdle) {
  /** Long enough for a slow handshake, short beside any submit deadline. */
  public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  /**
   * Under load a connection is rarely idle for so long, so the test costs nothing; without load the
   * millisecond does not matter, and an unknown avoided is worth far more.
   */
  public static final Duration VALIDATE_AFTER_IDLE = Duration.ofMillis(100);

  /**
   * The usual settings. Idle connections are dropped at three quarters of the peer's own patience,
   * so that we rarely write into one that it is just closing.
   */
  public static HttpSettings of(int maxConnections, Duration connectionLife) {
    Duration idleLife = connectionLife.multipliedBy(3).dividedBy(4);
    return new HttpSettings(maxConnections, CONNECT_TIMEOUT, idleLife, VALIDATE_AFTER_IDLE);
  }
}
