package dev.tollgate.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CatalogueTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Catalogue catalogue = new Catalogue(registry);

  @Test
  void asListed_isRegistered() {
    catalogue.counter(Meter.RECORDS, "result", "stored").increment(3);
    assertThat(registry.get("tollgate.intake.records").tag("result", "stored").counter().count())
        .isEqualTo(3);
  }

  @Test
  void anotherTag_isRefused_andNothingIsRegistered() {
    assertThatThrownBy(() -> catalogue.counter(Meter.RECORDS, "code", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("RECORDS has the tags [result], and was given [code, x]");
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void aMissingTag_anotherOrder_aNameWithoutValue_areRefused() {
    assertThatThrownBy(() -> catalogue.counter(Meter.RECORDS)).hasMessageContaining("[result]");
    assertThatThrownBy(() -> catalogue.timer(Meter.SENDS, "verdict", "FOUND", "provider", "p"))
        .hasMessageContaining("[provider, verdict]");
    assertThatThrownBy(() -> catalogue.counter(Meter.RECORDS, "result"))
        .hasMessageContaining("[result]");
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void anotherKind_isRefused() {
    assertThatThrownBy(() -> catalogue.gauge(Meter.RECORDS, () -> 1, "result", "stored"))
        .hasMessage("RECORDS is a counter, not a gauge");
    assertThatThrownBy(() -> catalogue.summary(Meter.BATCH))
        .hasMessage("BATCH is a timer, not a summary");
  }

  @Test
  void entries_areDifferent_andSayWhatTheyMean() {
    Set<String> names = new HashSet<>();
    for (Meter meter : Meter.values()) {
      assertThat(meter.meterName()).matches("tollgate(\\.[a-z]+)+");
      assertThat(names.add(meter.meterName())).as(meter.meterName()).isTrue();
      assertThat(meter.help()).as(meter.meterName()).matches("[A-Za-z0-9][^|\n]{5,}[^.]");
      assertThat(new HashSet<>(meter.tags())).as(meter.meterName()).hasSameSizeAs(meter.tags());
    }
    assertThat(Arrays.stream(Meter.values()).filter(meter -> meter.kind() == Kind.TIMER))
        .isNotEmpty()
        .allMatch(meter -> meter.unit().equals("seconds"));
  }
}
