package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.cli.local.ChildProcess;
import dev.tollgate.cli.local.Processes;
import dev.tollgate.loadtest.sandbox.Kind;
import dev.tollgate.loadtest.sandbox.Ledger;
import dev.tollgate.loadtest.sandbox.SandboxOptions;
import dev.tollgate.loadtest.sandbox.SandboxServer;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.kafka.Membership;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import dev.tollgate.schema.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers as processes: who holds what, and what is left when one is told to end under load. */
final class FleetIT {
  private static final Duration LONG = Duration.ofSeconds(90);

  @TempDir Path folder = Path.of("");
  private final DatabaseSettings settings = TestDatabase.migrated(FleetIT.class);
  private final Database database = new Database(settings, "test", 1, null);
  private Path ledger = Path.of("");
  private SandboxServer sandbox;
  private KafkaStage kafka;
  private Processes processes;

  @BeforeEach
  void open() throws IOException {
    ledger = folder.resolve("ledger.jsonl");
    sandbox = SandboxServer.start(SandboxOptions.of(ledger));
    processes = new Processes(folder.resolve("logs"));
    Path key = Files.writeString(folder.resolve("key"), Kind.SANDBOX_KEY);
    kafka =
        KafkaStage.open(
            FleetIT.class,
            folder,
            """
            tollgate.kafka.worker-group=fleet-%s
            tollgate.database.url=%s
            tollgate.database.user=%s
            tollgate.database.password=%s
            tollgate.outputs.folder=%s
            tollgate.providers.keyed.endpoint=%s
            tollgate.providers.keyed.descriptor=http-json
            tollgate.providers.keyed.offers=idempotent-create
            tollgate.providers.keyed.api-key=file:%s
            tollgate.providers.keyed.concurrency=8
            tollgate.providers.keyed.submit-deadline=20s
            tollgate.providers.keyed.promise-retention=1h
            """
                .formatted(
                    UUID.randomUUID(),
                    settings.url(),
                    settings.user(),
                    settings.password(),
                    folder.resolve("outputs"),
                    sandbox.baseUri(Kind.KEYED),
                    key));
  }

  @AfterEach
  void close() {
    processes.close();
    kafka.close();
    sandbox.close();
    database.close();
  }

  private ChildProcess worker(String name, String further) throws IOException {
    Files.writeString(
        kafka.config,
        "tollgate.worker.name=%s%n%s%n".formatted(name, further),
        StandardOpenOption.APPEND);
    return processes.worker(name, kafka.config);
  }

  private void publish(int count, String script) {
    List<EventMessage> messages =
        IntStream.range(0, count)
            .mapToObj(
                n ->
                    """
                    {"kind":"video","product":"fleet-%d","variant":"a","provider":"keyed",\
                    "params":{"prompt":"a kite","seed":%d,"sandbox_script":["%s"]}}"""
                        .formatted(n, n, script))
            .map(FleetIT::message)
            .toList();
    // a broker that has yet to hear that it leads a new partition must not get several batches
    int few = Math.min(8, count);
    messages.subList(0, few).forEach(message -> acknowledged(send(message)));
    messages.subList(few, count).stream().map(this::send).toList().forEach(FleetIT::acknowledged);
  }

  private Future<?> send(EventMessage message) {
    return kafka.producer.send(message.toRecord(kafka.topics.requests()));
  }

  private static void acknowledged(Future<?> sent) {
    try {
      sent.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static EventMessage message(String json) {
    if (RequestWriter.fromJsonLine(json) instanceof RequestWriter.Ready ready) {
      return ready.message();
    }
    throw new IllegalArgumentException(json);
  }

  private long requests() {
    return Ledger.read(ledger).requests().size();
  }

  private int count(String from) {
    Number count = (Number) database.dsl().fetchValue("SELECT count(*) FROM " + from);
    return count == null ? 0 : count.intValue();
  }

  private int sending() {
    return count("operations WHERE state = 'sending'");
  }

  private List<String> rows(String... options) {
    String[] words =
        Stream.concat(Stream.of("workers", "--config", kafka.config.toString()), Stream.of(options))
            .toArray(String[]::new);
    Typed typed = Typed.type(words);
    assertThat(typed.code()).as(typed.err()).isZero();
    return typed.outLines();
  }

  @ParameterizedTest
  @EnumSource
  void workerToldToEndUnderLoad_leavesNothingForLeases(Membership.Protocol protocol)
      throws IOException {
    ChildProcess worker = worker("w-1", "tollgate.kafka.group-protocol=" + protocol.name());
    publish(300, "slow(300)");
    await().atMost(LONG).until(() -> requests() >= 16);

    assertThat(rows("--json"))
        .singleElement()
        .asString()
        .contains("\"worker\":\"w-1\"", "\"partitions\":[0,1]", "\"sending_to\":{\"keyed\":")
        .contains("\"overdue\":0");
    assertThat(rows()).anyMatch(row -> row.startsWith("w-1 ") && row.contains(" 0,1 "));
    assertThat(worker.stop(LONG)).isTrue();

    assertThat(worker.exitStatus()).hasValue(0);
    assertThat(worker.logTail(20)).anyMatch(line -> line.contains("all that was sent is recorded"));
    assertThat(sending()).isZero();
    assertThat(count("lease")).as("for the sweep").isZero();
    assertThat(count("operations WHERE state = 'unknown'")).isZero();
    assertThat(count("operations WHERE state = 'prepared'")).as("for others").isPositive();
    assertThat(count("operations WHERE remote_id IS NOT NULL"))
        .isEqualTo(Ledger.read(ledger).tasks().size());
    assertThat(rows("--json"))
        .as("it has left the group, so nobody waits for its session to be over")
        .singleElement()
        .asString()
        .contains("\"worker\":null", "\"partitions\":[0,1]", "\"sending\":0");
  }

  @Test
  void answerThatOutlastsTheDrain_isLeftToTheSweep_andTheProcessEndsInTime() throws IOException {
    ChildProcess worker = worker("w-1", "tollgate.worker.drain-within=1s");
    publish(1, "slow(15000)");
    await().atMost(LONG).until(() -> requests() == 1);
    assertThat(worker.stop(Duration.ofSeconds(12))).as("ended by itself").isTrue();
    assertThat(worker.exitStatus()).hasValue(0);
    assertThat(worker.logTail(20)).anyMatch(line -> line.contains("1 sends were not over in time"));
    assertThat(sending()).isEqualTo(1);
    assertThat(rows()).anyMatch(row -> row.startsWith("w-1 ") && row.contains(" - "));
  }
}
