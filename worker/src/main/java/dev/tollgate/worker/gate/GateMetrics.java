package dev.tollgate.worker.gate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Counts what the gate says. One for each registry: it outlives the gates that report to it, so
 * that a new gate for a new database incarnation goes on with the same meters. Thread-safe.
 */
public final class GateMetrics {

  private final Map<GateAnswer, Counter> answers = new EnumMap<>(GateAnswer.class);
  private final Counter errors;
  // written by whichever thread moved the breaker, read by the scraper
  private volatile boolean open;

  public GateMetrics(MeterRegistry registry) {
    for (GateAnswer answer : GateAnswer.values()) {
      answers.put(
          answer,
          Counter.builder(GateMeter.ANSWERS.meterName())
              .description(GateMeter.ANSWERS.meaning())
              .tag(GateMeter.ANSWER_TAG, answer.tag())
              .register(registry));
    }
    errors =
        Counter.builder(GateMeter.ERRORS.meterName())
            .description(GateMeter.ERRORS.meaning())
            .register(registry);
    Gauge.builder(GateMeter.OPEN.meterName(), this, metrics -> metrics.open ? 1 : 0)
        .description(GateMeter.OPEN.meaning())
        .strongReference(true)
        .register(registry);
  }

  void answered(List<GateAnswer> given) {
    for (GateAnswer answer : given) {
      Counter counter = answers.get(answer);
      if (counter != null) {
        counter.increment();
      }
    }
  }

  void errors(int count) {
    errors.increment(count);
  }

  void open(boolean isOpen) {
    open = isOpen;
  }
}
