package dev.tollgate.schema.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Passes connections on and cuts them: each after as many bytes of what comes back as it is told,
 * every other one with a reset, the others in order. Thread-safe.
 */
public final class CuttingProxy implements AutoCloseable {
  /** What is told for a connection that is not cut. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final Pattern LAST_EVENT_ID = Pattern.compile("(?im)^last-event-id:.*\r\n");
  private static final int BUFFER = 8 * 1024;

  private final ServerSocket listening;
  private final int to;
  private final LongSupplier bytes;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger cuts = new AtomicInteger();
  private volatile boolean forgetful;

  /**
   * @param to the port of this machine that they go to
   * @param bytes asked for each connection
   */
  public CuttingProxy(int to, LongSupplier bytes) {
    this.to = to;
    this.bytes = bytes;
    try {
      listening = new ServerSocket(0, 5000, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /** The address of a path behind it. */
  public URI address(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  /** Loses from now on what readers say of the last event they have. */
  public CuttingProxy forgetting() {
    forgetful = true;
    return this;
  }

  public int port() {
    return listening.getLocalPort();
  }

  public int connections() {
    return connections.get();
  }

  public int cuts() {
    return cuts.get();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        long after = bytes.getAsLong();
        boolean reset = connections.incrementAndGet() % 2 == 0;
        Thread.ofVirtual().start(() -> pass(client, after, reset));
      } catch (IOException _) {
        // closed
      }
    }
  }

  private void pass(Socket client, long after, boolean reset) {
    try (client;
        Socket server = new Socket(InetAddress.getLoopbackAddress(), to)) {
      Thread.ofVirtual().start(() -> forward(client, server));
      InputStream in = server.getInputStream();
      OutputStream out = client.getOutputStream();
      byte[] buffer = new byte[BUFFER];
      long left = after;
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        int some = (int) Math.min(read, left);
        out.write(buffer, 0, some);
        left -= some;
        if (left == 0) {
          cuts.incrementAndGet();
          if (reset) {
            client.setSoLinger(true, 0);
          }
          return;
        }
      }
    } catch (IOException _) {
      // one of the two is gone
    }
  }

  private void forward(Socket client, Socket server) {
    try {
      if (forgetful) {
        server.getOutputStream().write(head(client.getInputStream()));
      }
      client.getInputStream().transferTo(server.getOutputStream());
      server.shutdownOutput();
    } catch (IOException _) {
      // one of the two is gone
    }
  }

  /** The head of a request, without the last event's id. */
  private static byte[] head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int read = in.read();
      if (read < 0) {
        throw new IOException("cut");
      }
      head.append((char) read);
    }
    return LAST_EVENT_ID.matcher(head).replaceAll("").getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
