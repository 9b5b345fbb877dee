package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.DownloadResult.Downloaded;
import dev.tollgate.worker.provider.DownloadResult.Invalid;
import dev.tollgate.worker.provider.DownloadResult.Unavailable;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpEngine;
import dev.tollgate.worker.provider.http.HttpSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies that are cut, go on, start over or never end. */
final class OutputFetchIT {
  private static final Deadlines DEADLINES = new Deadlines();
  private static final String FILM = "0123456789";
  private static final String STRONG = "ETag: \"v1\"\r\nAccept-Ranges: bytes\r\n";

  private final ByteArrayOutputStream sunk = new ByteArrayOutputStream();

  private final OutputSink sink =
      new OutputSink() {
        @Override
        public void write(byte[] buffer, int offset, int length) {
          sunk.write(buffer, offset, length);
        }

        @Override
        public boolean startOver() {
          sunk.reset();
          return true;
        }
      };

  private static String cut(String headers, String part) {
    return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: 10\r\n\r\n" + part;
  }

  private static String rest(int from, String bytes) {
    return rest(from, bytes, bytes.length());
  }

  private static String rest(int from, String bytes, int length) {
    return "HTTP/1.1 206 Partial\r\nContent-Range: bytes %d-9/10\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(from, length, bytes);
  }

  /** What comes of an output whose server gives these answers in turn, and then the last again. */
  private DownloadResult fetch(Optional<String> sha256, OptionalLong length, String... answers)
      throws IOException {
    try (RawServer server =
        new RawServer(
            (request, socket) -> {
              RawServer.write(socket, answers[Math.min(request.number(), answers.length) - 1]);
              return RawServer.fin(socket);
            })) {
      DownloadResult result = fetch(server, sha256, length, Duration.ofSeconds(20));
      asked =
          server.requests().stream()
              .map(r -> r.header("Range").orElse("all") + r.header("If-Range").orElse(""))
              .toList();
      return result;
    }
  }

  private List<String> asked = List.of();

  private DownloadResult fetch(
      RawServer server, Optional<String> sha256, OptionalLong length, Duration patience)
      throws IOException {
    try (HttpEngine engine =
        HttpEngine.open(
            server.base(""),
            HttpSettings.of(2, Duration.ofSeconds(30)),
            System::nanoTime,
            DEADLINES)) {
      OutputFetch.Route way = new OutputFetch.Route.Open(engine, Map.of(), Optional::empty);
      return new OutputFetch(_ -> way, System::nanoTime, patience)
          .fetch(new OutputRef(server.base("/film"), sha256, length, Optional.empty()), sink, 1000);
    }
  }

  private void isTheFilm(DownloadResult result) {
    assertThat(result).isEqualTo(new Downloaded(10, sha256(FILM)));
    assertThat(sunk.toString(StandardCharsets.UTF_8)).isEqualTo(FILM);
  }

  private DownloadResult fetch(String... answers) throws IOException {
    return fetch(Optional.empty(), OptionalLong.empty(), answers);
  }

  /** FC-74, the first and the last: a body that ends before its length, at whatever byte. */
  @Test
  void fc74_shortBody_goesOnWhereItWasCut() throws IOException {
    isTheFilm(fetch(cut(STRONG, "0123"), rest(4, "45", 6), rest(6, "6789")));
    assertThat(asked).containsExactly("all", "bytes=4-\"v1\"", "bytes=6-\"v1\"");
  }

  @Test
  void fc74_shortBody_withoutAValidator_isNotStored() throws IOException {
    assertThat(fetch(cut("", "0123"))).isInstanceOf(Unavailable.class);
    assertThat(fetch(cut("ETag: W/\"v1\"\r\nAccept-Ranges: bytes\r\n", "0123")))
        .isInstanceOf(Unavailable.class);
    assertThat(fetch(cut("ETag: \"v1\"\r\n", "0123"))).isInstanceOf(Unavailable.class);
    assertThat(asked).hasSize(1);
  }

  /** FC-74, the second: chunks without a last one. */
  @Test
  void fc74_missingLastChunk_isNotStored() throws IOException {
    assertThat(fetch("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0123\r\n"))
        .isInstanceOf(Unavailable.class);
  }

