package dev.tollgate.loadtest.demo;

import dev.tollgate.loadtest.audit.Report;
import dev.tollgate.loadtest.audit.Violation;
import dev.tollgate.loadtest.sandbox.Fault;
import dev.tollgate.schema.state.OperationState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of a run.
 *
 * @param published messages that the broker acknowledged, repeats included
 * @param told how completions came to be known
 * @param faultsFired how often each fault fired: the provider's, and those that hit workers
 * @param notFired scripted faults of the plan that never fired
 * @param seconds from the first message to quiet
 * @param problems why the run is not good, for people; empty where it is
 */
public record Outcome(
    Plan plan,
    int workers,
    int published,
    Report report,
    Told told,
    Map<String, Long> faultsFired,
    List<String> notFired,
    double seconds,
    List<String> problems) {
  /** Most broken rules that are named. */
  private static final int NAMED_MAX = 20;

  public Outcome {
    faultsFired = Map.copyOf(faultsFired);
    notFired = List.copyOf(notFired);
    problems = List.copyOf(problems);
  }

  static Outcome of(
      Plan plan,
      int workers,
      int published,
      Map<String, Long> struck,
      Report report,
      Told told,
      double seconds,
      List<String> troubles) {
    Map<String, Long> fired = new TreeMap<>(report.faultsFired());
    if (plan.faults().strikes()) {
      fired.putAll(struck);
    }
    List<String> notFired = notFired(plan, fired);
    List<String> problems = new ArrayList<>(troubles);
    if (report.duplicates() > 0) {
      problems.add(report.duplicates() + " remote tasks too many");
    }
    if (report.lost() > 0) {
      problems.add(report.lost() + " lost");
    }
    if (!notFired.isEmpty() && plan.operations() >= Plan.EVERY_FAULT_FROM) {
      problems.add("faults that never fired: " + notFired);
    }
    report.violations().stream().limit(NAMED_MAX).map(Violation::toString).forEach(problems::add);
    if (report.violations().size() > NAMED_MAX) {
      problems.add("and %d more".formatted(report.violations().size() - NAMED_MAX));
    }
    return new Outcome(plan, workers, published, report, told, fired, notFired, seconds, problems);
  }

  private static List<String> notFired(Plan plan, Map<String, Long> fired) {
    if (plan.faults() == FaultLevel.NONE) {
      return List.of();
    }
    return Arrays.stream(Fault.Family.values())
        .filter(family -> family != Fault.Family.ACCEPT)
        .map(Fault.Family::text)
        .filter(name -> fired.getOrDefault(name, 0L) == 0)
        .toList();
  }

  /** Whether nothing was paid twice, nothing was lost, every rule held and all was over in time. */
  public boolean good() {
    return problems.isEmpty();
  }

  public double operationsPerSecond() {
    return report.intended() / Math.max(seconds, 1e-3);
  }

  long in(OperationState state) {
    return report.in(state);
  }
}
