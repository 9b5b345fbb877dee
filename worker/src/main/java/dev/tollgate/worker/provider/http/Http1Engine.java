package dev.tollgate.worker.provider.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.io.LeaseRequest;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** The engine of HTTP/1.1: one request at a time on a connection of its own pool. Thread-safe. */
final class Http1Engine implements HttpEngine {
  private static final int BUFFER_MAX = 8 * 1024;

  private final HttpRoute route;
  private final String authority;
  private final HttpSettings settings;
  private final LongSupplier nanoTime;
  private final Deadlines deadlines;
  private final HttpClientConnectionManager connections;
  private final HttpRequestExecutor executor = new HttpRequestExecutor();

  Http1Engine(
      URI origin,
      HttpSettings settings,
      Resolver resolver,
      LongSupplier nanoTime,
      Deadlines deadlines) {
    boolean tls = "https".equals(origin.getScheme());
    int port = origin.getPort() >= 0 ? origin.getPort() : tls ? 443 : 80;
    String host = origin.getHost().replace("[", "").replace("]", "");
    this.route = new HttpRoute(new HttpHost(origin.getScheme(), host, port), null, tls);
    this.authority = origin.getRawAuthority();
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.deadlines = deadlines;
    this.connections = Connections.open(settings, resolver);
  }

  @Override
  public HttpAnswer send(HttpCall call, BodySink sink) {
    while (true) { // every turn that does not return has thrown away one pooled connection
      try {
        return exchange(lease(call), call, sink);
      } catch (UnaskedInput _) {
        // nothing was written to it
      } catch (NoConnection e) {
        return HttpAnswer.notSent(String.valueOf(e.getMessage()));
      }
    }
  }

  @Override
  public void close() {
    connections.close(CloseMode.IMMEDIATE);
  }

  private ConnectionEndpoint lease(HttpCall call) throws NoConnection {
    long room = call.sendNotAfterNanos() - nanoTime.getAsLong();
    if (room <= 0) {
      throw new NoConnection("the send deadline passed before a connection was asked for");
    }
    Timeout patience = Timeout.of(room, TimeUnit.NANOSECONDS);
    LeaseRequest lease = connections.lease("", route, patience, null);
    try {
      return lease.get(patience);
    } catch (InterruptedException _) {
      lease.cancel();
      Thread.currentThread().interrupt();
      throw new NoConnection("interrupted while waiting for a connection");
    } catch (TimeoutException _) {
      lease.cancel();
      throw new NoConnection("no free connection until the send deadline");
    } catch (ExecutionException | RuntimeException e) {
      lease.cancel();
      throw new NoConnection("no connection: " + Evidence.describe(e));
    }
  }

  private HttpAnswer exchange(ConnectionEndpoint endpoint, HttpCall call, BodySink sink)
      throws UnaskedInput {
    Exchange exchange = new Exchange(endpoint, call, nanoTime);
    boolean reusable = false;
    try (Cutoff cutoff = cutAt(call.answerByNanos(), exchange)) {
      HttpClientContext context = HttpClientContext.create();
      boolean fresh = !endpoint.isConnected();
      if (fresh) {
        connect(endpoint, exchange, call, context);
      }
      ClassicHttpRequest request = request(call);
      ClassicHttpResponse response = write(endpoint, exchange, request, fresh, context);
      HttpAnswer answer = read(response, exchange, cutoff, sink);
      reusable =
          answer.end() == BodyEnd.WHOLE
              && !(response instanceof TailAwareResponse aware && aware.hasTail())
              && DefaultClientConnectionReuseStrategy.INSTANCE.keepAlive(request, response, context)
              && exchange.finish();
      return answer;
    } catch (UnaskedInput e) {
      throw e;
    } catch (IOException | HttpException | RuntimeException e) {
      String error =
          exchange.wasCut() && exchange.firstByteSent() ? Evidence.DEADLINE : Evidence.describe(e);
      return exchange.firstByteSent() ? HttpAnswer.silence(error) : HttpAnswer.notSent(error);
    } finally {
      release(endpoint, exchange, reusable);
    }
  }

  private void connect(
      ConnectionEndpoint endpoint, Exchange exchange, HttpCall call, HttpClientContext context)
      throws IOException {
    long room = call.sendNotAfterNanos() - nanoTime.getAsLong();
    long millis = Math.min(settings.connectTimeout().toMillis(), room / 1_000_000);
    // cut as well: the connect timeout holds for each address of the name, and for each TLS read
    try (Cutoff _ = cutAt(call.sendNotAfterNanos(), exchange)) {
      connections.connect(endpoint, TimeValue.ofMilliseconds(Math.max(1, millis)), context);
    }
    endpoint.setSocketTimeout(Timeout.DISABLED);
  }

