package dev.tollgate.loadtest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.wire.WireRun.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A service that Tollgate has never heard of is added by one file in a folder, and has everything
 * that the others have: accepted, refused, throttled, lost and found, sent thrice and ended.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OwnDescriptorIT {
  private final WireRun run = new WireRun(OwnDescriptorIT.class);

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("acme.yaml"), Json.resource("/own/acme.yaml"));
    run.stage().set("providers-folder", folder.toString());
    Fixture fixture = Fixture.read("acme");
    run.with("acme", fixture, fixture.cases(), false, Map.of());
    run.behindThriceProxy("acme-proxied", fixture, fixture.casesOfThree(), Map.of());
    run.start();
  }

  @AfterAll
  void close() {
    run.close();
  }

  Stream<Run> runs() {
    return run.runs().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("runs")
  void case_endsAsTheFileSays(Run one) {
    run.check(one);
  }

  @Test
  void requests_lookAsTheServiceTakesThem() {
    assertThat(run.complaints()).isEmpty();
  }
}
