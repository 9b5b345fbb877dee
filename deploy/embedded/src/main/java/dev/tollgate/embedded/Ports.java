package dev.tollgate.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Ports on the loopback address. Thread-safe. */
public final class Ports {
  static final String HOST = "127.0.0.1";

  /**
   * Below the ports that operating systems give to outgoing connections: a server that is down for
   * a moment must find its port free again.
   */
  private static final int FIRST = 15_000;

  private static final int LAST = 31_999;

  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private Ports() {}

  /**
   * A port that is free now and that this process has not given before.
   *
   * @throws ServicesException {@code PORT_TAKEN} when none is found
   */
  public static int free() {
    for (int attempt = 0; attempt < 2_000; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      if (GIVEN.add(port) && isFree(port)) {
        return port;
      }
    }
    throw new ServicesException(
        ServicesException.Reason.PORT_TAKEN,
        "no free port found between %d and %d".formatted(FIRST, LAST));
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address(port), 1);
      return true;
    } catch (IOException _) {
      return false; // taken, or forbidden: either way not ours
    }
  }

  static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(address(port), 1_000);
      return true;
    } catch (IOException _) {
      return false; // not up yet
    }
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(HOST), port);
  }
}
