package dev.tollgate.worker.provider.described;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.DownloadResult.Invalid;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.OwnPaths;
import dev.tollgate.worker.provider.http.Collector;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpCall;
import dev.tollgate.worker.provider.http.HttpEngine;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.HttpSettings;
import dev.tollgate.worker.provider.http.Resolver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * FC-98 and section 10 of the faults, "SSRF by output URL": addresses that lead somewhere else than
 * they should. Every name that is allowed and resolves leads to a listener of this test, at the
 * only port that hosts may have here; it counts who connects. The endpoint itself is another
 * listener, which answers what a test says.
 */
final class OutputAddressesIT {
  private static final Deadlines DEADLINES = new Deadlines();

  /** What the endpoint says to its own callers, and to nobody else. */
  private static final Map<String, String> CREDENTIAL = Map.of("Authorization", "Bearer secret");

  private final Listener trap = new Listener("");
  private Listener endpoint = new Listener("");

  /** A server that keeps what it was sent, and answers one thing. */
  private static final class Listener implements AutoCloseable {
    final ServerSocket socket;
    final List<String> heard = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();
    final String answer;

    Listener(String answer) {
      this.answer = answer;
      try {
        this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      Thread.ofVirtual().start(this::serve);
    }

    int port() {
      return socket.getLocalPort();
    }

    private void serve() {
      try {
        while (true) {
          Socket connection = socket.accept();
          connections.incrementAndGet();
          Thread.ofVirtual().start(() -> answer(connection));
        }
      } catch (IOException _) {
        // closed
      }
    }

    private void answer(Socket connection) {
      try (connection) {
        byte[] bytes = new byte[8192];
        int n = connection.getInputStream().read(bytes);
        heard.add(new String(bytes, 0, Math.max(0, n), StandardCharsets.ISO_8859_1));
        connection.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
      } catch (IOException _) {
        // the client went away
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @BeforeEach
  void open() {
    endpoint = new Listener("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na film");
  }

  @AfterEach
  void close() throws IOException {
    trap.close();
    endpoint.close();
  }

  private DownloadResult download(String url, Resolver names, HttpProtocol protocol)
      throws IOException {
    HttpSettings settings =
        new HttpSettings(
            protocol, 4, Duration.ofMillis(500), Duration.ofSeconds(5), Duration.ofMillis(100));
    try (Downloads downloads =
        new Downloads(
            URI.create("http://endpoint.example:" + endpoint.port()),
            OwnPaths.of("", List.of("/")),
            List.of("cdn.example", ".cdn.example", "localtest.test"),
            settings,
            System::nanoTime,
            DEADLINES,
            Duration.ofSeconds(5),
            names,
            trap.port())) {
      OutputRef ref =
          new OutputRef(
              URI.create(url.replace("PORT", Integer.toString(trap.port()))),
              Optional.empty(),
              OptionalLong.empty(),
              Optional.empty());
      return downloads.download(ref, new ByteArrayOutputStream()::write, 100, () -> CREDENTIAL);
    }
  }

  private DownloadResult download(String url) throws IOException {
    return download(url, OutputAddressesIT::home, HttpProtocol.HTTP_1_1);
  }

  /** All names lead to this machine. */
  private static List<InetAddress> home(String host) throws UnknownHostException {
    return List.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}));
  }

  static Stream<String> elsewhere() {
    return Elsewhere.ADDRESSES.stream();
  }

  @ParameterizedTest
  @MethodSource("elsewhere")
  void fc98_addressThatLeadsElsewhere_isInvalid_andNobodyConnects(String url) throws IOException {
    assertThat(download(url))
        .isInstanceOfSatisfying(
            Invalid.class, i -> assertThat(i.code()).isEqualTo(Code.OUTPUT_INVALID));
    assertThat(trap.connections).hasValue(0);
    assertThat(endpoint.connections).hasValue(0);
  }

