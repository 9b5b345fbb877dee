package dev.tollgate.loadtest.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** A client that sees bytes: one raw connection to a sandbox. Confined to one thread. */
final class Wire implements AutoCloseable {
  /** How a connection stood after a read. */
  enum End {
    /** A whole answer came; the connection is open. */
    ANSWERED,
    /** The server closed its side. */
    FIN,
    /** The server reset the connection. */
    RST,
    /** Nothing more came in the given time; the connection is open. */
    SILENT
  }

  record Seen(End end, String bytes) {
    int status() {
      return Integer.parseInt(bytes.substring(9, 12));
    }

    String body() {
      return bytes.substring(bytes.indexOf("\r\n\r\n") + 4);
    }

    JsonNode json() {
      return Json.MAPPER.readTree(body());
    }

    String id() {
      return json().path("id").asString();
    }

    String errorCode() {
      return json().path("error").path("code").asString();
    }
  }

  private final Socket socket;

  Wire(SandboxServer server) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setTcpNoDelay(true);
  }

  static String post(Kind kind, String headers, String body) {
    return "POST /%s%s HTTP/1.1\r\nHost: sandbox\r\nAuthorization: Bearer sandbox-key\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(
            kind.path(),
            kind.collection(),
            headers,
            body.getBytes(StandardCharsets.UTF_8).length,
            body);
  }

  static String get(String pathAndQuery) {
    return "GET %s HTTP/1.1\r\nHost: sandbox\r\nAuthorization: Bearer sandbox-key\r\n\r\n"
        .formatted(pathAndQuery);
  }

  /** Sends one request on a connection of its own and waits for what comes of it. */
  static Seen once(SandboxServer server, String request) throws IOException {
    try (Wire wire = new Wire(server)) {
      return wire.send(request).read(Duration.ofSeconds(5));
    }
  }

  Wire send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Reads one answer, or what comes instead of it within that time. */
  Seen read(Duration limit) throws IOException {
    socket.setSoTimeout((int) limit.toMillis());
    InputStream in = socket.getInputStream();
    StringBuilder bytes = new StringBuilder();
    try {
      while (!whole(bytes)) {
        int next = in.read();
        if (next < 0) {
          return new Seen(End.FIN, bytes.toString());
        }
        bytes.append((char) next);
      }
      return new Seen(End.ANSWERED, bytes.toString());
    } catch (SocketTimeoutException _) {
      return new Seen(End.SILENT, bytes.toString());
    } catch (SocketException _) {
      return new Seen(End.RST, bytes.toString());
    }
  }

  private static boolean whole(StringBuilder text) {
    int head = text.indexOf("\r\n\r\n");
    if (head < 0) {
      return false;
    }
    int chunked = text.indexOf("\r\nTransfer-Encoding: chunked\r\n");
    if (chunked >= 0 && chunked < head) {
      // the last chunk may be the first, and then no line end stands before it but the head's
      return text.substring(Math.max(head + 2, text.length() - 7)).equals("\r\n0\r\n\r\n");
    }
    int name = text.indexOf("Content-Length: ");
    if (name < 0) {
      return true;
    }
    int length = Integer.parseInt(text.substring(name + 16, text.indexOf("\r", name)));
    return text.length() >= head + 4 + length;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
