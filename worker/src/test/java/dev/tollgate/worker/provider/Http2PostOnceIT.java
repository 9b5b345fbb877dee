package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.Immutable;
import dev.tollgate.worker.provider.http.H2Peer;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.RawH2Server;
import dev.tollgate.worker.provider.http.RawH2Server.Request;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * FC-38 and FC-39 over HTTP/2: whatever a server does after it has read a POST, it sees that POST
 * once, on a fresh connection and on one that served a request before. Nothing that HTTP/2 offers
 * as a reason to send again is taken for one: what was disclaimed comes back as not sent, and it is
 * for the caller to decide.
 */
@ParameterizedClass
@EnumSource(Made.class)
class Http2PostOnceIT {
  @Parameter Made made = Made.BY_DESCRIPTOR;

  @Immutable
  private interface Act {
    void on(int streamId, H2Peer peer) throws IOException;
  }

  enum Misbehaviour {
    CLOSES(Verdict.Unknown.class, (_, peer) -> peer.fin()),
    RESETS(Verdict.Unknown.class, (_, peer) -> peer.rst()),
    HANGS(Verdict.Unknown.class, (_, _) -> {}),
    CANCELS(Verdict.Unknown.class, (id, peer) -> peer.reset(id, RawH2Server.CANCEL)),
    FAILS(Verdict.Unknown.class, (id, peer) -> peer.reset(id, RawH2Server.INTERNAL_ERROR)),
    ENDS_WITHOUT_ANSWER(Verdict.Unknown.class, (id, peer) -> peer.reset(id, RawH2Server.NO_ERROR)),
    REFUSES(Verdict.NotSent.class, (id, peer) -> peer.reset(id, RawH2Server.REFUSED_STREAM)),
    WANTS_HTTP_1_1(Verdict.Unknown.class, (id, peer) -> peer.reset(id, 0xd)),
    WANTS_CALM(Verdict.NotSent.class, (id, peer) -> peer.goAway(id - 1, 0xb)),
    LEAVES_IT_OUT(Verdict.NotSent.class, (id, peer) -> peer.goAway(id - 1, RawH2Server.NO_ERROR)),
    LEAVES_IT_OUT_AND_CLOSES(
        Verdict.NotSent.class,
        (id, peer) -> {
          peer.goAway(id - 1, RawH2Server.NO_ERROR);
          peer.fin();
        }),
    GOES_AWAY(
        Verdict.Unknown.class,
        (id, peer) -> {
          peer.goAway(id, RawH2Server.NO_ERROR);
          peer.fin();
        }),
    PUSHES(Verdict.Unknown.class, (id, peer) -> peer.frame(0x5, 0x4, id, new byte[4])),
    TALKS_NONSENSE(Verdict.Unknown.class, (_, peer) -> peer.write(new byte[32])),
    SAYS_NOTHING_MUCH(Verdict.Unknown.class, (id, peer) -> peer.head(id, 202, true)),
    SAYS_503(Verdict.Unknown.class, (id, peer) -> peer.answer(id, 503, "{}")),
    SAYS_500(Verdict.Unknown.class, (id, peer) -> peer.answer(id, 500, "{}")), // FC-41
    SAYS_421(Verdict.Unknown.class, (id, peer) -> peer.answer(id, 421, "{}")),
    SAYS_425(Verdict.Unknown.class, (id, peer) -> peer.answer(id, 425, "{}")),
    REDIRECTS_307(
        Verdict.Unknown.class, (id, peer) -> peer.head(id, 307, true, "location", "/elsewhere")),
    CHALLENGES_401(
        Verdict.Unknown.class,
        (id, peer) -> peer.head(id, 401, true, "www-authenticate", "Basic realm=\"x\"")),
    TIMES_OUT_408(
        Verdict.Unknown.class,
        (id, peer) -> {
          peer.goAway(id, RawH2Server.NO_ERROR);
          peer.head(id, 408, true);
          peer.fin();
        }),
    CONTINUES_THEN_HANGS(Verdict.Unknown.class, (id, peer) -> peer.head(id, 100, false));

    private final Class<? extends Verdict> expected;
    private final Act act;

    Misbehaviour(Class<? extends Verdict> expected, Act act) {
      this.expected = expected;
      this.act = act;
    }
  }

  @ParameterizedTest
  @EnumSource
  void fc38_misbehaviourOnFreshConnection_seesExactlyOnePost(Misbehaviour misbehaviour)
      throws IOException {
    try (RawH2Server server =
            new RawH2Server((request, peer) -> misbehaviour.act.on(request.streamId(), peer));
        ProviderAdapter adapter = made.open(server.base("/blind"), HttpProtocol.HTTP_2)) {
      PostOnce.onFreshConnection(server, adapter, misbehaviour.expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void fc38_misbehaviourOnUsedConnection_seesExactlyOnePostMore(Misbehaviour misbehaviour)
      throws IOException {
    RawH2Server.Script script =
        (request, peer) -> {
          if (request.number() == 1) {
            accept(request, peer);
          } else {
            misbehaviour.act.on(request.streamId(), peer);
          }
        };
    try (RawH2Server server = new RawH2Server(script);
        ProviderAdapter adapter = made.open(server.base("/blind"), HttpProtocol.HTTP_2)) {
      PostOnce.onUsedConnection(server, adapter, misbehaviour.expected);
    }
  }

  /** What came before must not keep a later request from being sent, once. */
  @ParameterizedTest
  @EnumSource
  void requestAfterMisbehaviour_isSentOnce(Misbehaviour misbehaviour) throws IOException {
    RawH2Server.Script script =
        (request, peer) -> {
          if (request.number() == 1) {
            misbehaviour.act.on(request.streamId(), peer);
          } else {
            accept(request, peer);
          }
        };
    try (RawH2Server server = new RawH2Server(script);
        ProviderAdapter adapter = made.open(server.base("/blind"), HttpProtocol.HTTP_2)) {
      PostOnce.afterMisbehaviour(server, adapter);
    }
  }

  @Test
  void fc38_serverClosesIdleConnection_sendsOnceOnAnother() throws IOException {
    RawH2Server.Script script =
        (request, peer) -> {
          accept(request, peer);
          if (request.number() == 1) {
            peer.goAway(request.streamId(), RawH2Server.NO_ERROR);
            peer.fin();
          }
        };
    try (RawH2Server server = new RawH2Server(script);
        ProviderAdapter adapter = made.open(server.base("/blind"), HttpProtocol.HTTP_2)) {
      PostOnce.assertAccepted(adapter, 1);
      await().until(() -> server.ended() == 1);
      PostOnce.assertAccepted(adapter, 2);
      assertThat(server.posts()).isEqualTo(2);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  private static void accept(Request request, H2Peer peer) throws IOException {
    peer.answer(request.streamId(), 202, PostOnce.body(request.number()));
  }
}
