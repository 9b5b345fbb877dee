package dev.tollgate.worker.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port at which HTTP is answered, each request by a virtual thread. TLS ends in front of it.
 * Thread-safe.
 */
public final class HttpPort implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpPort.class);
  private static final int HEAD_BYTES_MAX = 8 * 1024;
  private static final int THREADS_MAX = 16;

  /** Connections that the system holds while there are too many: who comes honestly waits there. */
  private static final int QUEUED = 1024;

  private final String name;
  private final String host;
  private final Server server;
  private final ServerConnector connector;

  /**
   * What connections may cost.
   *
   * @param connections most at once
   * @param headWithin how long a request's head may take, from the connection's first moment or
   *     from the end of the answer before
   * @param idle how long nothing may be read or written
   * @param stopWithin how long requests under way have to end
   */
  public record Limits(int connections, Duration headWithin, Duration idle, Duration stopWithin) {}

  /** Ends a wait that {@link #cutAfter} bounds. */
  @FunctionalInterface
  public interface Cut extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Prepares to listen.
   *
   * @param name of what is served, for logs and threads
   * @param port 0 for any that is free
   */
  public HttpPort(String name, String host, int port, Limits limits, Handler handler) {
    this.name = name;
    this.host = host;
    QueuedThreadPool threads = new QueuedThreadPool(THREADS_MAX);
    threads.setName(name);
    threads.setVirtualThreadsExecutor(
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name + "-", 0).factory()));
    this.server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(HEAD_BYTES_MAX);
    this.connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(host);
    connector.setPort(port);
    connector.setIdleTimeout(limits.idle().toMillis());
    connector.setAcceptQueueSize(QUEUED);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(limits.connections(), server));
    server.setErrorHandler(new Silent());
    Heads heads = new Heads(connector, limits.headWithin(), handler);
    connector.addBean(heads.connections());
    server.setHandler(heads);
    server.setStopTimeout(limits.stopWithin().toMillis());
  }

  /**
   * Begins to listen.
   *
   * @throws UncheckedIOException when the port is taken or the host is none of this machine's
   */
  public void start() {
    try {
      server.start();
      log.info("{} are served at {}:{}", name, host, port());
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      String where = host + ":" + connector.getPort();
      throw new UncheckedIOException(
          new IOException("%s cannot be served at %s".formatted(name, where), e));
    }
  }

  /** The port that it listens on. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Lets requests under way end, for a bounded time. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      log.warn("the server of {} did not stop in order", name, e);
    }
  }

  /**
   * Cuts the connection of a request, whatever came by then, unless the result is closed before:
   * whoever waits for something of it gets an {@link IOException}.
   */
  public static Cut cutAfter(Request request, Duration time) {
    EndPoint client = request.getConnectionMetaData().getConnection().getEndPoint();
    Scheduler.Task task =
        request
            .getConnectionMetaData()
            .getConnector()
            .getScheduler()
            .schedule(client::close, time.toNanos(), TimeUnit.NANOSECONDS);
    return task::cancel;
  }

  /** No page, no reason, no name of a class. */
  private static final class Silent implements Request.Handler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, 0);
      callback.succeeded();
      return true;
    }
  }
}
