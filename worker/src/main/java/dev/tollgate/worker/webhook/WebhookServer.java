package dev.tollgate.worker.webhook;

import dev.tollgate.schema.config.WebhooksConfig;
import dev.tollgate.schema.store.Inbox;
import dev.tollgate.worker.provider.WebhookReader;
import dev.tollgate.worker.web.HttpPort;
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
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for webhooks and callbacks. What a request may cost is bounded: its header, its body, the
 * time until its body is here, and the connections at once. Thread-safe.
 */
public final class WebhookServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WebhookServer.class);
  private static final int BUFFER = 8 * 1024;

  private final WebhooksConfig config;
  private final Receiver receiver;
  private final HttpPort http;

  /**
   * Prepares to listen.
   *
   * @param readers by provider
   * @param secret the installation's: it makes callback addresses
   * @param wakeReader called when an event is new
   * @param clock for the age of signatures
   * @param nanoTime for how often what happens again and again is told
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
    this.receiver = new Receiver(readers, secret, inbox, wakeReader, clock, nanoTime, listener);
    this.http =
        new HttpPort(
            "webhooks",
            config.host(),
            config.port().orElse(0),
            new HttpPort.Limits(
                config.connections(),
                config.headWithin(),
                config.bodyWithin(),
                config.bodyWithin()),
            new Handling());
  }

  /**
   * Begins to listen.
   *
   * @throws UncheckedIOException when the port is taken or the host is none of this machine's
   */
  public void start() {
    http.start();
  }

  /** The port that it listens on. */
  public int port() {
    return http.port();
  }

  /** Lets requests under way end, for a bounded time. */
  @Override
  public void close() {
    http.close();
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
    var bytes = new java.io.ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER];
    // also where bytes come that are none of the body's, so that no read ends
    try (var _ = HttpPort.cutAfter(request, config.bodyWithin());
        InputStream in = Content.Source.asInputStream(request)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        bytes.write(buffer, 0, read);
        if (bytes.size() > most) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(bytes.toByteArray());
  }
}
