package dev.tollgate.loadtest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.Stage;
import dev.tollgate.loadtest.wire.WireRun.Run;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every shipped descriptor against a stub that speaks its service's wire as the service's own
 * documents have it, side by side in one installation: accepted, refused, lost, and the traps.
 */
final class WireIT extends WireSuite {
  @BeforeAll
  void start() {
    run.stage().set("callbacks", WireRun.CALLBACKS);
    for (String name : WireRun.services()) {
      Fixture fixture = Fixture.read(name);
      run.with(name, fixture, fixture.cases(), fixture.callbacks(), Map.of());
      fixture
          .variants()
          .forEach(
              (variant, spec) ->
                  run.with(
                      name + "-" + variant,
                      fixture,
                      Fixture.casesOf(spec),
                      spec.path("callbacks").asBoolean(fixture.callbacks()),
                      Fixture.configOf(spec)));
      if (!fixture.casesOfThree().isEmpty()) {
        run.behindThriceProxy(name + "-proxied", fixture, fixture.casesOfThree(), Map.of());
      }
    }
    run.start();
  }

  @Test
  void fc44_extraTasks_areCountedByProviderAndByHowTheyEnded() {
    Stage.eventually()
        .untilAsserted(
            () -> {
              assertThat(extra("ark-proxied", "cancelled")).isEqualTo(2);
              assertThat(extra("luma-proxied", "not_cancellable")).isEqualTo(2);
            });
    assertThat(run.stage().counted("tollgate.duplicate.tasks")).isEqualTo(4);
  }

  private double extra(String provider, String ended) {
    return run.stage().counted("tollgate.duplicate.tasks", "provider", provider, "ended", ended);
  }

  Stream<String> providers() {
    return run.runs().stream().map(Run::provider).distinct();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("providers")
  void requests_lookAsTheProviderDocumentsThem(String provider) {
    assertThat(run.complaints(provider)).isEmpty();
  }
}
