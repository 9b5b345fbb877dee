package dev.tollgate.worker.gate;

import static dev.tollgate.worker.gate.GateAnswer.ACQUIRED;
import static dev.tollgate.worker.gate.GateAnswer.CONSUMED_OTHER;
import static dev.tollgate.worker.gate.GateAnswer.CONSUMED_SAME;
import static dev.tollgate.worker.gate.GateAnswer.HELD;
import static dev.tollgate.worker.gate.GateAnswer.OWN;
import static dev.tollgate.worker.gate.GateAnswer.UNAVAILABLE;
import static dev.tollgate.worker.gate.GateKeys.key;
import static dev.tollgate.worker.gate.GateKeys.keys;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every gate over a store must do, the real one and the fake alike. The store is empty at the
 * start of each test.
 */
abstract class GateContract {

  private static final String HASH_OF_NOBODY = "A".repeat(43);

  /**
   * A gate over the store that all gates of one test share. Closed by the implementation after the
   * test.
   */
  abstract Gate gate(String incarnation, String owner);

  /**
   * Puts a value in the place of a key's entry, behind the gate's back; null takes the entry away.
   */
  abstract void plant(String incarnation, GateKey key, byte @Nullable [] value);

  abstract void forgetAll();

  private Gate gate(String owner) {
    return gate("7301:1", owner);
  }

  private void plant(GateKey key, byte @Nullable [] value) {
    plant("7301:1", key, value);
  }

  @Test
  void ask_firstHere_isAcquired() {
    assertThat(gate("w1").ask(keys(3))).containsExactly(ACQUIRED, ACQUIRED, ACQUIRED);
  }

  @Test
  void ask_nothing_answersNothing() {
    Gate gate = gate("w1");
    assertThat(gate.ask(List.of())).isEmpty();
    assertThat(gate.look(List.of())).isEmpty();
    gate.consumed(List.of());
    gate.release(List.of());
  }

  @Test
  void ask_claimedByAnother_isHeld() {
    gate("w1").ask(keys(1));
    assertThat(gate("w2").ask(keys(1))).containsExactly(HELD);
  }

  @Test
  void ask_claimedByOneself_isOwn() {
    Gate gate = gate("w1");
    gate.ask(keys(1));
    assertThat(gate.ask(keys(1))).containsExactly(OWN);
  }

  @Test
  void ask_sameKeyTwiceInOneBatch_isAcquiredThenOwn() {
    assertThat(gate("w1").ask(List.of(key("a"), key("a", "other request"))))
        .containsExactly(ACQUIRED, OWN);
  }

  @Test
  void ask_consumedWithSameRequest_isConsumedSameForEveryOwner() {
    Gate first = gate("w1");
    first.ask(keys(1));
    first.consumed(keys(1));
    assertThat(first.ask(keys(1))).containsExactly(CONSUMED_SAME);
    assertThat(gate("w2").ask(keys(1))).containsExactly(CONSUMED_SAME);
  }

  @Test
  void ask_consumedWithOtherRequest_isConsumedOther() {
    gate("w1").consumed(List.of(key("a", "seed 7")));
    assertThat(gate("w2").ask(List.of(key("a", "seed 8")))).containsExactly(CONSUMED_OTHER);
  }

  @Test
  void ask_mixedBatch_answersInOrder() {
    Gate other = gate("w2");
    other.ask(List.of(key("held")));
    other.consumed(List.of(key("done"), key("changed", "first request")));
    Gate gate = gate("w1");
    gate.ask(List.of(key("mine")));
    assertThat(
            gate.ask(
                List.of(
                    key("done"),
                    key("new"),
                    key("held"),
                    key("changed"),
                    key("mine"),
                    key("newer"))))
        .containsExactly(CONSUMED_SAME, ACQUIRED, HELD, CONSUMED_OTHER, OWN, ACQUIRED);
  }

  @Test
  void ask_otherIncarnation_seesNothing() {
    Gate before = gate("7301:1", "w1");
    before.ask(List.of(key("claimed")));
    before.consumed(List.of(key("done")));
    assertThat(gate("7301:2", "w2").ask(List.of(key("claimed"), key("done"))))
        .containsExactly(ACQUIRED, ACQUIRED);
  }

  @Test
  void ask_everythingForgotten_isAcquiredAgain() {
    Gate gate = gate("w1");
    gate.ask(keys(4));
    gate.consumed(keys(2));
    forgetAll();
    assertThat(gate("w2").ask(keys(4))).containsOnly(ACQUIRED);
  }