  /** FC-74, the third: the range is ignored. */
  @Test
  void fc74_wholeAnswerToARange_startsOver() throws IOException {
    isTheFilm(fetch(cut(STRONG, "01XX"), cut(STRONG.replace("v1", "v2"), FILM)));
  }

  @Test
  void rangeThatIsAnother_isNotTakenForTheRest() throws IOException {
    isTheFilm(fetch(cut(STRONG, "0123"), rest(3, "3456789"), cut(STRONG, FILM)));
    assertThat(asked).containsExactly("all", "bytes=4-\"v1\"", "all");
    sunk.reset();
    isTheFilm(
        fetch(
            cut(STRONG, "0123"),
            "HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n",
            cut(STRONG, FILM)));
  }

  @Test
  void partNobodyAskedFor_isNoOutput() throws IOException {
    assertThat(fetch(rest(0, FILM))).isInstanceOf(Unavailable.class);
    assertThat(asked).hasSize(1);
  }

  @Test
  void lastModified_isAValidatorOnlyIfItIsOlderThanTheAnswer() throws IOException {
    String same = "Date: Mon, 02 Mar 2026 10:00:00 GMT\r\nAccept-Ranges: bytes\r\nLast-Modified: ";
    String old = same + "Mon, 02 Mar 2026 09:59:59 GMT\r\n";
    isTheFilm(fetch(cut(old, "0123"), rest(4, "456789")));
    assertThat(asked).containsExactly("all", "bytes=4-Mon, 02 Mar 2026 09:59:59 GMT");
    assertThat(fetch(cut(same + "Mon, 02 Mar 2026 10:00:00 GMT\r\n", "0123")))
        .isInstanceOf(Unavailable.class);
  }

  @Test
  void restOfAnotherFilm_isFoundOutByTheDigest() throws IOException {
    assertThat(
            fetch(
                Optional.of(sha256(FILM)),
                OptionalLong.empty(),
                cut(STRONG, "0123"),
                rest(4, "XXXXXX")))
        .isInstanceOf(Invalid.class);
  }

  @Test
  void bodyUntilClose_goesOnWhereLengthIsKnown() throws IOException {
    String unframed = "HTTP/1.1 200 OK\r\n" + STRONG + "\r\n0123";
    isTheFilm(fetch(Optional.empty(), OptionalLong.of(10), unframed, rest(4, "456789")));
    assertThat(fetch(unframed)).isInstanceOf(Unavailable.class);
  }

  @Test
  void serverThatCutsAlways_isNotAskedForEver() throws IOException {
    assertThat(fetch(cut(STRONG, "0"), rest(1, "1", 9), rest(1, "1", 9)))
        .isInstanceOf(Unavailable.class);
    assertThat(asked).hasSizeLessThanOrEqualTo(5);
  }

  @Test
  void serverThatIsBusyInBetween_isAskedAgain() throws IOException {
    isTheFilm(
        fetch(
            cut(STRONG, "0123"),
            "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n",
            rest(4, "456789")));
  }

  /** FC-97: no length, no end; cut at the most that is wanted, whatever is announced. */
  @Test
  void fc97_endlessChunks_areCutAtTheMost() throws IOException {
    try (RawServer server = new RawServer((_, socket) -> endless(socket))) {
      assertThat(fetch(server, Optional.empty(), OptionalLong.empty(), Duration.ofSeconds(20)))
          .isInstanceOf(Invalid.class);
      assertThat(sunk.size()).isLessThanOrEqualTo(1000);
    }
  }

