package dev.tollgate.loadtest.sandbox;

import static dev.tollgate.loadtest.sandbox.Wire.get;
import static dev.tollgate.loadtest.sandbox.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.sandbox.Wire.End;
import dev.tollgate.loadtest.sandbox.Wire.Seen;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP as the sandbox speaks it: connections, bodies, limits, idle clients, tokens. */
final class SandboxProtocolIT {
  private static final String BODY = "{\"input\":{\"prompt\":\"a red kite\"}}";

  @TempDir Path folder;

  @Test
  void wrongToken_isRefusedEverywhere_andLeavesNoTask() throws IOException {
    try (SandboxServer server = SandboxServer.start(options())) {
      for (String token : List.of("Bearer sandbox-kez", "sandbox-key", "Bearer ")) {
        String post = post(Kind.BLIND, "", BODY).replace("Bearer sandbox-key", token);
        assertThat(Wire.once(server, post).status()).isEqualTo(401);
        String read = get("/blind/tasks/x").replace("Bearer sandbox-key", token);
        assertThat(Wire.once(server, read).errorCode()).isEqualTo("unauthorized");
      }
      Ledger ledger = Ledger.read(ledger());
      assertThat(ledger.tasks()).isEmpty();
      assertThat(ledger.requestCounts()).containsEntry("blind", 3L);
      assertThat(ledger.faultsFired()).isEmpty();
    }
  }

  @Test
  void keepAlive_servesManyRequestsAndPipelinedOnes() throws IOException {
    try (SandboxServer server = SandboxServer.start(options());
        Wire wire = new Wire(server)) {
      for (int i = 1; i <= 5; i++) {
        Seen seen = wire.send(post(Kind.BLIND, "", BODY)).read(Duration.ofSeconds(5));
        assertThat(seen.id()).startsWith("blind-" + i + "-");
      }
      wire.send(post(Kind.BLIND, "", BODY) + get("/admin/health"));
      assertThat(wire.read(Duration.ofSeconds(5)).id()).startsWith("blind-6-");
      assertThat(wire.read(Duration.ofSeconds(5)).body()).isEqualTo("{\"status\":\"ok\"}");
      wire.send(get("/admin/health").replace("Host: sandbox", "Connection: close"));
      assertThat(wire.read(Duration.ofSeconds(5)).bytes()).contains("Connection: close");
      assertThat(wire.read(Duration.ofSeconds(5)).end()).isEqualTo(End.FIN);
    }
  }

  @Test
  void chunkedBodyInPieces_isTakenLikeAWholeOne() throws IOException {
    String head = post(Kind.BLIND, "", "");
    String chunked = head.replace("Content-Length: 0", "Transfer-Encoding: chunked");
    try (SandboxServer server = SandboxServer.start(options());
        Wire wire = new Wire(server)) {
      wire.send(chunked.substring(0, 40));
      wire.send(chunked.substring(40) + "A;x=y\r\n" + BODY.substring(0, 10));
      int rest = BODY.length() - 10;
      wire.send("\r\n" + Integer.toHexString(rest) + "\r\n" + BODY.substring(10));
      wire.send("\r\n0\r\nX-Trailer: 1\r\n\r\n");
      assertThat(wire.read(Duration.ofSeconds(5)).status()).isEqualTo(202);
      assertThat(wire.send(get("/admin/health")).read(Duration.ofSeconds(5)).status())
          .isEqualTo(200);
      assertThat(Ledger.read(ledger()).requests().getFirst().bodySha256())
          .isEqualTo(CreateRequest.sha256(BODY.getBytes(StandardCharsets.UTF_8)));
    }
  }

  @Test
  void expectContinue_isAnsweredBeforeTheBody() throws IOException {
    String request = post(Kind.BLIND, "Expect: 100-continue\r\n", BODY);
    int body = request.indexOf(BODY);
    try (SandboxServer server = SandboxServer.start(options());
        Wire wire = new Wire(server)) {
      wire.send(request.substring(0, body));
      assertThat(wire.read(Duration.ofSeconds(5)).bytes())
          .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      wire.send(BODY);
      assertThat(wire.read(Duration.ofSeconds(5)).status()).isEqualTo(202);
    }
  }

