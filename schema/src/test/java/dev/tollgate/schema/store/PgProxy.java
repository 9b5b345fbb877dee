package dev.tollgate.schema.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and PostgreSQL and understands the protocol well enough to fail at one
 * exact statement: before it reaches the server, or after the server has committed it and before
 * the client hears so. One fault at a time; it fires once. Thread-safe.
 */
public final class PgProxy implements AutoCloseable {
  /** Where the connection is cut. */
  public enum Fault {
    /** The statement never reaches the server; both sides see an orderly end (FIN). */
    BEFORE_STATEMENT,
    /** The server executes and commits; its answer is dropped and the client's socket is reset. */
    AFTER_COMMIT
  }

  private record Armed(Fault fault, String sqlPart) {}

  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;

  private final String serverHost;
  private final int serverPort;
  private final ServerSocket listener;

  @GuardedBy("this")
  private final Set<Socket> open = new HashSet<>();

  @GuardedBy("this")
  private @Nullable Armed armed;

  @GuardedBy("this")
  private int fired;

  public PgProxy(String serverHost, int serverPort) throws IOException {
    this.serverHost = serverHost;
    this.serverPort = serverPort;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("pg-proxy-accept").start(this::accept);
  }

  /** The settings of a database, through this proxy. */
  public DatabaseSettings through(DatabaseSettings direct) {
    String url =
        direct.url().replaceFirst("//[^/]+/", "//127.0.0.1:" + listener.getLocalPort() + "/");
    return new DatabaseSettings(url, direct.user(), direct.password());
  }

  /** The next execution of a statement whose text holds {@code sqlPart} meets this fault. */
  public synchronized void arm(Fault fault, String sqlPart) {
    armed = new Armed(fault, sqlPart);
  }

  /** How many faults have fired. */
  public synchronized int fired() {
    return fired;
  }

  private synchronized @Nullable Fault take(String sql) {
    if (armed == null || !sql.contains(armed.sqlPart())) {
      return null;
    }
    Fault fault = armed.fault();
    armed = null;
    fired++;
    return fault;
  }

  private synchronized Socket keep(Socket socket) {
    open.add(socket);
    return socket;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = keep(listener.accept());
        Thread.ofVirtual().name("pg-proxy").start(() -> serve(client));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = keep(new Socket(serverHost, serverPort))) {
      new Session(client, server).run();
    } catch (IOException _) {
      // one side went: the other follows
    } finally {
      synchronized (this) {
        open.remove(client);
      }
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      synchronized (this) {
        for (Socket socket : open) {
          socket.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One connection: the client's messages are read here, the server's by a thread beside. */
  private final class Session {
    private final Socket client;
    private final Socket server;
    private final DataInputStream in;
    private final OutputStream out;
    private final Map<String, String> statements = new HashMap<>();
    private final Map<String, String> portals = new HashMap<>();
    // written by the client's thread before the statement goes out, read by the server's thread
    private volatile boolean dropAnswer;

    Session(Socket client, Socket server) throws IOException {
      this.client = client;
      this.server = server;
      this.in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
      this.out = server.getOutputStream();
    }

    void run() throws IOException {
      startUp();
      Thread answers = Thread.ofVirtual().name("pg-proxy-answers").start(this::answers);
      while (step()) {
        // until a fault fires or the client goes
      }
      if (!dropAnswer) {
        client.close();
        server.close();
      }
      joined(answers);
    }

    private void startUp() throws IOException {
      while (true) {
        int length = in.readInt();
        byte[] rest = in.readNBytes(length - Integer.BYTES);
        int code = ByteBuffer.wrap(rest).getInt();
        if (code == SSL_REQUEST || code == GSS_REQUEST) {
          client.getOutputStream().write('N');
          continue;
        }
        out.write(ByteBuffer.allocate(length).putInt(length).put(rest).array());
        return;
      }
    }

    /** Forwards one message; false after a fault or at the end. */
    private boolean step() throws IOException {
      int type = in.read();
      if (type < 0) {
        return false;
      }
      int length = in.readInt();
      byte[] body = in.readNBytes(length - Integer.BYTES);
      Fault fault = take(executes(type, body));
      if (fault == Fault.BEFORE_STATEMENT) {
        return false;
      }
      dropAnswer |= fault == Fault.AFTER_COMMIT;
      out.write(ByteBuffer.allocate(1 + length).put((byte) type).putInt(length).put(body).array());
      return true;
    }

    /** The text of the statement that a message executes; empty if it executes none. */
    private String executes(int type, byte[] body) {
      int[] at = {0};
      switch (type) {
        case 'P' -> statements.put(word(body, at), word(body, at));
        case 'B' -> portals.put(word(body, at), statements.getOrDefault(word(body, at), ""));
        case 'E' -> {
          return portals.getOrDefault(word(body, at), "");
        }
        case 'Q' -> {
          return word(body, at);
        }
        default -> {}
      }
      return "";
    }

    private static String word(byte[] body, int[] at) {
      int end = at[0];
      while (body[end] != 0) {
        end++;
      }
      String word = new String(body, at[0], end - at[0], StandardCharsets.UTF_8);
      at[0] = end + 1;
      return word;
    }

    /** Forwards the server's messages, or waits until it is ready again and resets the client. */
    private void answers() {
      try (DataInputStream from =
          new DataInputStream(new BufferedInputStream(server.getInputStream()))) {
        OutputStream to = client.getOutputStream();
        for (int type = from.read(); type >= 0; type = from.read()) {
          int length = from.readInt();
          byte[] body = from.readNBytes(length - Integer.BYTES);
          if (!dropAnswer) {
            to.write(
                ByteBuffer.allocate(1 + length).put((byte) type).putInt(length).put(body).array());
          } else if (type == 'Z') {
            client.setSoLinger(true, 0);
            client.close();
            server.close();
            return;
          }
        }
        client.close();
      } catch (IOException _) {
        // the session ends
      }
    }

    private void joined(Thread thread) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
