package dev.tollgate.worker.provider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.worker.provider.http.RawH2Server.Manners;
import dev.tollgate.worker.provider.http.RawH2Server.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many requests on one connection: what one of them meets, the others do not. */
class Http2EngineIT extends Http2Fixture {
  private static final int MAX_CONCURRENT_STREAMS = 0x3;

  @Test
  void twoAtOnce_shareAConnection_andAResetHurtsOnlyItsOwn() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    RawH2Server.Script script =
        (request, peer) -> {
          both.countDown();
          waitFor(both);
          if (request.streamId() == 1) {
            peer.reset(1, RawH2Server.CANCEL);
          } else {
            peer.answer(request.streamId(), 202, "three");
          }
        };
    try (RawH2Server server = new RawH2Server(script);
        HttpEngine engine = engine(server, 4)) {
      List<HttpAnswer> answers = all(sending(engine, PLENTY), sending(engine, PLENTY));
      assertThat(answers).filteredOn(a -> a.end() == BodyEnd.WHOLE).hasSize(1);
      assertThat(answers)
          .filteredOn(a -> a.status().isEmpty())
          .singleElement()
          .satisfies(a -> assertThat(a.unprocessed()).isFalse());
      assertThat(server.connections()).isEqualTo(1);
      assertThat(text(send(engine, PLENTY))).isEqualTo("three"); // stream 5 is told as 3 was
    }
  }

  @Test
  void goAwayBetweenTwo_disclaimsTheHigher_andTheLowerIsAnswered() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    RawH2Server.Script script =
        (request, peer) -> {
          both.countDown();
          waitFor(both);
          if (request.streamId() == 3) {
            peer.goAway(1, RawH2Server.NO_ERROR);
            peer.answer(1, 202, "one");
          } else if (peer.number() > 1) {
            peer.answer(request.streamId(), 202, "elsewhere");
          }
        };
    try (RawH2Server server = new RawH2Server(script);
        HttpEngine engine = engine(server, 4)) {
      List<HttpAnswer> answers = all(sending(engine, PLENTY), sending(engine, PLENTY));
      assertThat(answers).filteredOn(HttpAnswer::unprocessed).hasSize(1);
      assertThat(answers)
          .filteredOn(a -> !a.unprocessed())
          .singleElement()
          .satisfies(a -> assertThat(text(a)).isEqualTo("one"));
      assertThat(text(send(engine, PLENTY))).isEqualTo("elsewhere");
      assertThat(server.connections()).isEqualTo(2);
      assertThat(server.posts()).isEqualTo(3);
    }
  }

  @Test
  void noRoomUntilTheSendDeadline_isNotSent() throws Exception {
    Manners one = Manners.GOOD.with(MAX_CONCURRENT_STREAMS, 1);
    CountDownLatch release = new CountDownLatch(1);
    RawH2Server.Script script =
        (request, peer) -> {
          waitFor(release);
          peer.answer(request.streamId(), 202, "done");
        };
    try (RawH2Server server = new RawH2Server(script, one);
        HttpEngine engine = engine(server, 1)) {
      Future<HttpAnswer> first = sending(engine, PLENTY);
      await().until(() -> server.posts() == 1);
      HttpAnswer none = send(engine, SOON);
      assertThat(none.firstByteSent()).isFalse();
      assertThat(none.error()).isEqualTo("no free connection until the send deadline");

      Future<HttpAnswer> next = sending(engine, PLENTY);
      release.countDown();
      assertThat(text(first.get())).isEqualTo("done");
      assertThat(text(next.get())).isEqualTo("done");
      assertThat(server.connections()).isEqualTo(1);
      assertThat(server.posts()).isEqualTo(2);
    }
  }

  @Test
  void fullConnection_getsACompanion() throws Exception {
    Manners one = Manners.GOOD.with(MAX_CONCURRENT_STREAMS, 1);
    CountDownLatch both = new CountDownLatch(2);
    RawH2Server.Script script =
        (request, peer) -> {
          both.countDown();
          waitFor(both);
          peer.answer(request.streamId(), 202, "done");
        };
    try (RawH2Server server = new RawH2Server(script, one);
        HttpEngine engine = engine(server, 4)) {
      assertThat(all(sending(engine, PLENTY), sending(engine, PLENTY)))
          .allMatch(answer -> text(answer).equals("done"));
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void limitOfNoStreamsAtAll_isNotSent() throws Exception {
    Manners none = Manners.GOOD.with(MAX_CONCURRENT_STREAMS, 0);
    try (RawH2Server server = new RawH2Server((_, _) -> {}, none);
        HttpEngine engine = engine(server, 2)) {
      assertThat(send(engine, SOON).firstByteSent()).isFalse();
      assertThat(server.posts()).isZero();
    }
  }

  @Test
  void bodiesLongerThanEveryWindow_comeAndGoWhole() throws Exception {
    String large = "x".repeat(3_000_000);
    RawH2Server.Script script =
        (request, peer) -> {
          peer.head(request.streamId(), 200, false);
          peer.flood(request.streamId(), request.body());
        };
    try (RawH2Server server = new RawH2Server(script);
        HttpEngine engine = engine(server, 4)) {
      Collector sink = new Collector(4_000_000);
      HttpCall call = post(large.getBytes(StandardCharsets.US_ASCII), PLENTY);
      HttpAnswer answer = engine.send(call, sink);
      assertThat(answer.error()).isEmpty();
      assertThat(answer.end()).isEqualTo(BodyEnd.WHOLE);
      assertThat(text(answer)).isEqualTo(large);
    }
  }

  @Test
  void readerThatWantsNoMore_resetsItsStreamAlone() throws Exception {
    RawH2Server.Script script = (r, peer) -> peer.answer(r.streamId(), 200, "longer than four");
    try (RawH2Server server = new RawH2Server(script);
        HttpEngine engine = engine(server, 4)) {
      HttpAnswer answer = engine.send(post(new byte[1], PLENTY), new Collector(4));
      assertThat(answer.end()).isIn(BodyEnd.OVER_LIMIT);
      assertThat(text(answer)).isEqualTo("long");
      assertThat(text(send(engine, PLENTY))).isEqualTo("longer than four");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  /** A slow reader holds at most its own window; the others' answers pass it. */
  @Test
  void slowReader_doesNotHoldUpTheOthers() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    BodySink slow =
        new BodySink() {
          @Override
          public boolean write(int status, byte[] buffer, int offset, int length) {
            reading.countDown();
            waitForUnchecked(release);
            return true;
          }

          @Override
          public byte[] collected() {
            return new byte[0];
          }
        };
    RawH2Server.Script script =
        (request, peer) -> {
          peer.head(request.streamId(), 200, false);
          peer.data(request.streamId(), "x".repeat(16_000), true);
        };
    try (RawH2Server server = new RawH2Server(script);
        HttpEngine engine = engine(server, 4);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<HttpAnswer> first = threads.submit(() -> engine.send(post(new byte[1], PLENTY), slow));
      assertThat(reading.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(send(engine, PLENTY).end()).isEqualTo(BodyEnd.WHOLE);
      release.countDown();
      assertThat(first.get().end()).isEqualTo(BodyEnd.WHOLE);
    }
  }

  /** Beyond 65,536, where a number takes a third byte. */
  @Test
  void manyRequests_goOverOneConnection() throws Exception {
    int senders = 50;
    int each = 700;
    RawH2Server.Script script = (r, peer) -> peer.answer(r.streamId(), 202, r.body());
    try (RawH2Server server = new RawH2Server(script);
        HttpEngine engine = engine(server, 4);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> right = new ArrayList<>();
      for (int i = 0; i < senders; i++) {
        int sender = i;
        right.add(threads.submit(() -> countRight(engine, sender, each)));
      }
      for (Future<Integer> count : right) {
        assertThat(count.get()).isEqualTo(each);
      }
      assertThat(server.posts()).isEqualTo((long) senders * each);
      assertThat(server.requests()).extracting(Request::streamId).contains(65_537);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  private static int countRight(HttpEngine engine, int sender, int each) {
    int right = 0;
    for (int i = 0; i < each; i++) {
      String own = sender + ":" + i;
      HttpCall call = post(own.getBytes(StandardCharsets.US_ASCII), PLENTY);
      right += text(engine.send(call, new Collector(100))).equals(own) ? 1 : 0;
    }
    return right;
  }

  @Test
  void tableOfThePeerShrinks_isAnnouncedWithTheNextHead() throws Exception {
    Manners none = Manners.GOOD.with(0x1, 0);
    try (RawH2Server server =
            new RawH2Server((r, peer) -> peer.answer(r.streamId(), 202, "ok"), none);
        HttpEngine engine = engine(server, 4)) {
      assertThat(text(send(engine, PLENTY))).isEqualTo("ok");
      assertThat(server.frames(H2Frame.HEADERS).getFirst().payload().get(0)).isEqualTo((byte) 0x20);
      assertThat(text(send(engine, PLENTY))).isEqualTo("ok");
    }
  }

  @Test
  void idleConnection_isClosedInTime() throws Exception {
    HttpSettings impatient =
        new HttpSettings(HttpProtocol.HTTP_2, 4, PLENTY, SOON.dividedBy(3), SOON);
    try (RawH2Server server =
            new RawH2Server((r, peer) -> peer.answer(r.streamId(), 202, "by " + peer.number()));
        HttpEngine engine = engine(server, impatient)) {
      assertThat(text(send(engine, PLENTY))).isEqualTo("by 1");
      await().until(() -> server.ended() == 1);
      assertThat(server.frames(H2Frame.GOAWAY)).hasSize(1);
      assertThat(text(send(engine, PLENTY))).isEqualTo("by 2");
    }
  }

  @Test
  void closedEngine_cutsWhatIsUnderWay_andSendsNothing() throws Exception {
    try (RawH2Server server = new RawH2Server((_, _) -> {})) {
      HttpEngine engine = engine(server, 4);
      Future<HttpAnswer> waits = sending(engine, PLENTY);
      await().until(() -> server.posts() == 1);
      engine.close();
      assertThat(waits.get().firstByteSent()).isTrue();
      assertThat(waits.get().status()).isEmpty();
      assertThat(send(engine, PLENTY).error()).isEqualTo("the engine is closed");
      assertThat(server.posts()).isEqualTo(1);
    }
  }

  @Test
  void peerThatNeverBegins_isNotSent() throws Exception {
    try (RawH2Server server = new RawH2Server((_, _) -> {}, Manners.GOOD.silent());
        HttpEngine engine = engine(server, settings(4, SOON))) {
      HttpAnswer answer = send(engine, PLENTY);
      assertThat(answer.firstByteSent()).isFalse();
      assertThat(answer.error()).contains("did not begin HTTP/2");
      assertThat(server.posts()).isZero();
    }
  }

  @Test
  void peerThatSpeaksHttp11_isNotSent() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        HttpEngine engine = engine("http://127.0.0.1:" + listener.getLocalPort(), settings(4))) {
      Thread.ofVirtual().start(() -> sayBadRequest(listener));
      HttpAnswer answer = send(engine, PLENTY);
      assertThat(answer.firstByteSent()).isFalse();
      assertThat(answer.error()).contains("the peer does not speak HTTP/2");
    }
  }

  private static void sayBadRequest(ServerSocket listener) {
    try (Socket socket = listener.accept()) {
      socket
          .getOutputStream()
          .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.getInputStream().readAllBytes();
    } catch (IOException _) {
      // the client had enough
    }
  }
}
