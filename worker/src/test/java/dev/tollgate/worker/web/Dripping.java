package dev.tollgate.worker.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** A client that sends a byte now and then, for as long as it is let. */
public final class Dripping implements AutoCloseable {
  private static final int APART_MS = 20;
  private static final int MOST = 1000;

  private final Socket socket;

  /** Connects, and sends how its request begins at once. */
  public Dripping(int port, String begin) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(APART_MS);
    socket.getOutputStream().write(begin.getBytes(ISO_8859_1));
  }

  /** Drips until there is an answer, or the end; false if there is none of both for long. */
  public boolean isOver() {
    for (int dripped = 0; dripped < MOST; dripped++) {
      if (drop()) {
        return true;
      }
    }
    return false;
  }

  /** Sends a byte, and says whether there is an answer or the end. */
  boolean drop() {
    try {
      socket.getOutputStream().write('a');
      socket.getInputStream().read();
      return true;
    } catch (SocketTimeoutException _) {
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