  @Test
  void javaHttpClient_isServed() throws Exception {
    try (SandboxServer server = SandboxServer.start(options());
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              java.net.http.HttpRequest.newBuilder(
                      URI.create(server.baseUri(Kind.BLIND) + "/tasks"))
                  .header("Authorization", "Bearer sandbox-key")
                  .POST(BodyPublishers.ofString(BODY))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(202);
    }
  }

  @Test
  void malformedOrTooLarge_isAnsweredAndClosed() throws IOException {
    String post = "POST /blind/tasks HTTP/1.1\r\nAuthorization: Bearer sandbox-key\r\n";
    try (SandboxServer server = SandboxServer.start(options())) {
      assertThat(closedWith(server, "hello\r\n\r\n")).isEqualTo(400);
      assertThat(closedWith(server, "GET / HTTP/2.0\r\n\r\n")).isEqualTo(400);
      assertThat(closedWith(server, post + "Content-Length: 2000000\r\n\r\n")).isEqualTo(413);
      assertThat(closedWith(server, post + "Content-Length: -1\r\n\r\n")).isEqualTo(400);
      assertThat(
              closedWith(server, post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"))
          .isEqualTo(400);
      assertThat(closedWith(server, post + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n"))
          .isEqualTo(413);
      assertThat(closedWith(server, post + "X: " + "x".repeat(16_384 - post.length() - 3)))
          .isEqualTo(431);
      for (String body : List.of("", "{", "[]", "{\"input\":1}", "{\"input\":{}} x", "{}")) {
        assertThat(Wire.once(server, post(Kind.BLIND, "", body)).errorCode())
            .isEqualTo("invalid_request");
      }
      assertThat(Ledger.read(ledger()).tasks()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "POST /blind/ta",
        "POST /blind/tasks HTTP/1.1\r\nAuthorization: Bearer sandbox-key\r\nContent-Length: 9\r\n\r\n{"
      })
  void idleOrIncomplete_isClosedAfterTheIdleTimeout(String start) throws IOException {
    SandboxOptions options = options().withIdleTimeout(Duration.ofMillis(300));
    try (SandboxServer server = SandboxServer.start(options);
        Wire wire = new Wire(server)) {
      if (!start.isEmpty()) {
        wire.send(start);
      }
      long before = System.nanoTime();
      Seen seen = wire.read(Duration.ofSeconds(5));
      Duration waited = Duration.ofNanos(System.nanoTime() - before);
      assertThat(seen).isEqualTo(new Seen(End.FIN, ""));
      assertThat(waited).isBetween(Duration.ofMillis(200), Duration.ofSeconds(3));
    }
  }

  @Test
  void drippingHeaders_doNotProlongTheIdleTimeout() throws IOException {
    SandboxOptions options = options().withIdleTimeout(Duration.ofMillis(300));
    try (SandboxServer server = SandboxServer.start(options);
        Wire wire = new Wire(server)) {
      long before = System.nanoTime();
      Seen seen = new Seen(End.SILENT, "");
      while (seen.end() == End.SILENT) {
        try {
          wire.send("G");
        } catch (IOException _) {
          break; // closed under the drip
        }
        seen = wire.read(Duration.ofMillis(20));
      }
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(3));
    }
  }

  private static int closedWith(SandboxServer server, String request) throws IOException {
    try (Wire wire = new Wire(server)) {
      Seen seen = wire.send(request).read(Duration.ofSeconds(5));
      assertThat(wire.read(Duration.ofSeconds(5)).end()).isIn(End.FIN, End.RST);
      return seen.status();
    }
  }

  private Path ledger() {
    return folder.resolve("ledger.jsonl");
  }

  private SandboxOptions options() {
    return SandboxOptions.of(ledger());
  }
}
