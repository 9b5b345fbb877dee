package dev.tollgate.worker.webhook;

import dev.tollgate.schema.config.WebhooksConfig;
import dev.tollgate.schema.store.Inbox;
import dev.tollgate.worker.provider.WebhookReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for webhooks and callbacks. What a request may cost is bounded: its header, its body, the
 * time until its body is here, and the connections at once. Thread-safe.
 */
public final class WebhookServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WebhookServer.class);
  private static final int HEADER_BYTES_MAX = 8 * 1024;
  private static final int THREADS_MAX = 16;
  private static final int BUFFER = 8 * 1024;

  private final WebhooksConfig config;
  private final Receiver receiver;
  private final LongSupplier nanoTime;
  private final Server server;
  private final ServerConnector connector;

  /**
   * Prepares to listen.
   *
   * @param readers by provider
   * @param secret the installation's: it makes callback addresses
   * @param wakeReader called when an event is new
   * @param clock for the age of signatures
   * @param nanoTime for deadlines
   */
  public WebhookServer(
      WebhooksConfig config,
      Map<String, WebhookReader> readers,
      byte[] secret,
      Inbox inbox,
      Runnable wakeReader,
      InstantSource clock,
      LongSupplier nanoTime,
      WebhookListener listener) {
    this.config = config;
    this.nanoTime = nanoTime;
    this.receiver = new Receiver(readers, secret, inbox, wakeReader, clock, nanoTime, listener);
    QueuedThreadPool threads = new QueuedThreadPool(THREADS_MAX);
    threads.setName("webhooks");
    threads.setVirtualThreadsExecutor(
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("webhook-", 0).factory()));
    this.server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(HEADER_BYTES_MAX);
    this.connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(config.host());
    connector.setPort(config.port().orElse(0));
    connector.setIdleTimeout(config.bodyWithin().toMillis());
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(config.connections(), server));
    server.setErrorHandler(new Silent());
    server.setHandler(new Handling());
    server.setStopTimeout(config.bodyWithin().toMillis());
  }

  /**
   * Begins to listen.
   *
   * @throws UncheckedIOException when the port is taken or the host is none of this machine's
   */
  public void start() {
    try {
      server.start();
      log.info("webhooks are received at {}:{}", config.host(), port());
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      String where = config.host() + ":" + config.port().orElse(0);
      throw new UncheckedIOException(new IOException("webhooks cannot be received at " + where, e));
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
      log.warn("the server of webhooks did not stop in order", e);
    }
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

  private final class Handling extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      WebhookAnswer answer = answer(request);
      response.setStatus(answer.status());
      if (answer.status() == 405) {
        response.getHeaders().put(HttpHeader.ALLOW, "POST");
      }
      if (answer.status() >= 400) {
        // the rest of a body that is not wanted is not waited for
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
      }
      if (answer.body().size() > 0) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
      }
      response.write(true, ByteBuffer.wrap(answer.body().toByteArray()), callback);
      return true;
    }
  }

  private WebhookAnswer answer(Request request) {
    WebhookRequest asked =
        new WebhookRequest(request.getMethod(), request.getHttpURI().getPath(), headers(request));
    try {
      Optional<WebhookAnswer> refusal = receiver.refusal(asked);
      if (refusal.isPresent()) {
        return refusal.get();
      }
      Optional<byte[]> body = body(request);
      return body.isPresent() ? receiver.receive(asked, body.get()) : receiver.tooLarge(asked);
    } catch (IOException _) {
      return WebhookAnswer.of(408);
    } catch (RuntimeException e) {
      log.error("a webhook could not be handled, so it is to come again", e);
      return WebhookAnswer.of(503);
    }
  }

  private static Map<String, String> headers(Request request) {
    Map<String, String> headers = new HashMap<>();
    Set<String> twice = new HashSet<>();
    for (HttpField field : request.getHeaders()) {
      String name = field.getName().toLowerCase(Locale.ROOT);
      String value = field.getValue() == null ? "" : field.getValue();
      if (headers.put(name, value) != null) {
        twice.add(name);
      }
    }
    headers.keySet().removeAll(twice);
    return headers;
  }

  /**
   * The body; empty if it is too long.
   *
   * @throws IOException if it did not come in time, or was cut
   */
  private Optional<byte[]> body(Request request) throws IOException {
    long most = config.bodyMax();
    if (request.getLength() > most) {
      return Optional.empty();
    }
    long until = nanoTime.getAsLong() + config.bodyWithin().toNanos();
    var bytes = new java.io.ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Content.Source.asInputStream(request)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        bytes.write(buffer, 0, read);
        if (bytes.size() > most) {
          return Optional.empty();
        }
        if (nanoTime.getAsLong() - until > 0) {
          throw new IOException("the body did not come in time");
        }
      }
    }
    return Optional.of(bytes.toByteArray());
  }
}
