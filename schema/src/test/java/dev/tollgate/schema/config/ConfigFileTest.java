package dev.tollgate.schema.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
      tollgate.providers.keyed.recourse=none
      tollgate.providers.keyed.api-key=not-a-real-key
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
        .contains("not a rate: 20 per second (like 20/s, 600/m)")
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
  void fileThatIsNotThere_isNamed() {
    Path absent = folder.resolve("absent.properties");
    ConfigFile.Invalid refused =
        catchThrowableOfType(
            ConfigFile.Invalid.class, () -> ConfigFile.read(Optional.of(absent), Map.of()));
    assertThat(refused).hasMessageContaining("absent.properties");
  }
}