  /** Whichever protocol, and whichever of its addresses is not public. */
  @ParameterizedTest
  @EnumSource(HttpProtocol.class)
  void fc98_hostWithAPrivateAddress_isNotConnectedTo(HttpProtocol protocol) throws IOException {
    for (String other : List.of("127.0.0.1", "::1", "10.0.0.1", "fd00::1", "169.254.169.254")) {
      Resolver both =
          _ -> List.of(InetAddress.ofLiteral("203.0.113.5"), InetAddress.ofLiteral(other));
      assertThat(download("https://cdn.example:PORT/", both, protocol)).isInstanceOf(Invalid.class);
    }
    assertThat(trap.connections).hasValue(0);
  }

  /** 203.0.113.5 the first time, and 127.0.0.1 whenever it is asked again. */
  @Test
  void fc98_secondAnswerThatIsPrivate_isNotConnectedTo() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    Resolver two =
        _ ->
            List.of(
                InetAddress.ofLiteral(asked.getAndIncrement() == 0 ? "203.0.113.5" : "127.0.0.1"));
    HttpSettings settings = HttpSettings.of(1, Duration.ofSeconds(5));
    try (Downloads downloads =
        new Downloads(
            URI.create("http://endpoint.example:" + endpoint.port()),
            OwnPaths.of("", List.of("/")),
            List.of("cdn.example"),
            settings,
            System::nanoTime,
            DEADLINES,
            Duration.ofMillis(300),
            two,
            trap.port())) {
      URI url = URI.create("https://cdn.example:" + trap.port() + "/");
      OutputRef ref = new OutputRef(url, Optional.empty(), OptionalLong.empty(), Optional.empty());
      assertThat(downloads.download(ref, (_, _, _) -> {}, 100, () -> CREDENTIAL))
          .isInstanceOf(DownloadResult.Unavailable.class);
      assertThat(downloads.download(ref, (_, _, _) -> {}, 100, () -> CREDENTIAL))
          .isInstanceOf(Invalid.class);
    }
    assertThat(asked).hasValue(2);
    assertThat(trap.connections).hasValue(0);
  }

  /** The endpoint may be anywhere: an operator wrote where it is. */
  @Test
  void endpointsOwnOrigin_isAskedWithItsCredential() throws IOException {
    assertThat(download("http://endpoint.example:" + endpoint.port() + "/o"))
        .isInstanceOf(DownloadResult.Downloaded.class);
    assertThat(endpoint.heard.getFirst())
        .contains("Host: endpoint.example:" + endpoint.port(), "Bearer secret");
  }

  @ParameterizedTest
  @CsvSource({
    "https://cdn.example:PORT/o, 1",
    "http://169.254.169.254/, 1",
    "//other.example/, 1",
    "file:///etc/passwd, 1",
    "http://[::1, 1",
    "'', 1",
    "/again, 4"
  })
  void fc98_redirect_isJudgedAsTheFirstAddress(String location, int asked) throws IOException {
    endpoint.close();
    String to = location.replace("PORT", Integer.toString(trap.port()));
    endpoint =
        new Listener(
            "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\nLocation: "
                + to
                + "\r\n\r\n");
    assertThat(download("http://endpoint.example:" + endpoint.port() + "/o"))
        .isInstanceOf(Invalid.class);
    assertThat(endpoint.connections).hasValue(asked);
    assertThat(trap.connections).hasValue(0);
  }

  /** The trap can be reached; and TLS is spoken with the name, not with the address. */
  @ParameterizedTest
  @EnumSource(HttpProtocol.class)
  void connection_isMadeToTheAddress_andTlsToTheName(HttpProtocol protocol) {
    HttpSettings settings = HttpSettings.of(1, Duration.ofSeconds(5)).with(protocol);
    URI origin = URI.create("https://cdn.example:" + trap.port());
    try (HttpEngine engine =
        HttpEngine.open(origin, settings, OutputAddressesIT::home, System::nanoTime, DEADLINES)) {
      long by = System.nanoTime() + Duration.ofSeconds(5).toNanos();
      assertThat(engine.send(HttpCall.get("/", Map.of(), by), new Collector(10)).firstByteSent())
          .isFalse();
    }
    assertThat(trap.connections).hasPositiveValue();
    assertThat(trap.heard.getFirst()).contains("cdn.example");
  }
}
