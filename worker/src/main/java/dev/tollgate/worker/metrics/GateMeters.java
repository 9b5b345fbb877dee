package dev.tollgate.worker.metrics;

import dev.tollgate.schema.health.Vitals.Dependency;
import dev.tollgate.schema.health.Vitals.Standing;
import dev.tollgate.worker.gate.GateAnswer;
import dev.tollgate.worker.gate.GateListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Counts what the gate says. One for each registry: it outlives the gates that report to it, so
 * that a new gate for a new database incarnation goes on with the same meters. Thread-safe.
 */
public final class GateMeters implements GateListener {

  private final Map<GateAnswer, Counter> answers = new EnumMap<>(GateAnswer.class);
  private final Counter errors;
  private final Timer answeredCalls;
  private final Timer failedCalls;
  // written by whichever thread moved the breaker, read by the scraper
  private volatile boolean open;

  public GateMeters(Catalogue catalogue) {
    for (GateAnswer answer : GateAnswer.values()) {
      answers.put(answer, catalogue.counter(Meter.GATE_ANSWERS, "answer", answer.tag()));
    }
    answeredCalls = catalogue.timer(Meter.GATE_CALLS, "result", "answered");
    failedCalls = catalogue.timer(Meter.GATE_CALLS, "result", "failed");
    errors = catalogue.counter(Meter.GATE_ERRORS);
    catalogue.gauge(Meter.GATE_OPEN, () -> open ? 1 : 0);
  }

  @Override
  public void answered(List<GateAnswer> given) {
    for (GateAnswer answer : given) {
      Counter counter = answers.get(answer);
      if (counter != null) {
        counter.increment();
      }
    }
  }

  @Override
  public void errors(int count) {
    errors.increment(count);
  }

  @Override
  public void called(boolean answered, Duration took) {
    (answered ? answeredCalls : failedCalls).record(took);
  }

  /** Redis as something that a process depends on: being without it costs speed alone. */
  public Dependency redis() {
    return open
        ? new Dependency("redis", Standing.DEGRADED, "skipped for a while: the database decides")
        : new Dependency("redis", Standing.UP, "asked");
  }

  @Override
  public void open(boolean isOpen) {
    open = isOpen;
  }
}
