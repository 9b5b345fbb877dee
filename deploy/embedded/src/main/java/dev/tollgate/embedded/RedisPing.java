package dev.tollgate.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Whether a Redis serves. One inline command, so that no client library is needed for it. */
final class RedisPing {
  private static final int TIMEOUT_MILLIS = 2_000;

  private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final String PONG = "+PONG\r\n";

  private RedisPing() {}

  static boolean answers(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(PING);
      byte[] answer = socket.getInputStream().readNBytes(PONG.length());
      return new String(answer, StandardCharsets.US_ASCII).equals(PONG);
    } catch (IOException _) {
      return false; // not up yet
    }
  }
}
