package dev.tollgate.worker.provider.http;

import java.time.Duration;

/**
 * How an engine treats its connections. Immutable.
 *
 * @param protocol what it speaks
 * @param maxConnections the most that are open at once; positive. With HTTP/1.1 also the most
 *     requests under way. With HTTP/2 never more than four are used, and it is the peer that says
 *     how many requests they carry
 * @param connectTimeout how long one address may take to connect, and TLS to be established
 * @param idleLife how long a connection may lie idle and still be used again
 * @param validateAfterIdle an HTTP/1.1 connection that lay idle for longer is tested before it is
 *     used, at the cost of about a millisecond. HTTP/2 needs no test, since its connections are
 *     read from at all times
 */
public record HttpSettings(
    HttpProtocol protocol,
    int maxConnections,
    Duration connectTimeout,
    Duration idleLife,
    Duration validateAfterIdle) {
  /** Long enough for a slow handshake, short beside any submit deadline. */
  public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  /**
   * Under load a connection is rarely idle for so long, so the test costs nothing; without load the
   * millisecond does not matter, and an unknown avoided is worth far more.
   */
  public static final Duration VALIDATE_AFTER_IDLE = Duration.ofMillis(100);

  /** Few peers close an idle connection sooner. */
  private static final Duration IDLE_LIFE_MAX = Duration.ofSeconds(45);

  /**
   * The usual settings, for HTTP/1.1. Idle connections are dropped at three quarters of the peer's
   * own patience, or after 45 s where that is longer, so that we rarely write into one that it is
   * just closing.
   */
  public static HttpSettings of(int maxConnections, Duration connectionLife) {
    Duration patience = connectionLife.multipliedBy(3).dividedBy(4);
    Duration idleLife = patience.compareTo(IDLE_LIFE_MAX) > 0 ? IDLE_LIFE_MAX : patience;
    return new HttpSettings(
        HttpProtocol.HTTP_1_1, maxConnections, CONNECT_TIMEOUT, idleLife, VALIDATE_AFTER_IDLE);
  }

  /** The same with another protocol. */
  public HttpSettings with(HttpProtocol other) {
    return new HttpSettings(other, maxConnections, connectTimeout, idleLife, validateAfterIdle);
  }
}
