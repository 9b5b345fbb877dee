package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tollgate.cli.local.LocalConfig;
import dev.tollgate.cli.local.LocalPorts;
import dev.tollgate.cli.local.LocalStack;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.TollgateConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of one's own beside those of {@code up}. */
final class FurtherTest {
  @TempDir Path folder;

  @Test
  void providersOfOnesOwn_stand_besideThoseOfTheSandbox() throws IOException {
    Files.writeString(folder.resolve("key"), "secret-value-0123");
    Further further =
        further(
            """
            tollgate.providers.orders.descriptor=http-json
            tollgate.providers.orders.endpoint=https://orders.example.com/v1
            tollgate.providers.orders.api-key=file:%s
            tollgate.providers.keyed.limits.rate=20/s
            tollgate.callbacks=https://hooks.example.com
            tollgate.kafka.client."fetch.max.bytes"=1000000
            tollgate.kafka.client."a\\ b\\:c"=1
            """
                .formatted(folder.resolve("key")));
    LocalConfig local = local();
    local.writeSandboxSecrets();
    further.check(local, InstantSource.system(), System::nanoTime);
    Path file = folder.resolve("written.properties");
    assertThat(further.providers()).containsExactly("orders");
    LocalConfig.write(file, "a test", further.with(local.settings("w-1", Optional.of(1))));
    TollgateConfig read = ConfigFile.read(Optional.of(file), Map.of());
    assertThat(read.providers().keySet())
        .containsExactlyInAnyOrder("keyed", "lookup", "listed", "blind", "text", "orders");
    assertThat(Objects.requireNonNull(read.providers().get("keyed")).limits().rate()).isPresent();
    assertThat(read.kafka().client()).containsKeys("fetch.max.bytes", "a b:c");
  }

  @Test
  void whatUpSetsItself_isRefused_whetherInQuotesOrNot() throws IOException {
    assertThat(
            refusal(
                """
                tollgate.providers.keyed.endpoint=https://elsewhere.example.com
                tollgate.providers."keyed".offers=none
                tollgate.http.port=1
                tollgate.webhooks.port=1
                tollgate.database.password=x
                tollgate.currency=EUR
                """))
        .startsWith(
            "tollgate.database.password, tollgate.http.port, tollgate.providers.\"keyed\".offers,"
                + " tollgate.providers.keyed.endpoint, tollgate.webhooks.port is set by `up` itself")
        .doesNotContain("currency");
  }

  @Test
  void everyFault_isToldBeforeAnythingIsStarted() throws IOException {
    assertThat(refusal("tollgate.worker.lingr=1s\ntollgat.x=1\n"))
        .contains(
            "further.properties of --with: ", "tollgate.worker.linger?", "tollgat.x (line 2)");
    assertThat(refusal("tollgate.currency=EUR\nlogging.level=info\n"))
        .startsWith("logging.level is no setting of Tollgate");
    assertThat(
            refusal(
                """
                tollgate.providers.orders.descriptor=nope
                tollgate.providers.other.descriptor=runway
                """))
        .contains(
            "provider orders: there is no descriptor nope", "provider other: secret 'api-key'")
        .doesNotContain("provider keyed");
  }

  @Test
  void faultyFile_isAWrongCommand_andNothingIsStarted() throws IOException {
    Path file = Files.writeString(folder.resolve("faulty.properties"), "tollgate.http.port=1");
    Path data = folder.resolve("data");
    String base =
        IntStream.iterate(21_000, port -> port + 10)
            .filter(port -> new LocalPorts(port).taken().length == 0)
            .mapToObj(String::valueOf)
            .findFirst()
            .orElseThrow();
    Typed typed =
        Typed.type("up", "--data", data.toString(), "--port-base", base, "--with", file.toString());
    assertThat(typed.code()).isEqualTo(Failure.USAGE);
    assertThat(typed.err()).contains("tollgate.http.port is set by `up` itself");
    assertThat(typed.out()).isEmpty();
    assertThat(Typed.type("up", "--data", data.toString(), "--with", folder + "/none").code())
        .isEqualTo(Failure.USAGE);
  }

  private String refusal(String properties) throws IOException {
    LocalConfig local = local();
    local.writeSandboxSecrets();
    Further further = further(properties);
    Failure refused =
        catchThrowableOfType(
            Failure.class, () -> further.check(local, InstantSource.system(), System::nanoTime));
    assertThat(refused.exitCode()).isEqualTo(Failure.USAGE);
    return Objects.requireNonNull(refused.getMessage());
  }

  private Further further(String properties) throws IOException {
    return Further.read(Files.writeString(folder.resolve("further.properties"), properties));
  }

  private LocalConfig local() {
    return LocalStack.planned(folder.resolve("data"), new LocalPorts(LocalPorts.DEFAULT_BASE));
  }
}
