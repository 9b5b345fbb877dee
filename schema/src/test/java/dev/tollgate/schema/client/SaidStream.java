package dev.tollgate.schema.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A server that says what it is told, from behind the id that a reader names, or some events before
 * it. Thread-safe.
 */
final class SaidStream implements AutoCloseable {
  static final String OK = "200 OK";

  private final ServerSocket listening;
  private final List<String> events;
  private final int repeats;

  /** Status lines of the first answers, which have no body; later ones are 200. */
  private final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();

  private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
  private volatile boolean hangs;

  /**
   * @param events as they are written, the one of offset n at n, and what follows the last
   * @param repeats how many events before the one that is asked for come again
   */
  SaidStream(List<String> events, int repeats) {
    this.events = events;
    this.repeats = repeats;
    try {
      listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  void refuse(String... statuses) {
    refusals.addAll(List.of(statuses));
  }

  /** The first connection says its head and then nothing. */
  void hang() {
    hangs = true;
  }

  /** The ids that readers named, in order; empty for none. */
  List<String> asked() {
    return List.copyOf(asked);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket reader = listening.accept();
        Thread.ofVirtual().start(() -> answer(reader));
      } catch (IOException _) {
        // closed
      }
    }
  }

  private void answer(Socket reader) {
    try (reader) {
      String id = lastId(head(reader.getInputStream()));
      asked.add(id);
      OutputStream out = reader.getOutputStream();
      String refusal = refusals.poll();
      String status = refusal == null ? OK : refusal;
      out.write(
          "HTTP/1.1 %s\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
              .formatted(status)
              .getBytes(UTF_8));
      if (refusal != null) {
        return;
      }
      if (hangs) {
        hangs = false;
        int _ = reader.getInputStream().read();
        return;
      }
      int from = id.isEmpty() ? 0 : Math.max(0, Integer.parseInt(id) + 1 - repeats);
      for (String event : events.subList(Math.min(from, events.size()), events.size())) {
        out.write(event.getBytes(UTF_8));
      }
    } catch (IOException _) {
      // cut
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int read = in.read();
      if (read < 0) {
        throw new IOException("cut");
      }
      head.append((char) read);
    }
    return head.toString();
  }

  private static String lastId(String head) {
    return head.lines()
        .filter(line -> line.regionMatches(true, 0, "last-event-id: ", 0, 15))
        .map(line -> line.substring(15))
        .findFirst()
        .orElse("");
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
