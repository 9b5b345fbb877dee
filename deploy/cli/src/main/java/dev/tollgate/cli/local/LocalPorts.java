package dev.tollgate.cli.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.stream.IntStream;

/**
 * Where everything of one local Tollgate listens, on 127.0.0.1.
 *
 * @param base the first of {@value #COUNT} ports in a row
 */
public record LocalPorts(int base) {
  public static final String HOST = "127.0.0.1";

  /** Nothing well-known lives there, and systems do not give it to outgoing connections. */
  public static final int DEFAULT_BASE = 19_090;

  private static final int COUNT = 9;
  private static final int CONNECT_TIMEOUT_MS = 500;

  public LocalPorts {
    if (base < 1024 || base > 65_536 - COUNT) {
      throw new IllegalArgumentException(
          "port base %d is not within 1024..%d".formatted(base, 65_536 - COUNT));
    }
  }

  public int kafka() {
    return base;
  }

  public int controller() {
    return base + 1;
  }

  public int postgres() {
    return base + 2;
  }

  public int redis() {
    return base + 3;
  }

  public int sandbox() {
    return base + 4;
  }

  public int workerMetrics() {
    return base + 5;
  }

  public int reconcilerMetrics() {
    return base + 6;
  }

  public int webhooks() {
    return base + 7;
  }

  public int streams() {
    return base + 8;
  }

  /** Ports that another process has now. */
  public int[] taken() {
    return IntStream.range(base, base + COUNT).filter(port -> !isFree(port)).toArray();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address(port), 1);
      return true;
    } catch (IOException _) {
      return false; // taken, or forbidden: either way not ours
    }
  }

  /** Whether something listens on a port. */
  public static boolean answers(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(address(port), CONNECT_TIMEOUT_MS);
      return true;
    } catch (IOException _) {
      return false; // not up, or frozen
    }
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(HOST), port);
  }
}
