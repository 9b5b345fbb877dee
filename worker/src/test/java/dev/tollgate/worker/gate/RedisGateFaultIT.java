package dev.tollgate.worker.gate;

import static dev.tollgate.worker.gate.GateAnswer.ACQUIRED;
import static dev.tollgate.worker.gate.GateAnswer.CONSUMED_SAME;
import static dev.tollgate.worker.gate.GateAnswer.HELD;
import static dev.tollgate.worker.gate.GateAnswer.OWN;
import static dev.tollgate.worker.gate.GateAnswer.UNAVAILABLE;
import static dev.tollgate.worker.gate.GateKeys.key;
import static dev.tollgate.worker.gate.GateKeys.keys;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Protocol.Command;

/** What the gate makes of a Redis that lies, forgets or refuses. */
final class RedisGateFaultIT extends RedisGateFixture {

  private static final String NIL = "$-1\r\n";

  @Test
  void fc01_replyLostAndAskedAgain_recognisesOwnClaim() {
    RedisGate gate = throughProxy("w1");
    proxy.always(new RespProxy.Action.PassThenCut());
    assertThat(gate.ask(keys(1))).containsExactly(UNAVAILABLE);
    assertThat(proxy.commands()).as("nothing repeats a command by itself").containsExactly("SET");
    proxy.always(new RespProxy.Action.Pass());
    pauseEnds();
    assertThat(gate.ask(keys(1))).containsExactly(OWN);
  }

  @Test
  void fc01_replyLostAndCommandReplayed_recognisesOwnClaim() {
    proxy.script(
        command ->
            command.getFirst().equals("SET")
                ? new RespProxy.Action.PassTwice()
                : new RespProxy.Action.Pass());
    assertThat(throughProxy("w1").ask(keys(2))).containsExactly(OWN, OWN);
  }

  @Test
  void fc06_evictedEntries_answerAcquiredAgain() {
    RedisGate gate = direct("w1");
    gate.ask(keys(500));
    gate.consumed(keys(500));
    memory("3mb", "allkeys-lru");
    for (int i = 0; i < 40; i++) {
      redis.admin().set("junk-" + i, "x".repeat(100_000));
    }
    memory("0", "noeviction"); // so that nothing more goes while the gate is asked
    assertThat(redis.admin().dbSize()).isLessThan(540);
    assertThat(direct("w2").ask(keys(500))).isSubsetOf(ACQUIRED, CONSUMED_SAME).contains(ACQUIRED);
  }

  /** What it answers on a pooled connection says nothing of another connection's write. */
  @Test
  void fc10_waitForReplicas_isNeverAsked() {
    RedisGate gate = throughProxy("w1");
    gate.ask(keys(3));
    gate.consumed(keys(1));
    gate.release(keys(3));
    assertThat(proxy.commands()).contains("SET").doesNotContain("WAIT", "WAITAOF");
  }

  @Test
  void fc08_readOnlyReplica_isUnavailableNeverHeld() {
    try (TestRedis replica = TestRedis.start("replicaof 127.0.0.1 " + redis.port())) {
      direct("w2").ask(keys(2));
      direct("w2").consumed(keys(1));
      RedisGate gate = gate(TestGates.patient(replica.uri()), "w1");
      assertThat(gate.ask(keys(4))).containsOnly(UNAVAILABLE);
      assertThat(breakerOpen()).isTrue();
      double before = errors();
      pauseEnds();
      gate.consumed(keys(2));
      pauseEnds();
      gate.release(keys(2));
      assertThat(errors()).as("refused writes are counted, never thrown").isGreaterThan(before);
    }
  }

  @Test
  void fullMemoryWithoutEviction_isUnavailable() {
    RedisGate gate = direct("w1");
    gate.consumed(List.of(key("done")));
    memory("1", "noeviction");
    assertThat(gate.ask(List.of(key("new"), key("done")))).containsOnly(UNAVAILABLE);
    assertThat(breakerOpen()).isTrue();
    memory("0", "noeviction");
    pauseEnds();
    assertThat(gate.ask(List.of(key("new"), key("done")))).containsExactly(ACQUIRED, CONSUMED_SAME);
    assertThat(breakerOpen()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-READONLY You can't write against a read only replica.\r\n",
        "-OOM command not allowed when used memory > 'maxmemory'.\r\n",
        "-LOADING Redis is loading the dataset in memory\r\n",
        "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.\r\n",
        "-MISCONF Redis is configured to save RDB snapshots\r\n",
        "-NOAUTH Authentication required.\r\n",
        "-NOPERM this user has no permissions to run the 'set' command\r\n",
        "-BUSY Redis is busy running a script.\r\n",
        "-MOVED 3999 127.0.0.1:6381\r\n",
        "-CLUSTERDOWN The cluster is down\r\n",
        "-NOREPLICAS Not enough good replicas to write.\r\n",
        "-\r\n",
        "+QUEUED\r\n",
        "+ok\r\n",
        ":1\r\n",
        "$2\r\nHI\r\n",
        "*0\r\n",
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "\r\n"
      })
  void replyThatIsNeitherOkNorNil_isUnavailable(String reply) {
    RedisGate gate = throughProxy("w1");
    proxy.always(new RespProxy.Action.Reply(reply));
    assertThat(gate.ask(keys(2))).containsExactly(UNAVAILABLE, UNAVAILABLE);
    assertThat(breakerOpen()).isTrue();
    for (Runnable call :
        List.<Runnable>of(
            () -> gate.consumed(keys(2)),
            () -> gate.release(keys(2)),
            () -> assertThat(gate.look(keys(2))).containsOnly(UNAVAILABLE))) {
      pauseEnds();
      call.run();
    }
    proxy.always(new RespProxy.Action.Pass());
    pauseEnds();
    assertThat(gate.ask(keys(2))).as("no reply is left over for the next").containsOnly(ACQUIRED);
    assertThat(breakerOpen()).isFalse();
  }

