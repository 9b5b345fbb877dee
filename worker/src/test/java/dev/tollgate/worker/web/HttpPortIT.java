package dev.tollgate.worker.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What connections may cost before somebody answers, over real sockets. */
final class HttpPortIT {
  private static final int CONNECTIONS = 8;
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  private static final String HALF = "GET / HTTP/1.1\r\nX: ";

  private final AtomicInteger answers = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch held = new CountDownLatch(1);
  private HttpPort http;

  /** Answers at once, or when it is told to. */
  private final class Answering extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws InterruptedException {
      if (request.getHttpURI().getPath().equals("/held")) {
        held.countDown();
        released.await();
      }
      answers.incrementAndGet();
      response.write(true, ByteBuffer.wrap("ok".getBytes(US_ASCII)), callback);
      return true;
    }
  }

  @BeforeEach
  void open() {
    http =
        new HttpPort(
            "tests",
            "127.0.0.1",
            0,
            new HttpPort.Limits(CONNECTIONS, Duration.ofSeconds(1), LONG, Duration.ofSeconds(1)),
            new Answering());
    http.start();
  }

  @AfterEach
  void close() {
    http.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.port());
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  private static void ask(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(US_ASCII));
  }

  private static String answer(Socket socket) throws IOException {
    String answer = "";
    while (!answer.endsWith("\r\n\r\nok")) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        return answer + "[end]";
      }
      answer += (char) next;
    }
    return answer;
  }

  @Test
  void headThatDrips_isCutOff_othersAreAnswered() throws IOException {
    try (Dripping slow = new Dripping(http.port(), HALF);
        Socket other = connect()) {
      ask(other, GET);
      assertThat(answer(other)).startsWith("HTTP/1.1 200");
      assertThat(slow.isOver()).isTrue();
    }
    assertThat(answers).hasValue(1);
  }

  @Test
  void nothingAtAll_isCutOff() throws IOException {
    try (Socket silent = connect()) {
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void nextHead_hasAsLongAsTheFirst() throws IOException {
    try (Socket socket = connect()) {
      for (int i = 0; i < 3; i++) {
        ask(socket, GET);
        assertThat(answer(socket)).startsWith("HTTP/1.1 200");
      }
      ask(socket, GET + GET + HALF);
      assertThat(answer(socket)).startsWith("HTTP/1.1 200");
      assertThat(answer(socket)).startsWith("HTTP/1.1 200");
      assertThat(answer(socket)).isEqualTo("[end]");
    }
    assertThat(answers).hasValue(5);
  }

  @Test
  void answerThatTakesLonger_isNotCutOff() throws Exception {
    try (Socket patient = connect()) {
      ask(patient, "GET /held HTTP/1.1\r\nHost: h\r\n\r\n");
      held.await();
      try (Socket silent = connect()) {
        assertThat(silent.getInputStream().read()).as("longer than a head may take").isEqualTo(-1);
      }
      released.countDown();
      assertThat(answer(patient)).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void allConnectionsDrip_honestOnesAreAnsweredSoon() throws IOException {
    List<Dripping> slow = new ArrayList<>();
    try {
      // the system's queue holds who comes while there are too many
      for (int i = 0; i < CONNECTIONS * 2; i++) {
        slow.add(new Dripping(http.port(), HALF));
      }
      try (Socket late = connect()) {
        ask(late, GET);
        assertThat(slow).allMatch(Dripping::isOver);
        assertThat(answer(late)).startsWith("HTTP/1.1 200");
      }
    } finally {
      for (Dripping client : slow) {
        client.close();
      }
    }
  }
}
