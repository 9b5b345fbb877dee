package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.RawServer.Request;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * FC-38: whatever a server does after it has read a POST, it sees that POST once. Each misbehaviour
 * is met on a fresh connection and on one that served a request before.
 */
@ParameterizedClass
@EnumSource(Made.class)
class PostOnceIT {
  @Parameter Made made = Made.BY_DESCRIPTOR;

  enum Misbehaviour {
    CLOSES(Verdict.Unknown.class) {
      @Override
      boolean act(Socket socket) throws IOException {
        return RawServer.fin(socket);
      }
    },
    RESETS(Verdict.Unknown.class) {
      @Override
      boolean act(Socket socket) throws IOException {
        return RawServer.reset(socket);
      }
    },
    HANGS(Verdict.Unknown.class) {
      @Override
      boolean act(Socket socket) {
        return RawServer.hang();
      }
    },
    SAYS_503(Verdict.Unknown.class) {
      @Override
      boolean act(Socket socket) throws IOException {
        return RawServer.write(socket, RawServer.answer(503, "Retry-After: 0\r\n", "{}"));
      }
    },
    SAYS_500(Verdict.Unknown.class) { // FC-41
      @Override
      boolean act(Socket socket) throws IOException {
        return RawServer.write(socket, RawServer.answer(500, "{}"));
      }
    },
    REDIRECTS_307(Verdict.Unknown.class) {
      @Override
      boolean act(Socket socket) throws IOException {
        return RawServer.write(socket, RawServer.answer(307, "Location: /elsewhere\r\n", ""));
      }
    },
    CHALLENGES_401(Verdict.Unknown.class) { // not in the provider's shape
      @Override
      boolean act(Socket socket) throws IOException {
        String challenge = "WWW-Authenticate: Basic realm=\"x\"\r\n";
        return RawServer.write(socket, RawServer.answer(401, challenge, "{}"));
      }
    },
    REFUSES_401(Verdict.Rejected.class) {
      @Override
      boolean act(Socket socket) throws IOException {
        String challenge = "WWW-Authenticate: Basic realm=\"x\"\r\n";
        String error = "{\"error\":{\"code\":\"unauthorized\",\"message\":\"no\"}}";
        return RawServer.write(socket, RawServer.answer(401, challenge, error));
      }
    },
    TIMES_OUT_408(Verdict.Unknown.class) {
      @Override
      boolean act(Socket socket) throws IOException {
        RawServer.write(socket, RawServer.answer(408, "Connection: close\r\n", ""));
        return RawServer.fin(socket);
      }
    },
    CONTINUES_THEN_HANGS(Verdict.Unknown.class) {
      @Override
      boolean act(Socket socket) throws IOException {
        RawServer.write(socket, "HTTP/1.1 100 Continue\r\n\r\n");
        return RawServer.hang();
      }
    };

    private final Class<? extends Verdict> expected;

    Misbehaviour(Class<? extends Verdict> expected) {
      this.expected = expected;
    }

    abstract boolean act(Socket socket) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void fc38_misbehaviourOnFreshConnection_seesExactlyOnePost(Misbehaviour misbehaviour)
      throws IOException {
    try (RawServer server = new RawServer((_, socket) -> misbehaviour.act(socket));
        ProviderAdapter adapter = made.open(server.base("/blind"), Recourse.NONE)) {
      PostOnce.onFreshConnection(server, adapter, misbehaviour.expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void fc38_misbehaviourOnPooledConnection_seesExactlyOnePostMore(Misbehaviour misbehaviour)
      throws IOException {
    RawServer.Script script =
        (request, socket) ->
            request.number() == 1 ? accept(request, socket) : misbehaviour.act(socket);
    try (RawServer server = new RawServer(script);
        ProviderAdapter adapter = made.open(server.base("/blind"), Recourse.NONE)) {
      PostOnce.onUsedConnection(server, adapter, misbehaviour.expected);
    }
  }

  @Test
  void fc38_serverClosesPooledConnectionWhileIdle_sendsOnceOnAnother() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    try (RawServer server = new RawServer((r, s) -> acceptThenCloseFirst(r, s, closed));
        ProviderAdapter adapter = validating(server, Duration.ZERO)) {
      PostOnce.assertAccepted(adapter, 1);
      assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();

      PostOnce.assertAccepted(adapter, 2);

      assertThat(server.posts()).isEqualTo(2);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void fc38_deadPooledConnectionTakenForAlive_isUnknownAndNotSentAgain() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    try (RawServer server = new RawServer((r, s) -> acceptThenCloseFirst(r, s, closed));
        ProviderAdapter adapter = validating(server, Duration.ofHours(1))) {
      PostOnce.assertAccepted(adapter, 1);
      assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();

      SubmitResult result = adapter.submit(Adapters.submission(Adapters.PLENTY));

      assertThat(result.verdict()).isInstanceOf(Verdict.Unknown.class);
      assertThat(server.posts()).isEqualTo(1);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void surplusBehindAnAnswer_isNotReadAsTheNextAnswer() throws IOException {
    RawServer.Script script =
        (request, socket) -> {
          String surplus = request.number() == 1 ? RawServer.answer(202, PostOnce.body(9)) : "";
          return RawServer.write(
              socket, RawServer.answer(202, PostOnce.body(request.number())) + surplus);
        };
    try (RawServer server = new RawServer(script);
        ProviderAdapter adapter = validating(server, Duration.ofHours(1))) {
      PostOnce.assertAccepted(adapter, 1);
      PostOnce.assertAccepted(adapter, 2);
      assertThat(server.posts()).isEqualTo(2);
    }
  }

  @Test
  void bytesOnAnIdleConnection_areNotReadAsTheNextAnswer() throws Exception {
    CountDownLatch said = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    RawServer.Script script =
        (request, socket) -> {
          accept(request, socket);
          if (request.number() == 1) {
            await(answered);
            RawServer.write(socket, RawServer.answer(202, PostOnce.body(9)));
            said.countDown();
          }
          return true;
        };
    try (RawServer server = new RawServer(script);
        ProviderAdapter adapter = validating(server, Duration.ofHours(1))) {
      PostOnce.assertAccepted(adapter, 1);
      answered.countDown();
      assertThat(said.await(20, TimeUnit.SECONDS)).isTrue();

      PostOnce.assertAccepted(adapter, 2);

      assertThat(server.posts()).isEqualTo(2);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  private ProviderAdapter validating(RawServer server, Duration afterIdle) {
    return made.open(server.base("/blind"), Recourse.NONE, 4, afterIdle, System::nanoTime);
  }

  private static boolean acceptThenCloseFirst(Request request, Socket socket, CountDownLatch closed)
      throws IOException {
    accept(request, socket);
    if (request.number() > 1) {
      return true;
    }
    RawServer.fin(socket);
    closed.countDown();
    return false;
  }

  private static boolean accept(Request request, Socket socket) throws IOException {
    return RawServer.write(socket, RawServer.answer(202, PostOnce.body(request.number())));
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(20, TimeUnit.SECONDS)) {
        throw new IOException("the test never went on");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
