package dev.tollgate.worker.gate;

import static dev.tollgate.worker.gate.GateAnswer.ACQUIRED;
import static dev.tollgate.worker.gate.GateAnswer.OWN;
import static dev.tollgate.worker.gate.GateAnswer.UNAVAILABLE;
import static dev.tollgate.worker.gate.GateKeys.key;
import static dev.tollgate.worker.gate.GateKeys.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Protocol.Command;

/** What the gate makes of a Redis that is gone, silent or slow, and how it comes back. */
final class RedisGateAwayIT extends RedisGateFixture {

  @Test
  void killedAndBack_breakerOpensAndClosesAgain() {
    try (TestRedis mortal = TestRedis.start()) {
      RedisGate gate = gate(TestGates.patient(mortal.uri()), "w1");
      assertThat(gate.ask(keys(2))).containsOnly(ACQUIRED);
      mortal.kill();
      assertThat(gate.ask(keys(2))).containsOnly(UNAVAILABLE);
      assertThat(breakerOpen()).isTrue();
      mortal.restart();
      assertThat(gate.ask(keys(2))).as("skipped until the pause ends").containsOnly(UNAVAILABLE);
      pauseEnds();
      assertThat(gate.ask(keys(2))).as("its memory was lost").containsOnly(ACQUIRED);
      assertThat(breakerOpen()).isFalse();
    }
  }

  @Test
  void whileTheBreakerIsOpen_nothingReachesRedis() {
    RedisGate gate = throughProxy("w1");
    proxy.always(new RespProxy.Action.Reply("-LOADING\r\n"));
    gate.ask(keys(1));
    int seen = proxy.commands().size();
    assertThat(gate.ask(keys(1))).containsExactly(UNAVAILABLE);
    assertThat(gate.look(keys(1))).containsExactly(UNAVAILABLE);
    gate.consumed(keys(1));
    gate.release(keys(1));
    assertThat(proxy.commands()).hasSize(seen);
  }

  @Test
  void frozenRedis_askReturnsWithinItsBudget() {
    try (TestRedis frozen = TestRedis.start()) {
      RedisGate gate = gate(TestGates.hasty(frozen.uri()), "w1");
      frozen.freeze();
      try {
        assertThat(inTime(gate, keys(100))).containsOnly(UNAVAILABLE);
      } finally {
        frozen.thaw();
      }
      pauseEnds();
      // what lay in its socket may have been carried out on waking: then the claims are there, and
      // ours
      RedisGate patient = gate(TestGates.patient(frozen.uri()), "w1");
      assertThat(patient.ask(keys(100))).allMatch(GateAnswer::claimed);
    }
  }

  @Test
  void pausedWrites_askReturnsWithinItsBudget() {
    try (TestRedis paused = TestRedis.start()) {
      paused.command(Command.CLIENT, "PAUSE", "60000", "WRITE");
      assertThat(inTime(gate(TestGates.hasty(paused.uri()), "w1"), keys(10)))
          .containsOnly(UNAVAILABLE);
    }
  }

  @Test
  void silentRedis_budgetHoldsWhateverTheSocketTimeout() {
    proxy.always(new RespProxy.Action.Hang());
    GateConfig config = TestGates.timed(proxy.uri(), Duration.ofMinutes(1), Duration.ofMillis(300));
    assertThat(inTime(gate(config, "w1"), keys(10))).containsOnly(UNAVAILABLE);
  }

  @Test
  void silentRedisManyTimes_connectionsAreNotUsedUp() {
    GateConfig config = TestGates.timed(proxy.uri(), Duration.ofMinutes(1), Duration.ofMillis(250));
    RedisGate gate = gate(config, "w1");
    proxy.always(new RespProxy.Action.Hang());
    for (int i = 0; i < config.connections() + 2; i++) {
      assertThat(gate.ask(keys(1))).containsExactly(UNAVAILABLE);
      pauseEnds();
    }
    proxy.always(new RespProxy.Action.Pass());
    await()
        .until(
            () -> {
              pauseEnds();
              return gate.ask(keys(1)).getFirst().claimed();
            });
  }

