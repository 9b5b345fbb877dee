package dev.tollgate.oracles;

import static org.awaitility.Awaitility.await;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on this machine that takes down every request whole, and then does as it is told. */
final class Recorder implements Closeable {
  private static final Duration PLENTY = Duration.ofSeconds(20);

  private final ServerSocket listener;
  private final Replies replies;
  private final List<Recorded> requests = new CopyOnWriteArrayList<>();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final List<Integer> connections = new CopyOnWriteArrayList<>();
  private final Set<Integer> accepted = ConcurrentHashMap.newKeySet();
  private final AtomicInteger open = new AtomicInteger();

  /** What to do about a request. */
  @FunctionalInterface
  interface Replies {
    /**
     * The reply to a request.
     *
     * @param number of the request, the first is 1
     */
    Reply to(int number);
  }

  /** What follows a request. */
  sealed interface Reply {
    /** A whole answer; the connection stays. */
    record Answer(int status, String body) implements Reply {}

    /** The end of the connection, without an answer. */
    record Close() implements Reply {}

    /** Nothing; the connection stays until the client ends it. */
    record Silence() implements Reply {}
  }

  Recorder(Replies replies) {
    try {
      this.listener = new ServerSocket(0, 100, InetAddress.ofLiteral("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.replies = replies;
    Thread.ofVirtual().start(this::acceptAll);
  }

  /** One that answers everything with the same. */
  static Recorder answering(int status, String body) {
    return new Recorder(_ -> new Reply.Answer(status, body));
  }

  /** An address below this server. */
  URI at(String path) {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort() + path);
  }

  /** The one request that came. */
  Recorded only() {
    if (requests.size() != 1) {
      throw new AssertionError("not one request but " + requests.size());
    }
    return requests.getFirst();
  }

  List<Recorded> requests() {
    return List.copyOf(requests);
  }

  /** Whether the second request came on the connection of the first. */
  boolean keptItsConnection() {
    return connections.get(0).equals(connections.get(1));
  }

  /** How many requests came from a client that has had an answer or an end for each. */
  int count() {
    return requests.size();
  }

  /**
   * How many requests came from a client that gave up waiting: counted once everything that it sent
   * on the connections which it then closed is read.
   */
  int countOnceAbandoned() {
    try (Socket fence = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
      // connections are accepted in the order in which they were made
      await().atMost(PLENTY).until(() -> accepted.contains(fence.getLocalPort()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await().atMost(PLENTY).until(() -> open.get() == 0);
    return requests.size();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        open.incrementAndGet();
        accepted.add(socket.getPort());
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void serve(Socket socket) {
    try {
      boolean more = true;
      while (more) {
        Optional<Recorded> request = Recorded.read(socket.getInputStream());
        more = request.isPresent() && reply(socket, take(request.get(), socket.getPort()));
      }
    } catch (IOException _) {
      // the client went away: what it had sent whole is taken down already
    } finally {
      open.decrementAndGet();
    }
  }

  private synchronized Reply take(Recorded request, int connection) {
    connections.add(connection);
    requests.add(request);
    return replies.to(requests.size());
  }

  private static boolean reply(Socket socket, Reply reply) throws IOException {
    return switch (reply) {
      case Reply.Answer(int status, String body) -> {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head =
            "HTTP/1.1 %d Whatever\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                .formatted(status, bytes.length);
        OutputStream out = socket.getOutputStream();
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        yield true;
      }
      case Reply.Close() -> {
        socket.close();
        yield false;
      }
      case Reply.Silence() -> true;
    };
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
