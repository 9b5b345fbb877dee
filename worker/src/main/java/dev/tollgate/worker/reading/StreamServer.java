package dev.tollgate.worker.reading;

import dev.tollgate.schema.config.StreamsConfig;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Wanted;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.worker.web.HttpPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves streams to their readers, and the page that shows how a browser reads one. What a reader
 * may cost is bounded: its request's head, its connection's time, the time it takes for what was
 * written, and the connections at once. Thread-safe.
 */
public final class StreamServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StreamServer.class);

  /** How long a new reader waits for the database. */
  private static final Duration PLACE_WITHIN = Duration.ofSeconds(5);

  private static final String EVENTS = "text/event-stream";

  /** The page is one file and speaks with whatever stream it is given. */
  private static final String PAGE_POLICY =
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src *;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final StreamsConfig config;
  private final byte[] secret;
  private final Chunks chunks;
  private final Pages pages;
  private final LongSupplier nanoTime;
  private final ReadingListener listener;
  private final byte[] page = page();
  private final HttpPort http;
  private final AtomicInteger open = new AtomicInteger();

  /** Thousands who come again at once must not take the connections that the worker works with. */
  private final Semaphore placing = new Semaphore(1);

  /**
   * Prepares to listen.
   *
   * @param secret the installation's: it makes addresses
   * @param nanoTime for deadlines
   */
  public StreamServer(
      StreamsConfig config,
      byte[] secret,
      Chunks chunks,
      LongSupplier nanoTime,
      ReadingListener listener) {
    this.config = config;
    this.secret = secret.clone();
    this.chunks = chunks;
    this.pages = new Pages(chunks, config.lookEvery(), nanoTime);
    this.nanoTime = nanoTime;
    this.listener = listener;
    this.http =
        new HttpPort(
            "streams",
            config.host(),
            config.port().orElse(0),
            new HttpPort.Limits(
                config.connections(),
                config.headWithin(),
                // longer than a reader may hear nothing or take nothing, which is bounded where it
                // is written
                config.heartbeat().multipliedBy(2).plus(config.writeWithin()),
                PLACE_WITHIN),
            new Handling());
  }

  /**
   * Begins to listen.
   *
   * @throws UncheckedIOException when the port is taken or the host is none of this machine's
   */
  public void start() {
    pages.start();
    http.start();
  }

  /** The port that it listens on. */
  public int port() {
    return http.port();
  }

  /** How many readers are connected now. */
  public int readers() {
    return open.get();
  }

  /** Ends all connections: their readers go on elsewhere, where they were. */
  @Override
  public void close() {
    pages.close();
    http.close();
  }

  private final class Handling extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      HttpFields.Mutable headers = response.getHeaders();
      headers.put(HttpHeader.CACHE_CONTROL, "no-store");
      headers.put("X-Content-Type-Options", "nosniff");
      headers.put("Referrer-Policy", "no-referrer");
      headers.put(HttpHeader.CONNECTION, "close");
      try {
        answer(request, response, callback);
      } catch (RuntimeException e) {
        log.error("a reader could not be answered, so it is to come again", e);
        if (response.isCommitted()) {
          callback.failed(e);
        } else {
          refuse(response, callback, 503, "unavailable");
        }
      }
      return true;
    }
  }

  private void answer(Request request, Response response, Callback callback) {
    String path = Objects.requireNonNullElse(request.getHttpURI().getPath(), "");
    boolean forPage = path.equals("/");
    Optional<StreamAddress> address = StreamAddress.ofPath(path);
    if (!forPage && (address.isEmpty() || !address.get().isGenuine(secret))) {
      refuse(response, callback, 404, "unknown_address");
      return;
    }
    if (!request.getMethod().equals("GET")) {
      response.getHeaders().put(HttpHeader.ALLOW, "GET");
      refuse(response, callback, 405, "malformed");
      return;
    }
    if (forPage) {
      listener.answered("page");
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/html; charset=utf-8");
      response.getHeaders().put("Content-Security-Policy", PAGE_POLICY);
      response.write(true, ByteBuffer.wrap(page), callback);
      return;
    }
    // no cookie and no password goes with a request: who has the address may read, from any site
    response.getHeaders().put("Access-Control-Allow-Origin", "*");
    Optional<Integer> from =
        From.of(
            request.getHeaders().getValuesList("Last-Event-ID"),
            Objects.requireNonNullElse(request.getHttpURI().getQuery(), ""));
    if (from.isEmpty()) {
      refuse(response, callback, 400, "malformed");
    } else if (from.get() == From.OVER) {
      refuse(response, callback, 204, "over"); // which tells a browser not to come again
    } else {
      open(request, response, callback, address.orElseThrow().key(), from.get());
    }
  }

  private void refuse(Response response, Callback callback, int status, String result) {
    listener.answered(result);
    response.setStatus(status);
    response.write(true, ByteBuffer.allocate(0), callback);
  }

  private void open(
      Request request, Response response, Callback callback, OperationKey key, int from) {
    Optional<Long> seq;
    try {
      if (!placing.tryAcquire(PLACE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        refuse(response, callback, 503, "unavailable");
        return;
      }
      try {
        seq = chunks.place(key);
      } finally {
        placing.release();
      }
    } catch (StoreUnavailable e) {
      log.warn("a stream could not be found, so its reader is to come again: {}", e.getMessage());
      refuse(response, callback, 503, "unavailable");
      return;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      refuse(response, callback, 503, "unavailable");
      return;
    }
    if (seq.isEmpty()) {
      refuse(response, callback, 404, "unknown_address");
      return;
    }
    listener.answered("opened");
    open.incrementAndGet();
    try {
      String why = read(request, response, callback, new Wanted(key, seq.get(), from));
      listener.closed(why);
    } finally {
      open.decrementAndGet();
    }
  }

  /** Why the connection was closed. */
  private String read(Request request, Response response, Callback callback, Wanted from) {
    response.setStatus(200);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, EVENTS);
    // though the connection is closed behind it, so that an end is told from a cut
    response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, "chunked");
    response.getHeaders().put("X-Accel-Buffering", "no"); // a proxy that knows it passes on at once
    Conversation conversation =
        new Conversation(
            pages,
            from,
            bytes -> write(response, bytes),
            config.heartbeat(),
            config.connectionFor(),
            nanoTime,
            listener);
    try {
      Conversation.Over over = conversation.run();
      response.write(true, ByteBuffer.allocate(0), callback);
      return over.name().toLowerCase(Locale.ROOT);
    } catch (IOException e) {
      cut(request, callback, e);
      return e instanceof TooSlow ? "slow" : "gone";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cut(request, callback, e);
      return "closing";
    }
  }

  private static void cut(Request request, Callback callback, Exception why) {
    request.getConnectionMetaData().getConnection().getEndPoint().close();
    callback.failed(why);
  }

  /** The reader's socket did not take in time what was written to it. */
  private static final class TooSlow extends IOException {
    private static final long serialVersionUID = 1L;

    TooSlow(TimeoutException e) {
      super("a reader is too slow", e);
    }
  }

  private void write(Response response, byte[] bytes) throws IOException, InterruptedException {
    Callback.Completable taken = new Callback.Completable();
    response.write(false, ByteBuffer.wrap(bytes), taken);
    try {
      taken.get(config.writeWithin().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new TooSlow(e);
    } catch (ExecutionException e) {
      throw new IOException("a reader is gone", e);
    }
  }

  private static byte[] page() {
    try (InputStream in = StreamServer.class.getResourceAsStream("stream.html")) {
      return Objects.requireNonNull(in, "stream.html").readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