  private static boolean endless(Socket socket) throws IOException {
    RawServer.write(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (true) {
      RawServer.write(socket, "64\r\n" + "x".repeat(100) + "\r\n");
    }
  }

  /** FC-97: nothing is decoded, so nothing grows; what is encoded is refused before its body. */
  @Test
  void fc97_encodedBody_isRefusedUnread() throws IOException {
    for (String encoding : List.of("gzip", "gzip, gzip", "br", "deflate")) {
      assertThat(fetch(cut("Content-Encoding: " + encoding + "\r\n", FILM)))
          .isInstanceOf(Invalid.class);
      assertThat(sunk.size()).isZero();
    }
  }

  /** All tries together have one time; a server that drips does not get more by cutting. */
  @Test
  void timeIsBounded_forAllTriesTogether() throws IOException {
    try (RawServer server =
        new RawServer(
            (_, socket) -> {
              RawServer.write(socket, cut(STRONG, "0"));
              return RawServer.hang();
            })) {
      assertThat(fetch(server, Optional.empty(), OptionalLong.empty(), Duration.ofMillis(400)))
          .isInstanceOf(Unavailable.class);
      assertThat(server.requests()).hasSizeLessThanOrEqualTo(2);
    }
  }

  /** A server may give less than was asked for: then that is asked for as well. */
  @Test
  void shorterRangeThanAskedFor_goesOn() throws IOException {
    String some =
        "HTTP/1.1 206 Partial\r\nContent-Range: bytes 4-5/10\r\nETag: \"v1\"\r\nContent-Length: 2\r\n\r\n45";
    isTheFilm(fetch(cut(STRONG, "0123"), some, rest(6, "6789")));
  }

  @Test
  void rangeOfAnotherVersion_isNotPutTogetherWithTheFirst() throws IOException {
    String other =
        "HTTP/1.1 206 Partial\r\nContent-Range: bytes 4-9/10\r\nETag: \"v2\"\r\nContent-Length: 6\r\n\r\nXXXXXX";
    isTheFilm(fetch(cut(STRONG, "9999"), other, cut(STRONG.replace("v1", "v2"), FILM)));
  }

  @Test
  void rangeOfALongerWhole_isNotPutTogetherWithTheFirst() throws IOException {
    String other =
        "HTTP/1.1 206 Partial\r\nContent-Range: bytes 4-9/999\r\nContent-Length: 6\r\n\r\nXXXXXX";
    isTheFilm(fetch(cut(STRONG, "0123"), other, cut(STRONG, FILM)));
  }

  /** What several stores say, as they say it, where the time of an address is over. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          403 | <Code>AccessDenied</Code><Message>Request has expired</Message>
          403 | <Code>AuthenticationFailed</Code><AuthenticationErrorDetail>Signature not valid in the specified time frame: Start [x] - Expiry [y]</AuthenticationErrorDetail>
          400 | <Code>ExpiredToken</Code><Message>The provided token has expired.</Message>
          401 | {"error":"link expired"}
          410 | gone
          404 | <Code>NoSuchKey</Code>
          """)
  void addressThatIsOver_isGone(int status, String page) throws IOException {
    assertThat(fetch(RawServer.answer(status, page))).isInstanceOf(DownloadResult.Gone.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401 | <Code>AccessDenied</Code>
          400 | <Code>InvalidArgument</Code>
          403 | <html>blocked</html>
          503 | <Code>SlowDown</Code><Message>expired</Message>
          """)
  void refusalThatDoesNotSayWhy_isUnavailable(int status, String page) throws IOException {
    assertThat(fetch(RawServer.answer(status, page))).isInstanceOf(Unavailable.class);
  }

  /** A long film may take longer than the patience, as long as it goes on. */
  @Test
  void slowButSteady_isNotCutAtThePatience() throws IOException {
    AtomicLong now = new AtomicLong();
    try (RawServer server =
            new RawServer(
                (_, socket) -> {
                  RawServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 3145728\r\n\r\n");
                  byte[] piece = new byte[1024 * 1024];
                  for (int i = 0; i < 3; i++) {
                    now.addAndGet(Duration.ofSeconds(3).toNanos()); // at 341 KiB a second
                    socket.getOutputStream().write(piece);
                  }
                  return RawServer.fin(socket);
                });
        HttpEngine engine =
            HttpEngine.open(
                server.base(""), HttpSettings.of(2, Duration.ofSeconds(30)), now::get, DEADLINES)) {
      OutputFetch.Route way = new OutputFetch.Route.Open(engine, Map.of(), Optional::empty);
      OutputRef film =
          new OutputRef(
              server.base("/film"), Optional.empty(), OptionalLong.empty(), Optional.empty());
      assertThat(
              new OutputFetch(_ -> way, now::get, Duration.ofSeconds(5)).fetch(film, sink, 1 << 24))
          .isInstanceOf(Downloaded.class);
    }
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
