package dev.tollgate.worker.provider.described;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.OwnPaths;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.HttpSettings;
import dev.tollgate.worker.provider.http.Resolver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Downloads from every address of {@link Elsewhere}, directly and by a redirect, in a process whose
 * network leads every address there is to itself. It listens at the ports that the addresses have,
 * refuses whoever comes, and prints to which address and port that was, and because of what. Ends
 * with a line {@code tried N}.
 */
final class EveryAddressMain {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int HTTPS = 443;

  /** Those of web, of servers that stand beside a worker, and of what stands beside those. */
  private static final List<Integer> PORTS = List.of(80, HTTPS, 6379, 5432, 9092, 21, 70);

  private static final Deadlines DEADLINES = new Deadlines();

  private final ServerSocket endpoint = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private volatile String location = "";
  private volatile String cause = "";

  private EveryAddressMain() throws IOException {}

  public static void main(String[] args) throws IOException {
    EveryAddressMain main = new EveryAddressMain();
    for (int port : PORTS) {
      ServerSocket trap = new ServerSocket();
      trap.bind(new InetSocketAddress(port));
      Thread.ofVirtual().start(() -> main.trap(trap));
    }
    Thread.ofVirtual().start(main::redirect);
    main.run();
  }

  private void trap(ServerSocket trap) {
    while (true) {
      try (Socket caught = trap.accept()) {
        System.out.printf(
            "connected %s:%d by %s%n",
            caught.getLocalAddress().getHostAddress(), caught.getLocalPort(), cause);
      } catch (IOException e) {
        System.out.println("trap " + e);
      }
    }
  }

  /** The endpoint: it sends whoever asks to where it is told. */
  private void redirect() {
    while (true) {
      try (Socket asked = endpoint.accept()) {
        int read = asked.getInputStream().read(new byte[8192]);
        String answer =
            "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\nLocation: %s\r\n\r\n"
                .formatted(read < 0 ? "" : location);
        asked.getOutputStream().write(answer.getBytes(ISO_8859_1));
      } catch (IOException e) {
        System.out.println("endpoint " + e);
      }
    }
  }

  private void run() throws IOException {
    Resolver home = host -> List.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}));
    int tried = 0;
    for (HttpProtocol protocol : HttpProtocol.values()) {
      for (String address : Elsewhere.ADDRESSES) {
        String url = address.replace("PORT", "" + HTTPS);
        download(url, home, protocol, url);
        location = url;
        download("http://127.0.0.1:" + endpoint.getLocalPort() + "/o", home, protocol, "to " + url);
        tried++;
      }
      AtomicInteger asked = new AtomicInteger();
      Resolver other =
          _ ->
              List.of(
                  InetAddress.ofLiteral(
                      asked.getAndIncrement() % 2 == 0 ? "203.0.113.5" : "127.0.0.1"));
      download("https://cdn.example/", other, protocol, "control");
      download("https://cdn.example/", other, protocol, "second answer");
    }
    System.out.println("tried " + tried);
    System.out.flush();
    System.exit(0);
  }

  private void download(String url, Resolver names, HttpProtocol protocol, String why)
      throws IOException {
    cause = why;
    HttpSettings settings =
        new HttpSettings(protocol, 4, Duration.ofSeconds(1), PATIENCE, Duration.ofMillis(100));
    try (Downloads downloads =
        new Downloads(
            URI.create("http://127.0.0.1:" + endpoint.getLocalPort()),
            OwnPaths.of("", List.of("/")),
            List.of("cdn.example", ".cdn.example", "localtest.test"),
            settings,
            System::nanoTime,
            DEADLINES,
            PATIENCE,
            names,
            HTTPS)) {
      OutputRef ref =
          new OutputRef(URI.create(url), Optional.empty(), OptionalLong.empty(), Optional.empty());
      downloads.download(ref, new ByteArrayOutputStream()::write, 100, Map::of);
    }
  }
}