  private ClassicHttpResponse write(
      ConnectionEndpoint endpoint,
      Exchange exchange,
      ClassicHttpRequest request,
      boolean fresh,
      HttpClientContext context)
      throws IOException, HttpException {
    return endpoint.execute(
        "",
        request,
        (sent, connection, sentContext) -> {
          if (!fresh) {
            requireQuiet(connection);
          }
          exchange.beginSending();
          return executor.execute(sent, connection, sentContext);
        },
        context);
  }

  /**
   * Refuses a pooled connection on which something arrived while it lay idle: it would be read as
   * the answer to the next request. Under TLS the plain bytes are not visible without reading, so
   * there it is the framing of the answer before that has to be trusted.
   */
  private static void requireQuiet(HttpClientConnection connection) throws IOException {
    if (connection instanceof ManagedHttpClientConnection managed
        && managed.getSSLSession() == null) {
      Socket socket = managed.getSocket();
      if (socket != null && socket.getInputStream().available() > 0) {
        throw new UnaskedInput();
      }
    }
  }

  private static HttpAnswer read(
      ClassicHttpResponse response, Exchange exchange, Cutoff cutoff, BodySink sink) {
    int status = response.getCode();
    Map<String, String> headers = kept(response);
    boolean wanted = sink.head(status, headers);
    HttpEntity entity = response.getEntity();
    if (entity != null && !wanted) {
      return HttpAnswer.of(status, headers, sink.collected(), BodyEnd.OVER_LIMIT, "");
    }
    if (entity == null) {
      return HttpAnswer.of(status, headers, sink.collected(), BodyEnd.WHOLE, "");
    }
    long length = entity.getContentLength();
    BodyEnd end = length >= 0 || entity.isChunked() ? BodyEnd.WHOLE : BodyEnd.UNTIL_CLOSE;
    String error = "";
    // one more than a short body needs, so that its end is seen without another buffer's worth
    byte[] buffer = new byte[length >= 0 && length < BUFFER_MAX ? (int) length + 1 : BUFFER_MAX];
    try {
      InputStream body = entity.getContent();
      for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
        cutoff.hold();
        if (!sink.write(status, buffer, 0, n)) {
          end = BodyEnd.OVER_LIMIT;
          break;
        }
        cutoff.release(sink.patienceNanos());
      }
    } catch (IOException | RuntimeException e) {
      end = BodyEnd.CUT;
      error = exchange.wasCut() ? Evidence.DEADLINE : Evidence.describe(e);
    }
    return HttpAnswer.of(status, headers, sink.collected(), end, error);
  }

  private void release(ConnectionEndpoint endpoint, Exchange exchange, boolean reusable) {
    if (reusable) {
      connections.release(endpoint, null, TimeValue.ofMilliseconds(settings.idleLife().toMillis()));
    } else {
      exchange.finish();
      endpoint.close(CloseMode.IMMEDIATE);
      connections.release(endpoint, null, TimeValue.ZERO_MILLISECONDS);
    }
  }

  private ClassicHttpRequest request(HttpCall call) {
    BasicClassicHttpRequest request =
        new BasicClassicHttpRequest(call.method(), route.getTargetHost(), call.target());
    request.setHeader("Host", authority);
    request.setHeader("User-Agent", "tollgate");
    request.setHeader("Accept-Encoding", "identity");
    call.headers().forEach(request::setHeader);
    call.body()
        .ifPresent(
            body -> {
              request.setHeader("Content-Type", "application/json");
              request.setHeader("Content-Length", Integer.toString(body.length));
              request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
            });
    return request;
  }

  private Cutoff cutAt(long atNanos, Exchange exchange) {
    return new Cutoff(deadlines, nanoTime, atNanos, exchange::cut);
  }

  private static Map<String, String> kept(ClassicHttpResponse response) {
    Map<String, String> kept = new HashMap<>();
    for (Header header : response.getHeaders()) {
      Evidence.keep(
          kept, header.getName().toLowerCase(Locale.ROOT), String.valueOf(header.getValue()));
    }
    return kept;
  }

  /** There is no connection, so nothing was sent. */
  private static final class NoConnection extends Exception {
    NoConnection(String message) {
      super(message);
    }
  }

  /** The peer said something that nobody had asked. */
  private static final class UnaskedInput extends IOException {
    UnaskedInput() {
      super("bytes were waiting on an idle connection");
    }
  }
}
