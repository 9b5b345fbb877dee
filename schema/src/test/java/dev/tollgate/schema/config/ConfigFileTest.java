package dev.tollgate.schema.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigFileTest {
  @TempDir Path folder = Path.of("");

  private String faultsOf(String properties) throws IOException {
    Path file = Files.writeString(folder.resolve("tollgate.properties"), properties);
    ConfigFile.Invalid refused =
        catchThrowableOfType(
            ConfigFile.Invalid.class, () -> ConfigFile.read(Optional.of(file), Map.of()));
    return Objects.requireNonNull(Objects.requireNonNull(refused).getMessage());
  }

  @Test
  void everyFault_isNamedAtOnceInPlainWords() throws IOException {
    String faults =
        faultsOf(
            """
            tollgate.kafka.bootstrap-servers=127.0.0.1:9092
            tollgate.kafka.bootstrap-server=127.0.0.1:9092
            tollgate.worker.linger=soon
            """);
    assertThat(faults)
        .startsWith("the configuration has faults:")
        .contains("tollgate.database.url", "tollgate.kafka.bootstrap-server ", "soon")
        .doesNotContain("SRCFG", "java.");
  }

  @Test
  void mistypedKeys_areNamedWithTheirLineAndTheNearestKnownOne() throws IOException {
    assertThat(
            faultsOf(
                    SERVERS
                        + """
                        tollgate.kafka.bootstrapservers=127.0.0.1:9092
                        tollgate.providers.keyed.limit.rate=20/s
                        tollgate.providers.keyed.rate=20/s
                        tollgate.providers."a.b".concurency=2
                        tollgate.no-such-thing=1
                        tollgate.worker.linger=soon
                        tollgate.budgets.a.scope=all
                        """)
                .lines())
        .contains(
            "  tollgate.kafka.bootstrapservers (line 6) is no key of the configuration; did you mean"
                + " tollgate.kafka.bootstrap-servers? (`tollgate settings` lists all)",
            "  tollgate.providers.keyed.limit.rate (line 7) is no key of the configuration; did you"
                + " mean tollgate.providers.keyed.limits.rate? (`tollgate settings` lists all)",
            "  tollgate.providers.keyed.rate (line 8) is no key of the configuration; did you mean"
                + " tollgate.providers.keyed.limits.rate? (`tollgate settings` lists all)",
            "  tollgate.providers.\"a.b\".concurency (line 9) is no key of the configuration; did you"
                + " mean tollgate.providers.\"a.b\".concurrency? (`tollgate settings` lists all)",
            "  tollgate.no-such-thing (line 10) is no key of the configuration (`tollgate settings`"
                + " lists all)",
            "  tollgate.worker.linger is 'soon': not a duration: soon (like 500ms, 2s, 5m, 24h, PT2S)",
            "  tollgate.budgets.a.scope is 'all': it must be one of provider, producer",
            "  tollgate.budgets.a.who is missing")
        .noneMatch(line -> line.contains("does not map") || line.contains("dev.tollgate"));
  }

  /** Nobody would read such a key, and nobody would say so. */
  @Test
  void mistypedPrefix_isRefusedInTheFile_andOtherProgramsKeysAreNot() throws IOException {
    assertThat(
            faultsOf(
                    SERVERS
                        + """
                        tollgat.redis.url=redis://127.0.0.1
                        tolgate.worker.lingr=2ms
                        Tollgate.currency=EUR
                        toolgate=1
                        TOLLGATE_DATABASE_USER=x
                        tollgate-redis.url=y
                        """)
                .lines())
        .containsExactlyInAnyOrder(
            "the configuration has faults:",
            prefixFault("tollgat.redis.url", 6, "tollgate.redis.url"),
            prefixFault("tolgate.worker.lingr", 7, "tollgate.worker.linger"),
            prefixFault("Tollgate.currency", 8, "tollgate.currency"),
            prefixFault("toolgate", 9, "tollgate"),
            prefixFault("TOLLGATE_DATABASE_USER", 10, "tollgate.database.user"),
            prefixFault("tollgate-redis.url", 11, "tollgate.redis.url"));
    Path others =
        Files.writeString(
            folder.resolve("others.properties"), SERVERS + "delegate.x=1\nlogging.level=2\n");
    assertThat(ConfigFile.read(Optional.of(others), Map.of("tollgat.x", "1")).providers())
        .containsKey("keyed");
  }

  private static String prefixFault(String key, int line, String meant) {
    return "  %s (line %d) does not begin with tollgate., so it would not count; did you mean %s? (`tollgate settings` lists all)"
        .formatted(key, line, meant);
  }

  @Test
  void providersFolder_hasToBeThere() throws IOException {
    assertThat(faultsOf(SERVERS + "tollgate.providers-folder=" + folder.resolve("none")))
        .contains(
            "tollgate.providers-folder is " + folder.resolve("none") + ", which is no folder");
    Path file =
        Files.writeString(
            folder.resolve("fine.properties"), SERVERS + "tollgate.providers-folder=" + folder);
    assertThat(ConfigFile.read(Optional.of(file), Map.of()).providersFolder()).contains(folder);
  }

  @Test
  void knownKeys_haveTheirDefaults() {
    assertThat(KnownKeys.all())
        .containsEntry("tollgate.providers.NAME.limits.rate", Optional.empty())
        .containsEntry("tollgate.providers.NAME.secrets.NAME", Optional.empty())
        .containsEntry("tollgate.budgets.NAME.when-exhausted", Optional.of("wait"))
        .containsEntry("tollgate.worker.breaker.window", Optional.of("50"))
        .doesNotContainKey("tollgate.providers.NAME.offers[*]");
  }

  @Test
  void settingsThatContradictEachOther_areNamedAtOnce() throws IOException {
    String faults =
        faultsOf(
            """
            tollgate.kafka.bootstrap-servers=127.0.0.1:9092
            tollgate.database.url=jdbc:postgresql://127.0.0.1/tollgate
            tollgate.worker.breaker.window=5
            tollgate.worker.breaker.unknown-percent=0
            tollgate.worker.breaker.pause-max=10ms
            """);
    assertThat(faults.lines())
        .containsExactly(
            "the configuration has faults:",
            "  tollgate.worker.breaker.unknown-percent is 0, not from 1 to 100",
            "  tollgate.worker.breaker.window (5) is smaller than tollgate.worker.breaker.outcomes-min (10): it would never"
                + " open",
            "  tollgate.worker.breaker.pause-max is shorter than tollgate.worker.breaker.pause");
  }

  private static final String SERVERS =
      """
      tollgate.kafka.bootstrap-servers=127.0.0.1:9092
      tollgate.database.url=jdbc:postgresql://127.0.0.1/tollgate
      tollgate.providers.keyed.endpoint=http://127.0.0.1/keyed
      tollgate.providers.keyed.descriptor=http-json
      tollgate.providers.keyed.api-key=env:KEY
      """;

  @Test
  void limits_areRead_andContradictionsNamed() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("limits.properties"),
            SERVERS
                + """
                tollgate.providers.keyed.limits.rate=20/s
                tollgate.providers.keyed.limits.tasks-max=7
                """);
    LimitsConfig limits =
        Objects.requireNonNull(
                ConfigFile.read(Optional.of(file), Map.of()).providers().get("keyed"))
            .limits();
    assertThat(limits.rate()).contains(new Rate(1200));
    assertThat(limits.tasksMax()).hasValue(7);
    assertThat(faultsOf(SERVERS + "tollgate.providers.keyed.limits.rate=20 per second"))
        .contains("not a rate: 20 per second (like 20/s, 600/min)")
        .doesNotContain("SRCFG", "java.");
    assertThat(
            faultsOf(
                    SERVERS
                        + """
                        tollgate.providers.keyed.limits.burst=0
                        tollgate.providers.keyed.limits.tasks-max=0
                        """)
                .lines())
        .hasSize(4)
        .anyMatch(line -> line.contains("limits.burst is of no use without"));
  }

  @Test
  void streams_areRead_andContradictionsNamed() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("streams.properties"),
            SERVERS
                + """
                tollgate.streams.port=8091
                tollgate.streams.url=https://streams.example.com/tollgate
                """);
    StreamsConfig streams = ConfigFile.read(Optional.of(file), Map.of()).streams();
    assertThat(streams.port()).hasValue(8091);
    assertThat(streams.connectionFor()).isEqualTo(Duration.ofMinutes(15));
    assertThat(
            faultsOf(
                    SERVERS
                        + """
                        tollgate.streams.url=https://user@streams.example.com/
                        tollgate.streams.connections=0
                        tollgate.streams.connection-for=0s
                        """)
                .lines())
        .hasSize(4)
        .anyMatch(line -> line.contains("streams.url is not http(s)://HOST[:PORT][/PATH]"));
  }

  @Test
  void budgets_areRead_andContradictionsNamed() throws IOException {
    String price = "tollgate.providers.keyed.price=0.35\n";
    String budget =
        """
        tollgate.budgets.%1$s.scope=provider
        tollgate.budgets.%1$s.who=%2$s
        tollgate.budgets.%1$s.per=day
        tollgate.budgets.%1$s.amount=%3$s
        """;
    Path file =
        Files.writeString(
            folder.resolve("budgets.properties"),
            SERVERS + price + budget.formatted("a", "keyed", "12.5"));
    TollgateConfig read = ConfigFile.read(Optional.of(file), Map.of());
    BudgetConfig day = Objects.requireNonNull(read.budgets().get("a"));
    assertThat(day.amount()).isEqualTo(new Money(12_500_000));
    assertThat(day.whenExhausted()).isEqualTo(BudgetConfig.WhenExhausted.WAIT);
    assertThat(
            faultsOf(
                    SERVERS
                        + budget.formatted("a", "keyed", "1")
                        + budget.formatted("b", "keyed", "2")
                        + budget.formatted("c", "other", "0"))
                .lines())
        .hasSize(6)
        .anyMatch(line -> line.contains("is of the same spending as tollgate.budgets."))
        .anyMatch(line -> line.contains("tollgate.budgets.a needs tollgate.providers.keyed.price"))
        .anyMatch(line -> line.contains("tollgate.budgets.c.amount is nothing"))
        .anyMatch(line -> line.contains("names other, which is no configured provider"));
    assertThat(faultsOf(SERVERS + price + budget.formatted("a", "keyed", "0.0000001")))
        .contains("not an amount: 0.0000001");
    assertThat(
            faultsOf(
                SERVERS
                    + price
                    + budget.formatted("a", "keyed", "1").replace("scope=provider", "scope=all")))
        .contains("tollgate.budgets.a.scope");
  }

  @Test
  void generations_areOffByThemselves_andReadForEachProvider() throws IOException {
    Path file = Files.writeString(folder.resolve("none.properties"), SERVERS);
    GenerationsConfig none = ConfigFile.read(Optional.of(file), Map.of()).generations();
    assertThat(none.policy().on()).isEmpty();
    assertThat(none.max()).isEqualTo(10);
    Files.writeString(
        file,
        SERVERS
            + """
            tollgate.generations.policy.on=failed,expired
            tollgate.generations.policy.price-max=0.5
            tollgate.providers.keyed.generations.on=Rejected
            tollgate.providers.keyed.generations.max=1
            """);
    TollgateConfig read = ConfigFile.read(Optional.of(file), Map.of());
    assertThat(read.generations().policy().on().orElseThrow())
        .containsExactly(
            GenerationsConfig.FailureClass.FAILED, GenerationsConfig.FailureClass.EXPIRED);
    assertThat(read.generations().policy().priceMax()).contains(Money.of("0.5"));
    GenerationsConfig.OfProvider own =
        Objects.requireNonNull(read.providers().get("keyed")).generations();
    assertThat(own.on().orElseThrow()).containsExactly(GenerationsConfig.FailureClass.REJECTED);
    assertThat(own.max()).hasValue(1);
    assertThat(own.priceMax()).isEmpty();
  }

  @Test
  void generations_thatContradictEachOther_areNamed() throws IOException {
    assertThat(
            faultsOf(
                    SERVERS
                        + """
                        tollgate.generations.max=3
                        tollgate.generations.policy.max=4
                        tollgate.providers.keyed.generations.max=0
                        """)
                .lines())
        .containsExactly(
            "the configuration has faults:",
            "  tollgate.generations.policy.max (4) is more than tollgate.generations.max (3): what it asks for would be"
                + " refused",
            "  tollgate.providers.keyed.generations.max is 0, not at least 1");
    assertThat(faultsOf(SERVERS + "tollgate.generations.policy.on=failed,dull"))
        .contains("tollgate.generations.policy.on is 'failed,dull': it must be one of ")
        .doesNotContain("SRCFG", "java.");
  }

  @Test
  void money_isWrittenAsItIsRead() {
    for (String text : new String[] {"0.00", "0.35", "12.50", "0.000001", "999999999999.99"}) {
      assertThat(Money.of(text)).hasToString(text);
    }
  }

  @Test
  void fileThatIsNotThere_isNamed() {
    Path absent = folder.resolve("absent.properties");
    ConfigFile.Invalid refused =
        catchThrowableOfType(
            ConfigFile.Invalid.class, () -> ConfigFile.read(Optional.of(absent), Map.of()));
    assertThat(refused).hasMessageContaining("absent.properties");
  }

  @Test
  void outputsInABucket_needWhatABucketNeeds() throws IOException {
    String faults =
        faultsOf(
            """
            tollgate.kafka.bootstrap-servers=127.0.0.1:9092
            tollgate.database.url=jdbc:postgresql://127.0.0.1/tollgate
            tollgate.outputs.store=s3
            tollgate.outputs.tries-max=0
            tollgate.outputs.s3.prefix=/films
            tollgate.outputs.s3.endpoint=https://me:hunter2@store.example
            tollgate.outputs.s3.access-key=AKIAIOSFODNN7EXAMPLE
            tollgate.outputs.s3.part-bytes=1000
            """);
    assertThat(faults.lines())
        .containsExactly(
            "the configuration has faults:",
            "  tollgate.outputs.tries-max is 0, not at least 1",
            "  tollgate.outputs.s3.bucket is missing: tollgate.outputs.store is s3",
            "  tollgate.outputs.s3.prefix is '/films': it is words of letters, digits, dots, hyphens and underscores, each"
                + " with a slash behind it",
            "  tollgate.outputs.s3.endpoint is not http(s)://HOST[:PORT] without user, query and fragment",
            "  tollgate.outputs.s3.part-bytes is 1000, not from 5242880 to 5368709120",
            "  tollgate.outputs.s3.access-key and tollgate.outputs.s3.secret-key come together",
            "  tollgate.outputs.s3.access-key is neither env:NAME nor file:PATH");
  }

  @Test
  void bucketWithoutItsStore_isNamed() throws IOException {
    assertThat(
            faultsOf(
                """
                tollgate.kafka.bootstrap-servers=127.0.0.1:9092
                tollgate.database.url=jdbc:postgresql://127.0.0.1/tollgate
                tollgate.outputs.s3.bucket=films
                """))
        .contains("tollgate.outputs.s3.bucket is of no use without tollgate.outputs.store = s3");
  }
}
