package dev.tollgate.worker.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.JedisURIHelper;

/**
 * A few pooled connections to one Redis, each call bounded by the budget whatever the network does.
 *
 * <p>Jedis's connections are used below its command layer: raw pipelines, so that nothing repeats a
 * command by itself. A call runs on a virtual thread of its own; when the budget ends first, the
 * caller goes on at once and the connection is cut, which also wakes a write into a full send
 * buffer (Java has no timeout for writes). Thread-safe.
 */
final class RedisLink implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RedisLink.class);

  private final ConnectionPool pool;
  private final Duration budget;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("gate-", 0).factory());

  RedisLink(GateConfig config) {
    this.budget = config.budget();
    this.pool =
        new ConnectionPool(
            JedisURIHelper.getHostAndPort(config.redis()), client(config), limits(config));
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

  private static ConnectionPoolConfig limits(GateConfig config) {
    // as it comes it drops what was idle for a minute, before a firewall forgets it silently
    var limits = new ConnectionPoolConfig();
    limits.setMaxTotal(config.connections());
    limits.setMaxIdle(config.connections());
    limits.setMaxWait(config.connectTimeout());
    limits.setTestWhileIdle(false); // a PING proves little, and would need a permission of its own
    limits.setJmxEnabled(false);
    return limits;
  }

  /** Runs the work with a connection, or fails within the budget. */
  <T> T call(Function<Session, T> work) throws RedisAwayException {
    Session session = new Session();
    try {
      Future<T> result = threads.submit(() -> session.run(work));
      return result.get(budget.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      abandon(session);
      throw new RedisAwayException("no answer within " + budget.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      abandon(session);
      Thread.currentThread().interrupt();
      throw new RedisAwayException("interrupted", e);
    } catch (ExecutionException e) {
      throw new RedisAwayException(String.valueOf(e.getCause()), e.getCause());
    } catch (RejectedExecutionException e) {
      throw new RedisAwayException("the gate is closed", e);
    }
  }

  private void abandon(Session session) {
    // not on the caller's thread: closing a TLS socket may wait for the write it interrupts
    Thread.ofVirtual().name("gate-abandon").start(session::abandon);
  }

  @Override
  public void close() {
    threads.shutdown();
    pool.close();
  }

  /** One call's use of a connection. Confined to the call's thread, except for {@link #abandon}. */
  final class Session {
    private final Object lock = new Object();

    @GuardedBy("lock")
    private @Nullable Connection inUse;

    // written by the caller that gave up, read by the call's own thread
    private volatile boolean abandoned;
    private @Nullable Connection connection;
    private int sent;

    private <T> T run(Function<Session, T> work) {
      try (Connection taken = pool.getResource()) {
        boolean clean = false;
        hold(taken);
        try {
          T result = work.apply(this);
          clean = true;
          return result;
        } finally {
          hold(null);
          if (!clean || abandoned) {
            // replies may still be under way: nobody may read them as answers to other questions
            taken.setBroken();
          }
        }
      } catch (RuntimeException | Error e) {
        // what broke one connection has most likely broken its neighbours: let the next probe meet
        // a fresh one
        pool.clear();
        throw e;
      }
    }

    private void hold(@Nullable Connection taken) {
      connection = taken;
      synchronized (lock) {
        inUse = taken;
      }
    }

    /** Adds one command to the pipeline. */
    void send(ProtocolCommand command, byte[]... args) {
      // a cut connection would reconnect by itself, without its credentials, and go on half way
      // through the batch
      if (abandoned || connection == null) {
        throw new JedisConnectionException("given up by the caller");
      }
      connection.sendCommand(command, args);
      sent++;
    }

    /**
     * Sends what has been added, and reads one reply for each: {@code byte[]}, {@code Long}, {@code
     * List}, null, or the {@code JedisDataException} that stands for an error.
     */
    List<@Nullable Object> receive() {
      int expected = sent;
      sent = 0;
      if (expected == 0 || connection == null) {
        return List.of();
      }
      return new ArrayList<@Nullable Object>(connection.getMany(expected));
    }

    private void abandon() {
      abandoned = true;
      synchronized (lock) {
        if (inUse != null) {
          try {
            inUse.forceDisconnect();
          } catch (IOException e) {
            log.debug("an abandoned connection did not close cleanly", e);
          }
        }
      }
      pool.clear();
    }
  }
}
