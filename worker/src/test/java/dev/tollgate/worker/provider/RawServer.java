package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.http.CountingServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that speaks bytes: it reads each request whole, keeps it, and lets a script do what it
 * likes with the socket. Every request that reaches it is counted, whatever becomes of it.
 */
final class RawServer implements CountingServer {
  private final ServerSocket listener;
  private final Script script;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

  /** What to do with a request. */
  interface Script {
    /** Returns whether the next request is to be read from the same connection. */
    boolean answer(Request request, Socket socket) throws IOException;
  }

  /** One request as it came. */
  record Request(int number, String head, String body) {
    String line() {
      return head.substring(0, head.indexOf("\r\n"));
    }

    Optional<String> header(String name) {
      return head.lines()
          .filter(l -> l.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
          .map(l -> l.substring(l.indexOf(':') + 1).strip())
          .findFirst();
    }
  }

  RawServer(Script script) throws IOException {
    this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    this.script = script;
    Thread.ofVirtual().start(this::acceptAll);
  }

  @Override
  public URI base(String path) {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort() + path);
  }

  int port() {
    return listener.getLocalPort();
  }

  @Override
  public List<Request> requests() {
    return requests;
  }

  @Override
  public long posts() {
    return requests.stream().filter(r -> r.head().startsWith("POST ")).count();
  }

  @Override
  public int connections() {
    return connections.get();
  }

  /** Ends a connection with a FIN. */
  static boolean fin(Socket socket) throws IOException {
    socket.close();
    return false;
  }

  /** Ends a connection with a RST. */
  static boolean reset(Socket socket) throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
    return false;
  }

  /** Says nothing more, and keeps the connection. */
  static boolean hang() {
    return false;
  }

  static boolean write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return true;
  }

  /** A whole answer with its length. */
  static String answer(int status, String body) {
    return answer(status, "Content-Type: application/json\r\n", body);
  }

  /** A whole answer with its length and more header lines. */
  static String answer(int status, String headerLines, String body) {
    int length = body.getBytes(StandardCharsets.ISO_8859_1).length;
    return "HTTP/1.1 "
        + status
        + " Whatever\r\n"
        + headerLines
        + "Content-Length: "
        + length
        + "\r\n\r\n"
        + body;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = listener.accept();
        connections.incrementAndGet();
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void serve(Socket socket) {
    try {
      Optional<Request> request = read(socket.getInputStream());
      while (request.isPresent() && script.answer(request.get(), socket)) {
        request = read(socket.getInputStream());
      }
    } catch (IOException | UncheckedIOException _) {
      // the client went away: what it had sent is counted already
    }
  }

  private Optional<Request> read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!endsWithEmptyLine(head)) {
      int b = in.read();
      if (b < 0) {
        return Optional.empty();
      }
      head.write(b);
    }
    String text = head.toString(StandardCharsets.ISO_8859_1);
    Request bare = new Request(0, text, "");
    int length = bare.header("Content-Length").map(Integer::parseInt).orElse(0);
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      return Optional.empty();
    }
    synchronized (requests) {
      Request request =
          new Request(requests.size() + 1, text, new String(body, StandardCharsets.UTF_8));
      requests.add(request);
      return Optional.of(request);
    }
  }

  private static boolean endsWithEmptyLine(ByteArrayOutputStream head) {
    return head.size() >= 4 && head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n");
  }
}
