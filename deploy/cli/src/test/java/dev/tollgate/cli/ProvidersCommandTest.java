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
}
