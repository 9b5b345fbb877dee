package dev.tollgate.worker.gate;

import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.JedisURIHelper;

/**
 * A few connections, made when needed and kept for the next call. Thread-safe.
 *
 * <p>Jedis's own pool is not used: it replaces a broken connection at once, which while Redis is
 * away means to wait for a second failure after each first.
 */
final class RedisConnections implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RedisConnections.class);

  /** A firewall on the way may have forgotten a connection that rested longer. */
  private static final long LONGEST_REST_NANOS = Duration.ofMinutes(1).toNanos();

  private final HostAndPort address;
  private final JedisClientConfig client;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private final int most;
  private final Semaphore permits;
  private final Deque<Resting> resting = new ConcurrentLinkedDeque<>();
  // written by whoever ends the process, read by calls that end later
  private volatile boolean closed;

  RedisConnections(GateConfig config, LongSupplier nanoTime) {
    this.address = JedisURIHelper.getHostAndPort(config.redis());
    this.client = client(config);
    this.patience = config.connectTimeout();
    this.nanoTime = nanoTime;
    this.most = config.connections();
    this.permits = new Semaphore(config.connections());
  }

  private static JedisClientConfig client(GateConfig config) {
    return DefaultJedisClientConfig.builder()
        .connectionTimeoutMillis((int) config.connectTimeout().toMillis())
        .socketTimeoutMillis((int) config.socketTimeout().toMillis())
        .user(JedisURIHelper.getUser(config.redis()))
        .password(JedisURIHelper.getPassword(config.redis()))
        .database(JedisURIHelper.getDBIndex(config.redis()))
        .sslOptions(tls(config))
        // no greeting: nothing of RESP3 is needed, and HELLO would cost a round trip each time
        .serverDefaultProtocol()
        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
        .build();
  }

  private static @Nullable SslOptions tls(GateConfig config) {
    return JedisURIHelper.isRedisSSLScheme(config.redis())
        ? SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build()
        : null;
  }

  /** The connection that rested for the shortest time, or a new one. Each is to be given back. */
  Connection take() throws InterruptedException {
    if (!permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new JedisConnectionException("all connections are in use");
    }
    boolean taken = false;
    try {
      Connection connection = rested();
      if (connection == null) {
        connection = new Connection(address, client);
      }
      taken = true;
      return connection;
    } finally {
      if (!taken) {
        permits.release();
      }
    }
  }

  int inUse() {
    return most - permits.availablePermits();
  }

  private @Nullable Connection rested() {
    for (Resting next = resting.pollFirst(); next != null; next = resting.pollFirst()) {
      if (nanoTime.getAsLong() - next.sinceNanos() < LONGEST_REST_NANOS) {
        return next.connection();
      }
      cut(next.connection());
    }
    return null;
  }

  /**
   * @param clean whether every reply has been read: of others nobody may take a late reply for the
   *     answer to another question
   */
  void giveBack(Connection connection, boolean clean) {
    if (clean && !connection.isBroken()) {
      resting.addFirst(new Resting(connection, nanoTime.getAsLong()));
    } else {
      cut(connection);
    }
    permits.release();
    if (closed) {
      cutResting();
    }
  }

  /** Ends all connections that rest: what broke one has most likely broken its neighbours. */
  void cutResting() {
    for (Resting next = resting.pollFirst(); next != null; next = resting.pollFirst()) {
      cut(next.connection());
    }
  }

  /** Ends a connection without a last flush, which could wait for a Redis that reads no more. */
  static void cut(Connection connection) {
    try {
      connection.forceDisconnect();
    } catch (IOException e) {
      log.debug("a connection did not close cleanly", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    cutResting();
  }

  private record Resting(Connection connection, long sinceNanos) {}
}
