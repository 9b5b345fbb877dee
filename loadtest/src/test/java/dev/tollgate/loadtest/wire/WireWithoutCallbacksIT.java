package dev.tollgate.loadtest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same where providers cannot reach us: no callback is asked for, and none is waited for. */
final class WireWithoutCallbacksIT extends WireSuite {
  @BeforeAll
  void start() {
    for (String name : WireRun.services()) {
      Fixture fixture = Fixture.read(name);
      run.with(
          name, fixture, fixture.casesWithoutCallbacks(), false, fixture.configWithoutCallbacks());
    }
    run.start();
  }

  @Test
  void requests_askForNoCallback() {
    assertThat(run.complaints()).isEmpty();
  }
}
