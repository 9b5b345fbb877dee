package dev.tollgate.loadtest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service that Tollgate has never heard of is added by one file in a folder, and has everything
 * that the others have: accepted, refused, throttled, lost and found, sent thrice and ended.
 */
final class OwnDescriptorIT extends WireSuite {
  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("acme.yaml"), Json.resource("/own/acme.yaml"));
    run.stage().set("providers-folder", folder.toString());
    Fixture fixture = Fixture.read("acme");
    run.with("acme", fixture, fixture.cases(), false, Map.of());
    run.behindThriceProxy("acme-proxied", fixture, fixture.casesOfThree(), Map.of());
    run.start();
  }

  @Test
  void requests_lookAsTheServiceTakesThem() {
    assertThat(run.complaints()).isEmpty();
  }
}
