package dev.tollgate.worker.provider.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tollgate.worker.provider.http.H2Stream.End;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.ssl.SSLContexts;
import org.jspecify.annotations.Nullable;

/** The engine of HTTP/2: many requests at once on as few connections as they need. Thread-safe. */
final class Http2Engine implements HttpEngine {
  /** A provider whose limit of streams is reached on four connections wants to be asked less. */
  private static final int CONNECTIONS_MAX = 4;

  private final String scheme;
  private final String authority;
  private final H2Dialer dialer;
  private final H2Shared shared;
  private final ReentrantLock lock;

  @GuardedBy("lock")
  private final List<H2Connection> connections = new ArrayList<>();

  @GuardedBy("lock")
  private boolean dialing;

  @GuardedBy("lock")
  private int failures; // how many connections could not be made

  @GuardedBy("lock")
  private String lastFailure = "";

  @GuardedBy("lock")
  private boolean closed;

  private Http2Engine(URI origin, H2Dialer dialer, H2Shared shared) {
    this.scheme = origin.getScheme();
    this.authority = origin.getRawAuthority();
    this.dialer = dialer;
    this.shared = shared;
    this.lock = shared.lock();
  }

  /** Trusts what the JDK trusts. */
  static Http2Engine open(
      URI origin,
      HttpSettings settings,
      Resolver resolver,
      LongSupplier nanoTime,
      Deadlines deadlines) {
    ReentrantLock lock = new ReentrantLock();
    return open(
        origin,
        SSLContexts.createDefault(),
        resolver,
        new H2Shared(settings, nanoTime, deadlines, lock, lock.newCondition()));
  }

  /** Trusts what {@code context} trusts. */
  static Http2Engine open(URI origin, SSLContext context, Resolver resolver, H2Shared shared) {
    H2Dialer dialer =
        new H2Dialer(origin, context, shared.settings(), resolver, shared.deadlines());
    return new Http2Engine(origin, dialer, shared);
  }

  @Override
  public HttpAnswer send(HttpCall call, BodySink sink) {
    List<Header> fields = H2Request.fields(call, scheme, authority);
    while (true) { // every turn that does not return has found a connection at its end
      try {
        Lease lease = lease(call);
        H2Stream stream = new H2Stream(call, fields, lock.newCondition());
        HttpAnswer answer = exchange(lease.connection(), stream, sink);
        if (stream.end() != End.MOVED || lease.fresh()) {
          return answer; // a peer that ends every new connection is not asked for ever
        }
      } catch (NoConnection e) {
        return HttpAnswer.notSent(String.valueOf(e.getMessage()));
      }
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      connections.forEach(connection -> connection.abort("the engine was closed"));
      shared.room().signalAll();
    } finally {
      lock.unlock();
    }
  }

  private HttpAnswer exchange(H2Connection connection, H2Stream stream, BodySink sink) {
    // read before it is queued: the last reading of the clock is the one before the first byte
    long now = shared.nanoTime().getAsLong();
    long sendWithin = stream.call.sendNotAfterNanos() - now;
    try (Cutoff cutoff =
        new Cutoff(
            shared.deadlines(),
            shared.nanoTime(),
            stream.call.answerByNanos(),
            () -> connection.cut(stream, Evidence.DEADLINE))) {
      connection.enqueue(stream);
      byte[] piece = connection.take(stream, sendWithin);
      if (stream.status() > 0 && !sink.head(stream.status(), stream.kept()) && piece != null) {
        connection.giveUp(stream, "its body was not wanted");
        return answer(stream, sink, BodyEnd.OVER_LIMIT, "");
      }
      while (piece != null) {
        cutoff.hold();
        if (!sink.write(stream.status(), piece, 0, piece.length)) {
          connection.giveUp(stream, "no more was wanted");
          return answer(stream, sink, BodyEnd.OVER_LIMIT, "");
        }
        cutoff.release(sink.patienceNanos());
        connection.taken(stream, piece.length);
        piece = connection.take(stream, sendWithin);
      }
    } catch (RuntimeException e) { // of the sink
      connection.giveUp(stream, Evidence.describe(e));
      return answer(stream, sink, BodyEnd.CUT, Evidence.describe(e));
    }
    return answer(stream, sink);
  }

  private static HttpAnswer answer(H2Stream stream, BodySink sink) {
    End end = stream.end();
    if (end == null) {
      throw new IllegalStateException("an exchange without an end");
    }
    return switch (end) {
      case MOVED, NOT_SENT -> HttpAnswer.notSent(stream.error());
      case UNPROCESSED -> HttpAnswer.unprocessed(stream.error());
      case WHOLE -> answer(stream, sink, BodyEnd.WHOLE, "");
      case BROKEN ->
          stream.status() == 0
              ? HttpAnswer.silence(stream.error())
              : answer(stream, sink, BodyEnd.CUT, stream.error());
    };
  }

  private static HttpAnswer answer(H2Stream stream, BodySink sink, BodyEnd end, String error) {
    return HttpAnswer.of(stream.status(), stream.kept(), sink.collected(), end, error);
  }

  /** Waits for room on a connection, making one if need be and possible. */
  private Lease lease(HttpCall call) throws NoConnection {
    long left = call.sendNotAfterNanos() - shared.nanoTime().getAsLong();
    if (left <= 0) {
      throw new NoConnection("the send deadline passed before a connection was asked for");
    }
    lock.lock();
    try {
      List<H2Connection> known = List.copyOf(connections);
      int failuresBefore = failures;
      while (true) {
        connections.removeIf(H2Connection::isClosed);
        for (H2Connection connection : connections) {
          if (connection.reserve()) {
            return new Lease(connection, !known.contains(connection));
          }
        }
        makeRoom(failuresBefore);
        if (left <= 0) {
          throw new NoConnection("no free connection until the send deadline");
        }
        left = shared.room().awaitNanos(left);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new NoConnection("interrupted while waiting for a connection");
    } finally {
      lock.unlock();
    }
  }

  /** Has another connection made, unless there are enough, or none can be had. */
  @GuardedBy("lock")
  private void makeRoom(int failuresBefore) throws NoConnection {
    if (closed) {
      throw new NoConnection("the engine is closed");
    }
    long ready = connections.stream().filter(H2Connection::isReady).count();
    if (failures != failuresBefore) {
      if (ready == 0) {
        throw new NoConnection(lastFailure);
      }
    } else if (!dialing && ready < Math.min(CONNECTIONS_MAX, shared.settings().maxConnections())) {
      dialing = true;
      Thread.ofVirtual().name("http2-connect").start(this::dial);
    }
  }

  /** On a thread of its own, since a name may take longer to resolve than any sender waits. */
  private void dial() {
    String failure = "it could not be made";
    H2Connection made = null;
    try {
      made = H2Connection.start(dialer.dial(), shared);
      failure = made.awaitReady(shared.settings().connectTimeout());
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = Evidence.describe(e);
    } finally {
      dialed(made, failure);
    }
  }

  private void dialed(@Nullable H2Connection made, String failure) {
    lock.lock();
    try {
      dialing = false;
      if (made == null || !made.isReady()) {
        failures++;
        lastFailure = "no connection: " + failure;
      } else if (closed) {
        made.abort("the engine was closed");
      } else {
        connections.add(made);
      }
      shared.room().signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Room for one stream.
   *
   * @param fresh whether the connection was made after it had been asked for
   */
  private record Lease(H2Connection connection, boolean fresh) {}

  /** There is no connection, so nothing was sent. */
  private static final class NoConnection extends Exception {
    NoConnection(String message) {
      super(message);
    }
  }
}