  @Test
  void takenButReadFails_isUnavailableAndTheRestStands() {
    direct("w2").ask(List.of(key("held")));
    proxy.script(
        command ->
            command.getFirst().equals("SET")
                ? new RespProxy.Action.Pass()
                : new RespProxy.Action.Reply("-LOADING Redis is loading\r\n"));
    assertThat(throughProxy("w1").ask(List.of(key("new"), key("held"))))
        .containsExactly(ACQUIRED, UNAVAILABLE);
    assertThat(breakerOpen()).isTrue();
  }

  @Test
  void claimThatEndsBeforeItIsRead_isUnavailable() {
    proxy.script(
        command ->
            command.getFirst().equals("SET")
                ? new RespProxy.Action.Reply(NIL)
                : new RespProxy.Action.Pass());
    assertThat(throughProxy("w1").ask(keys(1))).containsExactly(UNAVAILABLE);
    assertThat(breakerOpen()).as("an entry that ends is no fault of Redis").isFalse();
  }

  @Test
  void wrongType_isUnavailableAndLeavesTheRestAlone() {
    redis.admin().rpush(entry(key("list")), new byte[] {1});
    RedisGate gate = direct("w1");
    assertThat(gate.ask(List.of(key("list"), key("new")))).containsExactly(UNAVAILABLE, ACQUIRED);
    assertThat(gate.look(List.of(key("list"), key("new")))).containsExactly(UNAVAILABLE, OWN);
    gate.release(List.of(key("list")));
    assertThat(redis.admin().llen(entry(key("list")))).isEqualTo(1);
    assertThat(breakerOpen()).as("one bad entry does not close the gate for all").isFalse();
    assertThat(errors()).isPositive();
  }

  @Test
  void oneMebibyteValues_areUnavailableAndHardlyRead() {
    List<GateKey> keys = keys(16);
    keys.forEach(key -> redis.admin().set(entry(key), new byte[1 << 20]));
    assertThat(throughProxy("w1").ask(keys)).containsOnly(UNAVAILABLE);
    assertThat(proxy.replyBytes()).isLessThan(4096);
  }

  @Test
  void thousandKeys_areOnePipelineEach() {
    RedisGate gate = throughProxy("w1");
    proxy.holdReplies(1000);
    assertThat(gate.ask(keys(1000))).containsOnly(ACQUIRED);
    assertThat(proxy.commands()).hasSize(1000).containsOnly("SET");
    assertThat(throughProxy("w2").ask(keys(1000))).containsOnly(HELD);
    assertThat(proxy.count("SET")).isEqualTo(2000);
    assertThat(proxy.count("GETRANGE")).isEqualTo(1000);
    gate.consumed(keys(1000));
    assertThat(gate.look(keys(1000))).containsOnly(CONSUMED_SAME);
    assertThat(proxy.commands()).hasSize(5000);
  }

  @Test
  void entriesEndByThemselves() {
    RedisGate gate = direct("w1");
    gate.ask(keys(2));
    gate.consumed(keys(1));
    assertThat(redis.admin().ttl(entry(keys(2).getFirst()))).isBetween(86_000L, 86_400L);
    assertThat(redis.admin().ttl(entry(keys(2).getLast()))).isBetween(1L, 30L);
  }

  @Test
  void release_whenRedisForgotTheScript_sendsItInFullOnce() {
    RedisGate gate = direct("w1");
    for (int round = 0; round < 2; round++) {
      gate.ask(keys(3));
      redis.admin().scriptFlush();
      gate.release(keys(3));
      gate.ask(keys(3));
      long full = redis.calls("eval");
      gate.release(keys(3));
      assertThat(redis.calls("eval")).isEqualTo(full);
      assertThat(redis.admin().dbSize()).isZero();
    }
  }

  @Test
  void redisUserOfTheDocs_mayDoAllTheGateDoesAndNoMore() {
    redis.command(
        Command.ACL,
        "SETUSER gate on >s3cret ~tg:* +set +get +getrange +del +eval +evalsha".split(" "));
    URI uri = URI.create("redis://gate:s3cret@127.0.0.1:" + redis.port());
    RedisGate gate = gate(TestGates.patient(uri), "w1");
    assertThat(gate.ask(keys(3))).containsOnly(ACQUIRED);
    gate.consumed(keys(1));
    redis.admin().scriptFlush();
    gate.release(keys(3));
    assertThat(gate.look(keys(3))).containsExactly(CONSUMED_SAME, UNAVAILABLE, UNAVAILABLE);
    assertThat(gate.ask(keys(3))).containsExactly(CONSUMED_SAME, ACQUIRED, ACQUIRED);
    assertThat(errors()).isZero();
    redis.command(Command.ACL, "SETUSER", "gate", "-set");
    assertThat(gate.ask(keys(3))).containsOnly(UNAVAILABLE);
  }

  @Test
  void answersAreCountedByKind() {
    direct("w1").ask(keys(3));
    direct("w2").ask(keys(2));
    assertThat(answered(ACQUIRED)).isEqualTo(3);
    assertThat(answered(HELD)).isEqualTo(2);
  }
}
