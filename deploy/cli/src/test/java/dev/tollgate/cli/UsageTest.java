package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Exit codes, and that each failure is one line. */
final class UsageTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "--version",
        "up --help",
        "publish --help",
        "key --help",
        "operations --help",
        "operations list --help",
        "operations show --help",
        "operations regenerate --help",
        "budgets --help",
        "dlt --help",
        "dlt list --help",
        "dlt show --help",
        "dlt replay --help",
        "dlt discard --help",
        "dlt runs --help",
        "workers --help",
        "worker --help",
        "reconciler --help",
        "migrate --help",
        "settings --help"
      })
  void help_isPrintedAndIsNoFailure(String words) {
    Typed typed = Typed.type(words.split(" ", -1));
    assertThat(typed.code()).isZero();
    assertThat(typed.out()).isNotBlank();
    assertThat(typed.err()).isEmpty();
  }

  @Test
  void everyCommand_hasAnExampleInItsHelp() {
    hasAnExample(new CommandLine(new TollgateCommand()));
  }

  private static void hasAnExample(CommandLine command) {
    assertThat(command.getUsageMessage())
        .as(command.getCommandSpec().qualifiedName())
        .containsPattern("(?m)^Examples?:\\R  tollgate ");
    command.getSubcommands().values().forEach(UsageTest::hasAnExample);
  }

  @Test
  void aWordThatIsNoCommand_isCalledSo() {
    assertThat(Typed.type("nosuch").err())
        .contains("no such command: nosuch")
        .contains("see: tollgate --help");
    assertThat(Typed.type("key", "nosuch.jsonl").err())
        .contains("the file nosuch.jsonl cannot be read: there is no such file");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bogus",
        "operations",
        "operations list --state bogus",
        "operations list --limit -1",
        "operations show 1234567",
        "operations show nothex:zz",
        "operations regenerate 01234567",
        "operations regenerate 1234567 --why because",
        "operations regenerate 01234567 --why",
        "dlt",
        "dlt list --topic bogus",
        "dlt show 1",
        "dlt show 1@-1",
        "dlt replay --code INVALID_EVENT",
        "dlt replay --why because",
        "dlt replay --why because --all --code INVALID_EVENT",
        "dlt list --code NOPE",
        "dlt replay --why because --code NOPE",
        "dlt replay --why because --all --rate 0",
        "dlt replay --why because --all --max-replays 0",
        "dlt replay --why because --all --offset 1",
        "dlt replay --why because --all --offset 1@1",
        "dlt replay --all",
        "dlt replay --resume x",
        "dlt replay --resume 1 --all",
        "dlt replay --resume 1 --dry-run",
        "dlt replay --why because --all --limit -1",
        "dlt replay --why because --topic reconcile --provider keyed",
        "dlt discard --all",
        "dlt discard --why because",
        "dlt list --since soon",
        "dlt list --until 2026-13-01",
        "dlt runs x",
        "dlt runs --limit 0",
        "key",
        "key a b",
        "key /does/not/exist",
        "publish --config /does/not/exist x",
        "publish --within 5 x",
        "publish --wait --within 0 x",
        "worker --config /does/not/exist",
        "up --port-base 80",
        "up --port-base x",
        "--nonsense"
      })
  void wrongUse_isOneLineAndStatus2(String words) {
    Typed typed = Typed.type(words.isEmpty() ? new String[0] : words.split(" ", -1));
    assertThat(typed.err()).startsWith("tollgate: ").doesNotContain("\tat ");
    assertThat(typed.errLines()).hasSizeLessThanOrEqualTo(2);
    assertThat(typed.out()).isEmpty();
    assertThat(typed.code()).as(typed.err()).isEqualTo(Failure.USAGE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "publish - --config",
        "publish --wait - --config",
        "operations list --config",
        "operations show 0123456789 --config",
        "dlt list --config",
        "dlt show 0@0 --config",
        "dlt replay --all --why because --config",
        "dlt replay --resume 1 --config",
        "dlt discard --all --why because --config",
        "dlt runs --config",
        "worker --config",
        "reconciler --config",
        "migrate --config"
      })
  void serversThatAreNotThere_areOneLineAndStatus3(String words) throws IOException {
    Path config = configOfNothing();
    Typed typed = Typed.type((words + " " + config).split(" ", -1));
    assertThat(typed.code()).as(typed.err()).isEqualTo(Failure.UNREACHABLE);
    assertThat(typed.err()).contains("tollgate: cannot reach ").doesNotContain("\tat ");
    assertThat(typed.err()).doesNotContain("hush");
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker", "reconciler"})
  void faultyProviders_areToldWithoutServers(String service) throws IOException {
    Path config = configOfNothing();
    Files.writeString(
        config,
        Files.readString(config)
            + "tollgate.providers.orders.descriptor=nope\ntollgate.providers.runway.concurrency=0\n");
    Typed typed = Typed.type(service, "--config", config.toString());
    assertThat(typed.code()).as(typed.err()).isEqualTo(Failure.USAGE);
    assertThat(typed.err())
        .contains("orders: there is no descriptor nope", "runway: concurrency must be positive")
        .doesNotContain("cannot reach");
  }

  @Test
  void debug_addsTheStackTrace() throws IOException {
    Path config = configOfNothing();
    Typed typed = Typed.type("--debug", "migrate", "--config", config.toString());
    assertThat(typed.code()).isEqualTo(Failure.UNREACHABLE);
    assertThat(typed.err()).contains("\tat ");
  }

  @Test
  void faultyConfiguration_namesEveryFault() throws IOException {
    Path config = folder.resolve("faulty.properties");
    Files.writeString(config, "tollgate.worker.linger=soon\ntollgate.no-such-thing=1\n");
    Typed typed = Typed.type("worker", "--config", config.toString());
    assertThat(typed.code()).isEqualTo(Failure.USAGE);
    assertThat(typed.err())
        .contains("tollgate.worker.linger", "tollgate.no-such-thing", "tollgate.database.url");
  }

  /** With the stack trace too, which has every cause's own words. */
  @Test
  void passwordInAFaultyAddress_isNotTold() throws IOException {
    Path config = folder.resolve("faulty.properties");
    Files.writeString(
        config,
        """
        tollgate.redis.url=rediss://default:CANARY%w^d1234@cache:6379
        tollgate.database.url=jdbc:postgres://me:CANARY@db/x
        """);
    Typed typed = Typed.type("--debug", "worker", "--config", config.toString());
    assertThat(typed.code()).isEqualTo(Failure.USAGE);
    assertThat(typed.err())
        .contains("tollgate.redis.url is no address (character 24)", "\tat ")
        .doesNotContain("CANARY", "d1234");
  }

  /** It would select nothing, and look as if there were nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"dlt list", "dlt replay --why because"})
  void unknownCode_namesTheNearest(String words) {
    assertThat(Typed.type((words + " --code unknown").split(" ", -1)).err())
        .contains("there is no code UNKNOWN; did you mean ", "UNKNOWN_PROVIDER");
    assertThat(Typed.type((words + " --code INVALID_EVNT").split(" ", -1)).err())
        .contains("did you mean INVALID_EVENT?");
    assertThat(Typed.type((words + " --code xyzzyxyzzy").split(" ", -1)).err())
        .contains("dead letters usually have one of INVALID_EVENT, KEY_PARAMETERS_MISMATCH");
  }

  @Test
  void settings_areAllListedWithTheirDefaults() {
    Typed typed = Typed.type("settings");
    assertThat(typed.code()).isZero();
    assertThat(typed.outLines())
        .contains("tollgate.worker.linger = 10ms", "tollgate.providers.NAME.price");
  }

  private Path configOfNothing() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      closed = socket.getLocalPort();
    }
    Path config = folder.resolve("nothing.properties");
    Files.writeString(
        config,
        """
        tollgate.kafka.bootstrap-servers=127.0.0.1:%1$s
        tollgate.database.url=jdbc:postgresql://127.0.0.1:%1$s/x?password=hush
        tollgate.database.password=hush
        """
            .formatted(String.valueOf(closed)));
    return config;
  }
}
