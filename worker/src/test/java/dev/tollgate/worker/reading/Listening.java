package dev.tollgate.worker.reading;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One reader's connection, by hand. Confined to one thread. */
final class Listening implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final int status;
  private final Map<String, String> headers = new TreeMap<>();
  private BufferedReader body;

  /**
   * @param lines further lines of the head, each with its end
   */
  Listening(int port, String method, String target, String lines) {
    try {
      socket = new Socket();
      socket.setReceiveBufferSize(4096);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.setSoTimeout(20_000);
      String head = "%s %s HTTP/1.1\r\nHost: h\r\n%s\r\n".formatted(method, target, lines);
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));
      in = socket.getInputStream();
      status = Integer.parseInt(line().substring(9, 12));
      for (String line = line(); !line.isEmpty(); line = line()) {
        int colon = line.indexOf(':');
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    body = new BufferedReader(new InputStreamReader(new Unchunked(this), UTF_8));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("cut in a line: " + line);
      }
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  int status() {
    return status;
  }

  Map<String, String> headers() {
    return headers;
  }

  /** The fields of the next event, comments left out; empty at the end of the body. */
  List<String> event() {
    try {
      List<String> fields = new ArrayList<>();
      for (String line = body.readLine(); line != null; line = body.readLine()) {
        if (line.isEmpty() && !fields.isEmpty()) {
          return fields;
        }
        if (!line.isEmpty() && !line.startsWith(":")) {
          fields.add(line);
        }
      }
      return fields;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next line that is not empty; null at the end of the body. */
  String bodyLine() {
    try {
      String line = body.readLine();
      while (line != null && line.isEmpty()) {
        line = body.readLine();
      }
      return line == null ? "" : line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The ids of the events until the body ends. */
  List<String> ids() {
    List<String> ids = new ArrayList<>();
    for (List<String> event = event(); !event.isEmpty(); event = event()) {
      event.stream().filter(f -> f.startsWith("id: ")).forEach(f -> ids.add(f.substring(4)));
    }
    return ids;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The body without the chunks of its transfer. */
  private static final class Unchunked extends InputStream {
    private final Listening from;
    private int left;
    private boolean over;

    Unchunked(Listening from) {
      this.from = from;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (over) {
        return -1;
      }
      if (left == 0) {
        String size = from.line();
        left = Integer.parseInt(size.isEmpty() ? from.line() : size, 16);
        if (left == 0) {
          over = true;
          return -1;
        }
      }
      int read = from.in.read(into, offset, Math.min(length, left));
      if (read < 0) {
        throw new IOException("cut in the body");
      }
      left -= read;
      return read;
    }
  }
}
