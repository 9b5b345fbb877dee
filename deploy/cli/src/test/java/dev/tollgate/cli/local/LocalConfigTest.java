package dev.tollgate.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.sandbox.Kind;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.TollgateConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalConfigTest {
  private static final String PASSWORD = " a\\b${c}\u0131=#!: ";

  @TempDir Path folder;

  private LocalConfig config(String prefix) {
    return new LocalConfig(
        "127.0.0.1:19090",
        prefix,
        "jdbc:postgresql://127.0.0.1:19092/tollgate",
        "tollgate",
        PASSWORD,
        Optional.of("redis://127.0.0.1:19093"),
        19094,
        folder.resolve("out puts\u00e9"),
        folder.resolve("key"));
  }

  @Test
  void writtenAndRead_isTheSame_whateverTheValues() throws IOException {
    TollgateConfig read = written(config("generation").settings("w-1", Optional.of(19095)));
    assertThat(read.database().password()).contains(PASSWORD);
    assertThat(read.outputs().folder()).isEqualTo(folder.resolve("out puts\u00e9"));
    assertThat(read.worker().name()).contains("w-1");
    assertThat(read.http().port()).hasValue(19095);
    assertThat(read.redis().url().orElseThrow()).hasToString("redis://127.0.0.1:19093");
    assertThat(read.kafka().workerGroup()).isEqualTo("tollgate-workers");
  }

  @Test
  void providers_areTheSandboxesKinds_eachWithItsRecourse() throws IOException {
    TollgateConfig read = written(config("generation").settings());
    assertThat(read.providers().keySet())
        .containsExactlyInAnyOrder("keyed", "lookup", "listed", "blind", "text");
    read.providers()
        .forEach(
            (name, provider) -> {
              assertThat(provider.endpoint())
                  .contains(URI.create("http://127.0.0.1:19094/" + name));
              assertThat(provider.apiKey()).contains("file:" + folder.resolve("key"));
              assertThat(provider.submitDeadline()).isEqualTo(Duration.ofSeconds(2));
              if (!name.equals("text")) {
                assertThat(provider.secrets())
                    .containsEntry(
                        "webhook-secret", "file:" + folder.resolve("sandbox-webhook-secret"));
              }
            });
    assertThat(read.providers())
        .extractingFromEntries(e -> e.getKey() + " " + e.getValue().offers().orElseThrow())
        .containsExactlyInAnyOrder(
            "keyed [idempotent-create]",
            "lookup [lookup-by-reference]",
            "listed [list-by-time]",
            "blind [none]",
            "text [none]");
    assertThat(read.http().port()).isEmpty();
  }

  @Test
  void secretsOfTheSandbox_areTheirOwnersAlone_andWhatItAsksForAndSignsWith() throws IOException {
    config("generation").writeSandboxSecrets();
    Path secret = folder.resolve("sandbox-webhook-secret");
    assertThat(folder.resolve("key")).hasContent(Kind.SANDBOX_KEY);
    assertThat(secret).hasContent(Kind.WEBHOOK_SECRET);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-------");
  }

  @Test
  void receivingWorker_listensWhereTheSandboxReports() throws IOException {
    Map<String, String> settings = config("generation").settings("w-1", Optional.of(19095));
    assertThat(written(settings).webhooks().port()).isEmpty();
    LocalConfig.receive(settings, 19097);
    assertThat(written(settings).webhooks().port()).hasValue(19097);
    assertThat(written(settings).webhooks().host()).isEqualTo("127.0.0.1");
    assertThat(LocalConfig.webhooks(19097)).isEqualTo("http://127.0.0.1:19097/webhooks");
  }

  @Test
  void anotherPrefix_hasGroupsOfItsOwn() throws IOException {
    TollgateConfig read = written(config("demo").settings());
    assertThat(read.kafka().workerGroup()).isEqualTo("demo-workers");
    assertThat(read.kafka().reconcilerGroup()).isEqualTo("demo-reconcilers");
  }

  @Test
  void file_isItsOwnersOnly_andReplacedInOneStep() throws IOException {
    written(config("one").settings());
    assertThat(written(config("two").settings()).kafka().topicPrefix()).isEqualTo("two");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    try (var files = Files.list(file().getParent())) {
      assertThat(files).containsExactly(file());
    }
  }

  private TollgateConfig written(Map<String, String> settings) throws IOException {
    LocalConfig.write(file(), "a test", settings);
    return ConfigFile.read(Optional.of(file()), Map.of());
  }

  private Path file() {
    return folder.resolve("configs").resolve("tollgate.properties");
  }
}
