package dev.tollgate.loadtest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tollgate.schema.store.DatabaseSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A pipe in front of a server: frozen, everything under way waits as behind a network that has gone
 * silent; cut, every connection breaks and no new one is taken. Thread-safe.
 */
final class Tap implements AutoCloseable {
  private final String host;
  private final int port;
  private final ServerSocket listener;

  @GuardedBy("this")
  private final Set<Socket> open = new HashSet<>();

  @GuardedBy("this")
  private boolean frozen;

  @GuardedBy("this")
  private boolean cut;

  Tap(String host, int port) {
    this.host = host;
    this.port = port;
    try {
      this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("tap-accept").start(this::accept);
  }

  /** The address of a database, through this pipe. */
  String url(DatabaseSettings direct) {
    return direct.url().replaceFirst("//[^/]+/", "//127.0.0.1:" + listener.getLocalPort() + "/");
  }

  synchronized void freeze() {
    frozen = true;
  }

  synchronized void thaw() {
    frozen = false;
    notifyAll();
  }

  /** Breaks everything, as the death of the process behind would; for good. */
  synchronized void cut() {
    cut = true;
    thaw();
    for (Socket socket : List.copyOf(open)) {
      closeQuietly(socket);
    }
  }

  private synchronized void awaitOpen() throws InterruptedException {
    while (frozen) {
      wait();
    }
  }

  private synchronized boolean keep(Socket socket) {
    if (cut) {
      closeQuietly(socket);
      return false;
    }
    return open.add(socket);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (keep(client)) {
          Socket server = new Socket(host, port);
          keep(server);
          pump(client, server);
          pump(server, client);
        }
      } catch (IOException _) {
        // closed, or the server is away: the client sees that
      }
    }
  }

  private void pump(Socket from, Socket to) {
    Thread.ofVirtual()
        .name("tap")
        .start(
            () -> {
              try (from;
                  to;
                  InputStream in = from.getInputStream();
                  OutputStream out = to.getOutputStream()) {
                byte[] buffer = new byte[16 * 1024];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                  awaitOpen();
                  out.write(buffer, 0, n);
                }
              } catch (IOException _) {
                // one side went: the other follows
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // it is gone
    }
  }

  @Override
  public void close() {
    cut();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
