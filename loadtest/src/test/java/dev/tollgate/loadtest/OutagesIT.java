package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.eventually;
import static dev.tollgate.loadtest.Stage.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.embedded.Services;
import dev.tollgate.embedded.ServicesOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server dies in the middle of a run and comes back: everything ends as if it had not. */
final class OutagesIT {
  /** Only the servers that a test stops are its own; each starts when it is first asked for. */
  private static final Services OWN = Services.chosen(ServicesOptions.temporary());

  private @Nullable Stage opened;

  @BeforeAll
  static void start() {
    Servers.shared();
  }

  @AfterAll
  static void stop() {
    OWN.close();
  }

  @AfterEach
  void close() {
    if (opened != null) {
      opened.close();
    }
  }

  private Stage open(Servers servers) {
    opened = Stage.open(OutagesIT.class, servers);
    return opened;
  }

  /** Requests of every kind that can be asked, some of whose answers are lost. */
  private static List<String> requests(String name, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            n -> {
              String kind = List.of("keyed", "lookup", "listed").get(n % 3);
              String product = "%s-%03d".formatted(name, n);
              return n % 5 == 0
                  ? request(kind, product, "accept/drop")
                  : request(kind, product, "accept");
            })
        .toList();
  }

  private static void everythingEndedWell(Stage stage, List<String> keys) {
    stage.awaitStates(keys, "complete");
    assertThat(stage.states()).hasSize(keys.size());
    assertThat(stage.ledger().tasks()).hasSize(keys.size());
    Audit.outboxIsEmptied(stage);
    Audit.check(stage);
  }

  @Test
  void fault7_fault12_redisLosesAndForgesAndDies_costsNothingButStatements() {
    Stage stage = open(Servers.shared().with(OWN.redis()));
    stage.run().worker();
    List<String> first = requests("before", 30);
    List<String> keys = new ArrayList<>(stage.publishAll(first));
    eventually().until(() -> stage.states().size() == keys.size());
    Gates.forgetAll(OWN.redis());
    stage.publishAll(first);

    keys.addAll(deadOwnersStandInNobodysWay(stage));
    List<String> forged = requests("forged", 4);
    List<String> names = forged.stream().map(r -> Stage.message(r).key()).toList();
    Gates.forge(stage, OWN.redis(), names.get(0), "CONSUMED");
    Gates.forge(stage, OWN.redis(), names.get(1), "CONSUMED:" + "A".repeat(43));
    Gates.forge(stage, OWN.redis(), names.get(2), "x".repeat(1 << 20));
    Gates.forgeList(stage, OWN.redis(), names.get(3));
    forged.forEach(request -> keys.add(stage.publish(request)));
    eventually().until(() -> stage.states().size() == keys.size());

    OWN.redis().kill();
    List<String> without = requests("without", 15);
    keys.addAll(stage.publishAll(without));
    stage.publishAll(first);
    eventually().until(() -> stage.states().size() == keys.size());
    OWN.redis().start();
    stage.publishAll(without);
    OWN.redis().pause();
    keys.addAll(stage.publishAll(requests("silent", 6)));
    eventually().until(() -> stage.states().size() == keys.size());
    OWN.redis().resume();
    everythingEndedWell(stage, keys);
  }

  /** The charge comes first, and the note of it is refused: that is no reason for another. */
  @Test
  void fc08_redisRefusesEveryWrite_twentyPublicationsAreOneTask() {
    Stage stage = open(Servers.shared().with(OWN.redis()));
    stage.run().worker();
    Gates.makeReadOnly(OWN.redis());
    try {
      String request = request("blind", "fc08", "slow(500)");
      String key = stage.publish(request);
      for (int n = 1; n < 20; n++) {
        stage.publish(request, "again-" + n);
      }
      stage.awaitState(key, "complete");
      stage.publish(request, "afterwards");
      String last = stage.publish(request("blind", "fc08-last"));
      stage.awaitState(last, "complete");
      assertThat(stage.creates("fc08")).isEqualTo(1);
      assertThat(stage.ledger().tasks()).hasSize(2);
      Audit.check(stage);
    } finally {
      Gates.makeWritable(OWN.redis());
    }
  }

  /** Repeated until the gate was asked: on a busy machine it may be skipped for a while. */
  private static List<String> deadOwnersStandInNobodysWay(Stage stage) {
    List<String> keys = new ArrayList<>();
    eventually()
        .until(
            () -> {
              String request = request("keyed", "ghost-" + keys.size());
              String key = Stage.message(request).key();
              Gates.forge(stage, OWN.redis(), key, "CONSUMING:ghost");
              keys.add(stage.publish(request));
              stage.awaitState(key, "complete");
              return Gates.read(stage, OWN.redis(), key).startsWith("CONSUMED:");
            });
    return keys;
  }

  @Test
  void fault35_postgresCrashesAndRecovers_everythingPausesAndThenEnds() {
    Stage stage = open(Servers.shared().with(OWN.postgres()));
    stage.run();
    List<String> requests = requests("pg", 60);
    List<String> keys = new ArrayList<>(stage.publishAll(requests.subList(0, 30)));
    eventually().until(() -> stage.ledger().requests().size() >= 5);
    OWN.postgres().stopImmediately();
    keys.addAll(stage.publishAll(requests.subList(30, 60)));
    OWN.postgres().start();
    everythingEndedWell(stage, keys);
    Audit.eventsTellTheTruthInOrder(stage);
  }

  /** The broker dies with a poison record taken and its letter not yet written. */
  @Test
  void fc32_fault45_brokerCrashesAndRecovers_everythingPausesAndThenEnds() {
    Stage stage = open(Servers.shared().with(OWN.kafka()));
    Tap tap = stage.tap();
    stage.through(tap).worker();
    stage.direct().reconciler();
    List<String> requests = requests("broker", 30);
    List<String> keys = new ArrayList<>(stage.publishAll(requests.subList(0, 10)));
    eventually().until(() -> stage.states().size() == 10);
    tap.freeze();
    stage.publish(new ProducerRecord<>(stage.topics().requests(), 0, null, "{".getBytes(UTF_8)));
    keys.addAll(stage.publishAll(requests.subList(10, 20)));
    OWN.kafka().kill();
    tap.thaw();
    stage.awaitStates(keys.subList(0, 10), "complete"); // what is in the database needs no broker
    OWN.kafka().start();
    keys.addAll(stage.publishAll(requests.subList(20, 30)));
    everythingEndedWell(stage, keys);
    eventually()
        .untilAsserted(
            () ->
                assertThat(stage.topic(stage.topics().requestsDlt()).records())
                    .isNotEmpty()
                    .allSatisfy(letter -> assertThat(Texts.utf8(letter.value())).isEqualTo("{")));
  }
}