  @Test
  void everyPooledConnectionCut_costsOneBatchOnly() throws Exception {
    RedisGate gate = throughProxy("w1");
    var bothConnected = new CountDownLatch(2);
    proxy.script(
        _ -> {
          bothConnected.countDown();
          awaitQuietly(bothConnected);
          return new RespProxy.Action.Pass();
        });
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<GateAnswer>> first = threads.submit(() -> gate.ask(List.of(key("a"))));
      Future<List<GateAnswer>> second = threads.submit(() -> gate.ask(List.of(key("b"))));
      assertThat(first.get()).containsExactly(ACQUIRED);
      assertThat(second.get()).containsExactly(ACQUIRED);
    }
    proxy.cutConnections();
    assertThat(gate.ask(keys(1))).containsExactly(UNAVAILABLE);
    pauseEnds();
    assertThat(gate.ask(keys(1))).containsExactly(ACQUIRED);
  }

  @Test
  void connectionThatRestedLong_isReplacedBeforeItIsUsed() {
    RedisGate gate = throughProxy("w1");
    gate.ask(keys(1));
    proxy.cutConnections();
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(gate.ask(keys(1))).containsExactly(OWN);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void slowAnswer_isUsedAndTheNextBatchIsSpared() {
    RedisGate gate = throughProxy("w1");
    proxy.script(
        _ -> {
          nanos.addAndGet(Duration.ofSeconds(19).toNanos());
          return new RespProxy.Action.Pass();
        });
    assertThat(gate.ask(keys(1))).containsExactly(ACQUIRED);
    assertThat(breakerOpen()).isTrue();
    assertThat(gate.ask(keys(1))).containsExactly(UNAVAILABLE);
  }

  @Test
  void redisThatNeverReads_doesNotHoldTheBatchThatFillsItsBuffers() throws Exception {
    try (var deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      URI uri = URI.create("redis://127.0.0.1:" + deaf.getLocalPort());
      GateConfig config = TestGates.timed(uri, Duration.ofMinutes(1), Duration.ofMillis(500));
      assertThat(inTime(gate(config, "w1"), keys(200_000))).containsOnly(UNAVAILABLE);
    }
  }

  private static List<GateAnswer> inTime(Gate gate, List<GateKey> keys) {
    long start = System.nanoTime();
    List<GateAnswer> answers = gate.ask(keys);
    // far above any budget used here, far below what a missing bound would cost
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    return answers;
  }

  @Test
  void nobodyListens_isUnavailable() {
    URI nowhere = URI.create("redis://127.0.0.1:" + TestRedis.freePort());
    assertThat(gate(TestGates.patient(nowhere), "w1").ask(keys(2))).containsOnly(UNAVAILABLE);
  }

  @Test
  void tlsAskedOfAPlainServer_isUnavailable() {
    URI tls = URI.create("rediss://127.0.0.1:" + redis.port());
    assertThat(gate(TestGates.hasty(tls), "w1").ask(keys(2))).containsOnly(UNAVAILABLE);
    assertThat(redis.admin().dbSize()).isZero();
  }

  @Test
  void wrongPassword_isUnavailable() {
    URI uri = URI.create("redis://nobody:wrong@127.0.0.1:" + redis.port());
    assertThat(gate(TestGates.patient(uri), "w1").ask(keys(1))).containsExactly(UNAVAILABLE);
  }

  @Test
  void interruptedCaller_isUnavailableAndStaysInterrupted() {
    proxy.always(new RespProxy.Action.Hang());
    RedisGate gate = throughProxy("w1");
    Thread.currentThread().interrupt();
    assertThat(gate.ask(keys(1))).containsExactly(UNAVAILABLE);
    assertThat(Thread.interrupted()).isTrue();
  }
}
