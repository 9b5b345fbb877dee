package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.descriptor.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProvidersCommandTest {
  @TempDir Path folder;

  @Test
  void check_shippedOnes_areFine() {
    Typed typed = Typed.type("providers", "check", "http-json");
    assertThat(typed.code()).isZero();
    assertThat(typed.outLines()).containsExactly("http-json: fine");
  }

  @Test
  void check_faults_areAllNamedByFileAndLine() throws IOException {
    String text = new Catalogue(Optional.empty()).find("http-json").orElseThrow().text();
    Path file =
        Files.writeString(
            folder.resolve("bad.yaml"),
            text.replace("endpoint: {}", "endpoint: {base: \"http://a.example.com\"}")
                .replace("verdict: accepted t-1", "verdict: rejected")
                .replace("read: 2026-11-30", "read: soon"));
    Typed typed = Typed.type("providers", "check", file.toString());
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.outLines())
        .allMatch(line -> line.matches(".*bad\\.yaml:[0-9]+: .+"))
        .anyMatch(line -> line.contains("endpoint.base") && line.contains("https://"))
        .anyMatch(line -> line.contains("read"));
  }

  /** The example of the guide is a descriptor that passes. */
  @Test
  void check_exampleOfTheGuide_isFine() throws IOException {
    String guide = Files.readString(Path.of("../../worker/docs/own-provider.md"));
    int from = guide.indexOf("```yaml\n") + "```yaml\n".length();
    Path file = folder.resolve("acme.yaml");
    Files.writeString(file, guide.substring(from, guide.indexOf("```", from)));
    Typed typed = Typed.type("providers", "check", file.toString());
    assertThat(typed.out()).contains("acme.yaml: fine");
  }

  @Test
  void check_fileThatIsNotThere_namesTheShippedOnes() {
    Typed typed = Typed.type("providers", "check", "nope");
    assertThat(typed.code()).isEqualTo(Failure.USAGE);
    assertThat(typed.err()).contains("nope").contains("http-json");
  }

  @Test
  void list_hasShippedOnesAndOnesOfYourOwn() throws IOException {
    Files.writeString(folder.resolve("mine.yaml"), "name: mine");
    Typed typed = Typed.type("providers", "list", "--folder", folder.toString());
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.outLines())
        .anyMatch(line -> line.startsWith("http-json ") && line.contains("idempotent-create"))
        .anyMatch(line -> line.startsWith("mine ") && line.contains("has faults"));
  }

  @Test
  void show_saysWhatFollowsAfterATimeout() {
    Typed typed = Typed.type("providers", "show", "http-json");
    assertThat(typed.code()).isZero();
    assertThat(typed.out())
        .contains("secret api-key")
        .contains("promise-retention")
        .containsSubsequence(
            "after a timeout",
            "sent again under the same key",
            "looked up by the operation's own key",
            "else a person decides");
  }

  @Test
  void schema_isPrinted() {
    assertThat(Typed.type("providers", "schema").out())
        .startsWith("{")
        .contains("tollgate-provider/1");
  }

  @Test
  void show_unknownName_namesThoseThereAre() {
    Typed typed = Typed.type("providers", "show", "nope");
    assertThat(typed.code()).isEqualTo(Failure.USAGE);
    assertThat(typed.err()).contains("http-json");
  }

  @Test
  void show_configuredProvider_isExplainedWithWhatIsInUse() throws IOException {
    Path config =
        config(
            """
            tollgate.providers.orders.descriptor=http-json
            tollgate.providers.orders.endpoint=https://orders.example.com/v1/
            tollgate.providers.orders.api-key=env:NO_SUCH_VARIABLE_HERE
            tollgate.providers.orders.offers=idempotent-create,lookup-by-reference
            tollgate.providers.orders.promise-retention=48h
            tollgate.providers.orders.submit-deadline=30s
            tollgate.providers.orders.connection-life=60s
            tollgate.providers.orders.longest-hold=5s
            tollgate.providers.orders.visibility-lag=5s
            """);
    Typed typed = Typed.type("providers", "show", "orders", "--config", config.toString());
    assertThat(typed.code()).as(typed.out() + typed.err()).isZero();
    assertThat(typed.out())
        .contains("orders: configured, spoken to by the descriptor http-json (shipped)")
        .contains("endpoint  https://orders.example.com/v1\n")
        .contains("setting   tasks = tasks", "secrets   api-key\n")
        .contains("offers    idempotent-create, lookup-by-reference in use")
        .contains("left out  list-by-time")
        .contains("horizon          1m25s after the claim")
        .containsSubsequence(
            "after a timeout",
            "sent again under the same key, within 48h",
            "looked up by the operation's own key",
            "once the horizon is past (1m25s): it is sent again",
            "else a person decides")
        .doesNotContain("NO_SUCH_VARIABLE_HERE", "task list is searched");
    assertThat(Typed.type("providers", "show", "runway", "-c", config.toString()).out())
        .startsWith("runway: ");
    assertThat(Typed.type("providers", "show", "nope", "-c", config.toString()).err())
        .contains("no configured provider or descriptor nope; there are orders, ");
  }

  @Test
  void show_codedAdapter_isExplainedToo() throws IOException {
    Path config =
        config(
            """
            tollgate.providers.coded.adapter=task-api
            tollgate.providers.coded.endpoint=http://127.0.0.1:1
            tollgate.providers.coded.callback-wait=2m
            tollgate.providers.coded.offers=callback-per-request
            """);
    assertThat(Typed.type("providers", "show", "coded", "-c", config.toString()).out())
        .contains("spoken to by the adapter task-api", "for 2m after the horizon")
        .doesNotContain("sent again");
  }

  @Test
  void configuredProviderWithFaults_hasAllOfThemTold() throws IOException {
    Path config =
        config(
            """
            tollgate.providers.orders.descriptor=http-json
            tollgate.providers.orders.offers=luck
            tollgate.providers.fine.descriptor=runway
            """);
    Typed shown = Typed.type("providers", "show", "orders", "-c", config.toString());
    assertThat(shown.code()).isEqualTo(Failure.REFUSED);
    assertThat(shown.out()).contains("offers names 'luck'", "endpoint is missing");
    Typed listed = Typed.type("providers", "list", "-c", config.toString());
    assertThat(listed.code()).isEqualTo(Failure.REFUSED);
    assertThat(listed.outLines())
        .anyMatch(line -> line.startsWith("orders ") && line.contains("has faults"))
        .anyMatch(line -> line.contains("provider orders: endpoint is missing"))
        .anyMatch(line -> line.matches("fine +runway [0-9a-f]{8} at https://.* none"))
        .anyMatch(line -> line.startsWith("http-json "));
  }

  @Test
  void folderOfTheConfiguration_isUsed_andAnotherIsNotGivenBesideIt() throws IOException {
    Files.writeString(folder.resolve("mine.yaml"), "name: mine");
    Path config = config("tollgate.providers-folder=" + folder);
    assertThat(Typed.type("providers", "list", "-c", config.toString()).outLines())
        .anyMatch(line -> line.startsWith("mine ") && line.contains("has faults"));
    assertThat(
            Typed.type("providers", "list", "-c", config.toString(), "--folder", folder.toString())
                .code())
        .isEqualTo(Failure.USAGE);
  }

  /** As a file of {@code up --with} is. */
  @Test
  void configurationWithoutServers_isEnough_butItsOtherFaultsAreTold() throws IOException {
    Path config = folder.resolve("further.properties");
    Files.writeString(config, "tollgate.providers.fine.descriptor=runway\n");
    Typed shown = Typed.type("providers", "show", "fine", "-c", config.toString());
    assertThat(shown.code()).as(shown.err()).isZero();
    Typed listed = Typed.type("providers", "list", "-c", config.toString());
    assertThat(listed.code()).as(listed.err()).isZero();
    assertThat(listed.outLines()).anyMatch(line -> line.startsWith("fine "));
    Files.writeString(config, "tollgate.database.url=x\n");
    assertThat(Typed.type("providers", "list", "-c", config.toString()).err())
        .contains("tollgate.database.url is not ")
        .doesNotContain("bootstrap-servers");
    assertThat(Typed.type("migrate", "-c", config.toString()).err())
        .contains("tollgate.kafka.bootstrap-servers is missing");
  }

  private Path config(String properties) throws IOException {
    return Files.writeString(
        folder.resolve("tollgate.properties"),
        """
        tollgate.kafka.bootstrap-servers=unused:1
        tollgate.database.url=jdbc:postgresql://unused/unused
        """
            + properties);
  }
}
