package dev.tollgate.loadtest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.wire.WireRun.Run;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same where providers cannot reach us: no callback is asked for, and none is waited for. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WireWithoutCallbacksIT {
  private final WireRun run = new WireRun(WireWithoutCallbacksIT.class);

  @BeforeAll
  void start() {
    for (String name : WireRun.services()) {
      Fixture fixture = Fixture.read(name);
      run.with(
          name, fixture, fixture.casesWithoutCallbacks(), false, fixture.configWithoutCallbacks());
    }
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
  void case_endsAsItsDocumentsSay(Run one) {
    run.check(one);
  }

  @Test
  void requests_askForNoCallback() {
    assertThat(run.complaints()).isEmpty();
  }
}
