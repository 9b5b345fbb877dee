package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.HttpSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens before the first byte, and what the deadlines cut. */
@ParameterizedClass
@EnumSource(Made.class)
class NotSentIT {
  @Parameter Made made = Made.BY_DESCRIPTOR;

  private static final Duration SOON = Duration.ofMillis(300);
  private static final String CREATED = "{\"id\":\"blind-7-abc\",\"status\":\"queued\"}";

  @ParameterizedTest
  @EnumSource
  void unknownHost_isNotSent(HttpProtocol protocol) {
    assertNotSent(protocol, URI.create("http://nobody.invalid/blind"), "UnknownHost");
  }

  @ParameterizedTest
  @EnumSource
  void refusedPort_isNotSent(HttpProtocol protocol) throws IOException {
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
    }
    assertNotSent(protocol, URI.create("http://127.0.0.1:" + port + "/blind"), "refused");
  }

  @ParameterizedTest
  @EnumSource
  void tlsToAPortWithoutTls_isNotSent(HttpProtocol protocol) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> sayHttpToEverybody(listener));
      assertNotSent(
          protocol, URI.create("https://127.0.0.1:" + listener.getLocalPort() + "/blind"), "SSL");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tlsHandshakeThatHangs_isNotSentAtTheSendDeadline(HttpProtocol protocol) throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        ProviderAdapter adapter =
            made.open(URI.create("https://127.0.0.1:" + silent.getLocalPort() + "/x"), protocol)) {
      Submission submission = Adapters.submission(System.nanoTime(), SOON, Adapters.PLENTY);
      assertThat(adapter.submit(submission).verdict()).isInstanceOf(Verdict.NotSent.class);
      assertThat(System.nanoTime() - submission.answerByNanos()).isNegative();
    }
  }

  @ParameterizedTest
  @EnumSource
  void sendDeadlineInThePast_isNotSent(Wire wire) throws IOException {
    try (Wire.Served server = wire.serve(Reply.of(202, CREATED));
        ProviderAdapter adapter = made.open(server.base(), wire.protocol())) {
      Submission late = Adapters.submission(System.nanoTime(), Duration.ZERO, Adapters.PLENTY);
      assertThat(adapter.submit(late).verdict()).isInstanceOf(Verdict.NotSent.class);
      assertThat(server.posts().getAsLong()).isZero();
    }
  }

  /**
   * A thread that freezes anywhere before the first byte must not send when it thaws: the clock
   * jumps at each of its readings in turn, and the last reading of all is the one before the byte.
   */
  @ParameterizedTest
  @EnumSource
  void frozenAtAnyReadingOfTheClock_isNotSent(Wire wire) throws IOException {
    for (boolean pooled : new boolean[] {false, true}) {
      int readings = frozenAt(wire, Integer.MAX_VALUE, pooled, Verdict.Accepted.class);
      assertThat(readings).isPositive();
      for (int n = 1; n <= readings; n++) {
        frozenAt(wire, n, pooled, Verdict.NotSent.class);
      }
    }
  }

  /** One submit during which the clock jumps at its n-th reading; returns how often it was read. */
  private int frozenAt(Wire wire, int n, boolean pooled, Class<?> expected) throws IOException {
    long start = System.nanoTime();
    AtomicInteger readings = new AtomicInteger(Integer.MIN_VALUE);
    LongSupplier jumps =
        () -> readings.incrementAndGet() >= n ? start + Duration.ofSeconds(30).toNanos() : start;
    HttpSettings settings = Adapters.usual(1).with(wire.protocol());
    try (Wire.Served server = wire.serve(Reply.of(202, CREATED));
        ProviderAdapter adapter = made.open(server.base(), Recourse.NONE, settings, jumps)) {
      Submission submission =
          Adapters.submission(start, Duration.ofSeconds(20), Duration.ofHours(1));
      if (pooled) {
        assertThat(adapter.submit(submission).verdict()).isInstanceOf(Verdict.Accepted.class);
      }
      long before = server.posts().getAsLong();
      readings.set(0);
      SubmitResult result = adapter.submit(submission);

      boolean sent = expected == Verdict.Accepted.class;
      assertThat(result.verdict()).as("frozen at reading %d", n).isInstanceOf(expected);
      assertThat(result.raw().firstByteSent()).isEqualTo(sent);
      assertThat(server.posts().getAsLong() - before).isEqualTo(sent ? 1 : 0);
      return readings.get();
    }
  }

  @Test
  void poolExhausted_isNotSent() throws Exception {
    try (RawServer server = new RawServer((_, _) -> RawServer.hang());
        ProviderAdapter adapter =
            made.open(server.base("/x"), Recourse.NONE, 1, SOON, System::nanoTime)) {
      Thread first =
          Thread.ofVirtual().start(() -> adapter.submit(Adapters.submission(Adapters.PLENTY)));
      await().until(() -> server.posts() == 1);

      Submission second = Adapters.submission(System.nanoTime(), SOON, Adapters.PLENTY);
      assertThat(adapter.submit(second).verdict())
          .isEqualTo(new Verdict.NotSent("no free connection until the send deadline"));

      first.interrupt();
      assertThat(first.join(Adapters.PLENTY)).isTrue();
      assertThat(server.posts()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void interruptedWhileTheAnswerIsAwaited_isUnknown(Wire wire) throws Exception {
    AtomicReference<Verdict> verdict = new AtomicReference<>();
    Reply never = Reply.of(202, "{").announcing(500).then(Reply.Then.SILENCE);
    try (Wire.Served server = wire.serve(never);
        ProviderAdapter adapter = made.open(server.base(), wire.protocol())) {
      Submission submission = Adapters.submission(Adapters.PLENTY);
      Thread sender =
          Thread.ofVirtual().start(() -> verdict.set(adapter.submit(submission).verdict()));
      await().until(() -> server.posts().getAsLong() == 1);
      sender.interrupt();
      assertThat(sender.join(Adapters.PLENTY)).isTrue();
      assertThat(verdict.get()).isInstanceOf(Verdict.Unknown.class);
    }
  }

  @Test
  void slowDripOfTheHead_isCutAtTheDeadline() throws IOException {
    assertThat(drip(RawServer.answer(202, CREATED), 0).verdict())
        .isEqualTo(new Verdict.Unknown("no answer: the answer deadline passed"));
  }

  @Test
  void slowDripOfTheBodyBeforeTheId_isCutAtTheDeadline() throws IOException {
    String answer = RawServer.answer(202, CREATED);
    SubmitResult result = drip(answer, answer.indexOf("{"));
    assertThat(result.verdict()).isInstanceOf(Verdict.Unknown.class);
    assertThat(result.raw().status()).hasValue(202);
    assertThat(result.raw().truncated()).isTrue();
  }

  @Test
  void slowDripBehindTheId_isAcceptedWithTheCutNoted() throws IOException {
    String answer =
        RawServer.answer(202, "{\"id\":\"blind-7-abc\"," + " ".repeat(5000) + "\"a\":1}");
    SubmitResult result = drip(answer, answer.indexOf(','));
    assertThat(result.verdict().toString()).contains("blind-7-abc").contains("deadline");
  }

  @Test
  void uploadThatStalls_isUnknownAtTheDeadline() throws IOException {
    try (ServerSocket neverReads = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        ProviderAdapter adapter =
            made.open(
                URI.create("http://127.0.0.1:" + neverReads.getLocalPort() + "/x"),
                Recourse.NONE)) {
      // more than the socket buffers of both sides can ever hold
      String half = "\"" + "x".repeat(16 * 1024 * 1024) + "\"";
      Bytes large = Bytes.utf8("[" + half + "," + half + "]");
      long by = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      SubmitResult result =
          adapter.submit(new Submission("video:0", large, Adapters.SUBMISSION_KEY, by, by));
      assertThat(result.verdict()).isInstanceOf(Verdict.Unknown.class);
      assertThat(result.raw().firstByteSent()).isTrue();
    }
  }

  /**
   * Sends {@code at} bytes at once and the rest one by one, more slowly than the deadline allows.
   */
  private SubmitResult drip(String answer, int at) throws IOException {
    try (RawServer server = new RawServer((_, socket) -> drip(socket, answer, at));
        ProviderAdapter adapter = made.open(server.base("/x"), Recourse.NONE)) {
      SubmitResult result = adapter.submit(Adapters.submission(SOON));
      assertThat(server.posts()).isEqualTo(1);
      return result;
    }
  }

  private static boolean drip(Socket socket, String answer, int at) throws IOException {
    RawServer.write(socket, answer.substring(0, at));
    Semaphore never = new Semaphore(0);
    try {
      for (int i = at; i < answer.length(); i++) {
        RawServer.write(socket, answer.substring(i, i + 1));
        if (never.tryAcquire(50, TimeUnit.MILLISECONDS)) {
          return false;
        }
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return false;
  }

  private static void sayHttpToEverybody(ServerSocket listener) {
    try (Socket socket = listener.accept()) {
      RawServer.write(socket, RawServer.answer(400, ""));
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException _) {
      // the client had enough
    }
  }

  private void assertNotSent(HttpProtocol protocol, URI base, String because) {
    try (ProviderAdapter adapter = made.open(base, protocol)) {
      SubmitResult result = adapter.submit(Adapters.submission(Adapters.PLENTY));
      assertThat(result.verdict()).isInstanceOf(Verdict.NotSent.class);
      assertThat(result.verdict().toString()).contains(because);
      assertThat(result.raw().firstByteSent()).isFalse();
    }
  }
}
