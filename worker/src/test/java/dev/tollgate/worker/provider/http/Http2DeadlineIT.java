package dev.tollgate.worker.provider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.worker.provider.http.RawH2Server.Manners;
import dev.tollgate.worker.provider.http.RawH2Server.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Deadlines are kept whatever the peer does, and cost no more than the request they are of. */
class Http2DeadlineIT extends Http2Fixture {
  private static final int INITIAL_WINDOW_SIZE = 0x4;

  @Test
  void deadline_resetsItsStreamAlone_andKeepsTheConnection() throws Exception {
    CountDownLatch cut = new CountDownLatch(1);
    RawH2Server.Script script =
        (request, peer) -> {
          if (request.streamId() == 3) {
            peer.head(3, 202, false); // a frame: the connection lives
            waitFor(cut);
            peer.data(3, "three", true);
          } else if (request.streamId() > 3) {
            peer.answer(request.streamId(), 202, "later");
          }
        };
    try (RawH2Server server = new RawH2Server(script);
        HttpEngine engine = engine(server, 4)) {
      Future<HttpAnswer> hangs = sending(engine, Duration.ofSeconds(1));
      await().until(() -> server.posts() == 1);
      Future<HttpAnswer> waits = sending(engine, PLENTY);

      HttpAnswer silence = hangs.get();
      assertThat(silence.error()).isEqualTo(Evidence.DEADLINE);
      assertThat(silence.firstByteSent()).isTrue();
      assertThat(silence.unprocessed()).isFalse();
      await().until(() -> server.frames(H2Frame.RST_STREAM).size() == 1);
      assertThat(server.frames(H2Frame.RST_STREAM).getFirst().streamId()).isEqualTo(1);
      assertThat(server.frames(H2Frame.RST_STREAM).getFirst().value())
          .isEqualTo(RawH2Server.CANCEL);

      cut.countDown();
      assertThat(text(waits.get())).isEqualTo("three");
      assertThat(text(send(engine, PLENTY))).isEqualTo("later");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  /** What comes late for a stream that was given up is read over, head and body and trailers. */
  @Test
  void framesOfAStreamThatWasCut_doNotDisturbTheNext() throws Exception {
    RawH2Server.Script script =
        (request, peer) -> {
          if (request.streamId() == 1) {
            peer.head(1, 103, false);
            return;
          }
          peer.head(1, 202, false, "x-late", "yes");
          peer.data(1, "too late", false);
          peer.windowUpdate(1, 5);
          peer.trailers(1, true, "x-sum", "1");
          peer.reset(1, RawH2Server.NO_ERROR);
          peer.answer(request.streamId(), 202, "in time");
        };
    try (RawH2Server server = new RawH2Server(script);
        HttpEngine engine = engine(server, 4)) {
      assertThat(send(engine, SOON).status()).isEmpty();
      assertThat(text(send(engine, PLENTY))).isEqualTo("in time");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void silentConnection_isNotUsedAfterADeadline() throws Exception {
    RawH2Server.Script script =
        (request, peer) -> {
          if (peer.number() > 1) {
            peer.answer(request.streamId(), 202, "alive");
          } else if (request.streamId() == 1) {
            peer.answer(1, 202, "still there");
          }
        };
    try (RawH2Server server = new RawH2Server(script, Manners.GOOD.narrow());
        HttpEngine engine = engine(server, 4)) {
      assertThat(text(send(engine, PLENTY))).isEqualTo("still there");
      assertThat(send(engine, SOON).error()).isEqualTo(Evidence.DEADLINE);
      assertThat(text(send(engine, PLENTY))).isEqualTo("alive");
      assertThat(server.connections()).isEqualTo(2);
      assertThat(server.posts()).isEqualTo(3);
    }
  }

  /** Long before the first deadline: a dead connection must not swallow a minute of creates. */
  @Test
  void connectionThatAnswersNoPing_getsNothingNew_andWhatItHasRunsOn() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    RawH2Server.Script script =
        (request, peer) -> {
          if (peer.number() == 1) {
            waitFor(release);
          }
          peer.answer(request.streamId(), 202, "by " + peer.number());
        };
    try (RawH2Server server = new RawH2Server(script, Manners.GOOD.narrow().ignoringPings());
        HttpEngine engine = engine(server, settings(4, SOON.dividedBy(3)))) {
      List<Future<HttpAnswer>> under = new ArrayList<>();
      await()
          .until(
              () -> {
                under.add(sending(engine, PLENTY));
                return under.stream().anyMatch(Future::isDone);
              });
      assertThat(server.frames(H2Frame.PING)).isNotEmpty();
      release.countDown();
      assertThat(text(under.getFirst().get())).isEqualTo("by 1");
      for (Future<HttpAnswer> one : under) {
        assertThat(text(one.get())).startsWith("by ");
      }
      assertThat(server.posts()).isEqualTo(under.size());
    }
  }

  @Test
  void slowAnswerOfAPeerThatPongs_keepsTheConnection() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    RawH2Server.Script script =
        (request, peer) -> {
          if (request.streamId() == 1) {
            waitFor(release);
          }
          peer.answer(request.streamId(), 202, "by " + peer.number());
        };
    try (RawH2Server server = new RawH2Server(script, Manners.GOOD.narrow());
        HttpEngine engine = engine(server, settings(4, SOON.dividedBy(3)))) {
      Future<HttpAnswer> waits = sending(engine, PLENTY);
      await().until(() -> server.frames(H2Frame.PING).size() >= 2);
      assertThat(text(send(engine, PLENTY))).isEqualTo("by 1");
      release.countDown();
      assertThat(text(waits.get())).isEqualTo("by 1");
    }
  }

  @Test
  void uploadThatThePeerDoesNotTake_isCutAtTheDeadline_andTheConnectionKept() throws Exception {
    RawH2Server.Script script =
        answeringGot(
            (frame, peer) -> {
              if (frame.type() == H2Frame.HEADERS) {
                peer.windowUpdate(0, 1); // it lives
              }
            });
    Manners narrow = Manners.GOOD.narrow().with(INITIAL_WINDOW_SIZE, 10);
    try (RawH2Server server = new RawH2Server(script, narrow);
        HttpEngine engine = engine(server, 4)) {
      HttpAnswer silence = send(engine, SOON); // its body is longer than ten bytes
      assertThat(silence.error()).isEqualTo(Evidence.DEADLINE);
      assertThat(silence.firstByteSent()).isTrue();
      await().until(() -> server.frames(H2Frame.RST_STREAM).size() == 1);
      assertThat(server.requests()).isEmpty();
      assertThat(server.posts()).isEqualTo(1);

      HttpCall get = HttpCall.get("/tasks/1", Map.of(), System.nanoTime() + PLENTY.toNanos());
      assertThat(text(engine.send(get, new Collector(100)))).isEqualTo("got");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void peerThatStopsReading_isLeftAtTheDeadline() throws Exception {
    int huge = 64 * 1024 * 1024;
    CountDownLatch once = new CountDownLatch(1);
    RawH2Server.Script script =
        answeringGot(
            (frame, peer) -> {
              if (frame.type() == H2Frame.HEADERS && once.getCount() > 0) {
                once.countDown();
                peer.windowUpdate(0, huge);
                peer.stopReading();
              }
            });
    Manners wide = Manners.GOOD.with(INITIAL_WINDOW_SIZE, huge);
    try (RawH2Server server = new RawH2Server(script, wide);
        HttpEngine engine = engine(server, 4)) {
      HttpAnswer answer = engine.send(post(new byte[32 * 1024 * 1024], SOON), new Collector(100));
      assertThat(answer.error()).isEqualTo(Evidence.DEADLINE);
      assertThat(answer.firstByteSent()).isTrue();
      assertThat(text(send(engine, PLENTY))).isEqualTo("got");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  /** It asks faster than it reads: we do not hold the answers for it. */
  @Test
  void floodOfPings_endsTheConnection() throws Exception {
    ByteBuffer pings = ByteBuffer.allocate(17 * 1000);
    while (pings.hasRemaining()) {
      pings.put(new byte[] {0, 0, 8, 6, 0, 0, 0, 0, 0}).putLong(7);
    }
    RawH2Server.Script script =
        new RawH2Server.Script() {
          @Override
          public void answer(Request request, H2Peer peer) throws IOException {
            while (true) { // until the client has had enough
              peer.write(pings.array());
            }
          }

          @Override
          public void came(RawH2Server.Frame frame, H2Peer peer) {
            if (frame.type() == H2Frame.DATA) {
              peer.stopReading();
            }
          }
        };
    try (RawH2Server server = new RawH2Server(script);
        HttpEngine engine = engine(server, 4)) {
      HttpAnswer answer = send(engine, PLENTY);
      assertThat(answer.firstByteSent()).isTrue();
      assertThat(answer.error()).contains("more answers than it reads");
    }
  }

  private interface OnFrame {
    void came(RawH2Server.Frame frame, H2Peer peer) throws IOException;
  }

  private static RawH2Server.Script answeringGot(OnFrame onFrame) {
    return new RawH2Server.Script() {
      @Override
      public void answer(Request request, H2Peer peer) throws IOException {
        peer.answer(request.streamId(), 200, "got");
      }

      @Override
      public void came(RawH2Server.Frame frame, H2Peer peer) throws IOException {
        onFrame.came(frame, peer);
      }
    };
  }
}