  @Test
  void ask_manyGatesAtOnce_eachKeyIsAcquiredOnce() throws Exception {
    List<GateKey> keys = keys(50);
    List<Callable<List<GateAnswer>>> workers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Gate gate = gate("w" + i);
      workers.add(() -> gate.ask(keys));
    }
    List<List<GateAnswer>> answers = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<List<GateAnswer>> answer : threads.invokeAll(workers)) {
        answers.add(answer.get());
      }
    }
    for (int i = 0; i < keys.size(); i++) {
      int place = i;
      assertThat(answers.stream().map(list -> list.get(place)))
          .containsOnly(ACQUIRED, HELD)
          .containsOnlyOnce(ACQUIRED);
    }
  }

  @Test
  void release_ownClaim_freesIt() {
    Gate gate = gate("w1");
    gate.ask(keys(3));
    gate.release(keys(3));
    assertThat(gate("w2").ask(keys(3))).containsOnly(ACQUIRED);
  }

  @Test
  void release_mark_leavesIt() {
    Gate gate = gate("w1");
    gate.ask(keys(1));
    gate.consumed(keys(1));
    gate.release(keys(1));
    assertThat(gate.ask(keys(1))).containsExactly(CONSUMED_SAME);
  }

  @Test
  void release_nothingThere_doesNothing() {
    gate("w1").release(keys(2));
    assertThat(gate("w2").ask(keys(2))).containsOnly(ACQUIRED);
  }

  @Test
  void fc02_lateOwnerReleases_doesNotDeleteSuccessor() {
    Gate late = gate("w1");
    Gate successor = gate("w2");
    late.ask(keys(1));
    plant(keys(1).getFirst(), null); // the claim's time to live ends
    assertThat(successor.ask(keys(1))).containsExactly(ACQUIRED);
    late.release(keys(1));
    assertThat(late.ask(keys(1))).containsExactly(HELD);
    assertThat(successor.ask(keys(1))).containsExactly(OWN);
  }

  @Test
  void look_followsTheHolder() {
    Gate holder = gate("w1");
    Gate waiting = gate("w2");
    List<GateKey> keys = List.of(key("a"), key("b"), key("c"));
    holder.ask(keys);
    assertThat(waiting.look(keys)).containsOnly(HELD);
    holder.consumed(List.of(key("a"), key("b", "other request")));
    holder.release(List.of(key("c")));
    assertThat(waiting.look(keys)).containsExactly(CONSUMED_SAME, CONSUMED_OTHER, UNAVAILABLE);
  }

  @Test
  void look_claimsNothing() {
    gate("w1").look(keys(1));
    assertThat(gate("w2").ask(keys(1))).containsExactly(ACQUIRED);
  }

  @Test
  void keysThatLookAlike_doNotMeet() {
    List<GateKey> lookalikes =
        Stream.of(
                "",
                "\0",
                "\0\0",
                " ",
                "a",
                "a ",
                "A",
                "a:b",
                "a:bc",
                "ab:c",
                "ab",
                "6162",
                "{a}b",
                "{a}c",
                "*",
                "a*",
                "tg:7301:1:61",
                "\r\n",
                "a\r\nDEL b",
                "ı",
                "i",
                "I",
                "x".repeat(100_000),
                "x".repeat(100_001))
            .map(GateKeys::key)
            .toList();
    assertThat(gate("w1").ask(lookalikes)).containsOnly(ACQUIRED);
    assertThat(gate("w2").ask(lookalikes)).containsOnly(HELD);
  }

  @Test
  void incarnationsThatEndLikeKeys_doNotMeet() {
    assertThat(gate("1", "w1").ask(List.of(key("a")))).containsExactly(ACQUIRED);
    assertThat(gate("1:61", "w2").ask(List.of(key("")))).containsExactly(ACQUIRED);
    assertThat(gate("1:", "w3").ask(List.of(key("a")))).containsExactly(ACQUIRED);
  }

  static List<String> forgedValues() {
    return List.of(
        "",
        " ",
        "CONSUMED",
        "CONSUMED:",
        "CONSUMED: ",
        "CONSUMED:" + "A".repeat(42),
        "CONSUMED:" + "A".repeat(44),
        "CONSUMED:" + "A".repeat(42) + "=",
        "CONSUMED:" + "A".repeat(42) + "\n",
        "consumed:" + HASH_OF_NOBODY,
        " CONSUMED:" + HASH_OF_NOBODY,
        "CONSUMING",
        "CONSUMING:",
        "CONSUMING:w 2",
        "CONSUMING:" + "w".repeat(65),
        "CONSUMING:w1\0",
        "CONSUMING:\u00ff",
        "\0\u00ff\u00fe",
        "CONSUMED:" + "A".repeat(1 << 20),
        "CONSUMING:w2" + " ".repeat(1 << 20),
        "x".repeat(1 << 20));
  }

  @ParameterizedTest
  @MethodSource("forgedValues")
  void valueThatNobodyHereWrites_isUnavailable(String value) {
    plant(key("a"), value.getBytes(ISO_8859_1));
    Gate gate = gate("w1");
    assertThat(gate.ask(List.of(key("a"), key("b")))).containsExactly(UNAVAILABLE, ACQUIRED);
    assertThat(gate.look(List.of(key("a"), key("b")))).containsExactly(UNAVAILABLE, OWN);
    gate.release(List.of(key("a")));
    assertThat(gate.ask(List.of(key("a")))).containsExactly(UNAVAILABLE);
    gate.consumed(List.of(key("a")));
    assertThat(gate.ask(List.of(key("a")))).containsExactly(CONSUMED_SAME);
  }

  @Test
  void ownMarkWithSomethingBehindIt_isUnavailable() {
    GateKey key = key("a");
    byte[] mark = new GateCodec("7301:1", "w1").consumed(key);
    plant(key, (new String(mark, ISO_8859_1) + "\0").getBytes(ISO_8859_1));
    assertThat(gate("w1").ask(List.of(key))).containsExactly(UNAVAILABLE);
  }

  @Test
  void ask_afterClose_isUnavailable() {
    Gate gate = gate("w1");
    gate.ask(keys(1));
    gate.close();
    gate.close();
    assertThat(gate.ask(keys(1))).containsExactly(UNAVAILABLE);
    gate.consumed(keys(1));
    gate.release(keys(1));
    assertThat(gate("w2").ask(keys(1))).containsExactly(HELD);
  }
}
