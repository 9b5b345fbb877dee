package dev.tollgate.worker.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Calls to one Redis, each call bounded by the budget whatever the network does.
 *
 * <p>Jedis's connections are used below its command layer: raw pipelines, so that nothing repeats a
 * command by itself. A call runs on a thread of its own; when the budget ends first, the caller
 * goes on at once and the connection is cut, which also wakes a write into a full send buffer (Java
 * has no timeout for writes). Not on a virtual thread: those wait in one line with all the sends
 * that were just started, and the budget would run out on a healthy Redis. Thread-safe.
 */
final class RedisLink implements AutoCloseable {

  private final RedisConnections connections;
  private final Duration budget;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("gate-", 0).factory());

  RedisLink(GateConfig config, LongSupplier nanoTime) {
    this.budget = config.budget();
    this.connections = new RedisConnections(config, nanoTime);
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

  int connectionsInUse() {
    return connections.inUse();
  }

  private void abandon(Session session) {
    // not on the caller's thread: closing a TLS socket may wait for the write it interrupts
    Thread.ofVirtual().name("gate-abandon").start(session::abandon);
  }

  @Override
  public void close() {
    threads.shutdown();
    connections.close();
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

    private <T> T run(Function<Session, T> work) throws InterruptedException {
      boolean clean = false;
      try {
        Connection taken = connections.take();
        hold(taken);
        try {
          T result = work.apply(this);
          clean = true;
          return result;
        } finally {
          hold(null);
          connections.giveBack(taken, clean && !abandoned);
        }
      } finally {
        if (!clean) {
          connections.cutResting();
        }
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
          RedisConnections.cut(inUse);
        }
      }
      connections.cutResting();
    }
  }
}
