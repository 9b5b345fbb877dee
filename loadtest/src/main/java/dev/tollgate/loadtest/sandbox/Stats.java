package dev.tollgate.loadtest.sandbox;

import dev.tollgate.loadtest.sandbox.Fault.Family;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts since the start of this process. Thread-safe. */
final class Stats {
  private final Map<Kind, LongAdder> requests = perKind();
  private final Map<Kind, LongAdder> tasks = perKind();
  private final Map<Kind, Map<Family, LongAdder>> faults = new EnumMap<>(Kind.class);
  private final LongAdder answered = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final Map<Kind, LongAdder> searches = perKind();
  private final Map<ReportPlan.Fate, LongAdder> reports = new EnumMap<>(ReportPlan.Fate.class);
  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder givenUp = new LongAdder();

  Stats() {
    for (ReportPlan.Fate fate : ReportPlan.Fate.values()) {
      reports.put(fate, new LongAdder());
    }
    for (Kind kind : Kind.values()) {
      Map<Family, LongAdder> counts = new EnumMap<>(Family.class);
      for (Family family : Family.values()) {
        counts.put(family, new LongAdder());
      }
      faults.put(kind, counts);
    }
  }

  private static Map<Kind, LongAdder> perKind() {
    Map<Kind, LongAdder> counts = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      counts.put(kind, new LongAdder());
    }
    return counts;
  }

  private static void add(Map<Kind, LongAdder> counts, Kind kind) {
    LongAdder count = counts.get(kind);
    if (count != null) {
      count.increment();
    }
  }

  void request(Kind kind) {
    add(requests, kind);
  }

  void task(Kind kind) {
    add(tasks, kind);
  }

  void fault(Kind kind, Fault fault) {
    Map<Family, LongAdder> counts = faults.get(kind);
    LongAdder count = counts == null ? null : counts.get(fault.family());
    if (count != null) {
      count.increment();
    }
  }

  void read() {
    reads.increment();
  }

  /** A page of tasks was asked for, by a reference or by a time. */
  void search(Kind kind) {
    add(searches, kind);
  }

  long searches(Kind kind) {
    LongAdder count = searches.get(kind);
    return count == null ? 0 : count.sum();
  }

  void answer(boolean written) {
    (written ? answered : unanswered).increment();
  }

  /** A change of a task was planned to be reported so. */
  void report(ReportPlan.Fate fate) {
    LongAdder count = reports.get(fate);
    if (count != null) {
      count.increment();
    }
  }

  /** A report was acknowledged, or nobody took it. */
  void reported(boolean taken) {
    (taken ? acknowledged : givenUp).increment();
  }

  String json(int openConnections) {
    Map<String, Object> all = new TreeMap<>();
    all.put("requests", sum(requests));
    all.put("requestsByKind", named(requests));
    all.put("tasks", sum(tasks));
    all.put("tasksByKind", named(tasks));
    all.put("reads", reads.sum());
    all.put("searchesByKind", named(searches));
    all.put("answered", answered.sum());
    all.put("unanswered", unanswered.sum());
    all.put("openConnections", openConnections);
    Map<String, Long> planned = new TreeMap<>();
    reports.forEach(
        (fate, count) -> planned.put(fate.name().toLowerCase(Locale.ROOT), count.sum()));
    all.put("reportsPlanned", planned);
    all.put("reportsAcknowledged", acknowledged.sum());
    all.put("reportsGivenUp", givenUp.sum());
    Map<String, Long> fired = new TreeMap<>();
    Map<String, Map<String, Long>> firedByKind = new TreeMap<>();
    faults.forEach(
        (kind, counts) -> {
          Map<String, Long> ofKind = new TreeMap<>();
          counts.forEach((family, count) -> ofKind.put(family.text(), count.sum()));
          ofKind.forEach((name, count) -> fired.merge(name, count, Long::sum));
          firedByKind.put(kind.path(), ofKind);
        });
    all.put("faultsFired", fired);
    all.put("faultsFiredByKind", firedByKind);
    return Json.MAPPER.writeValueAsString(all);
  }

  private static long sum(Map<Kind, LongAdder> counts) {
    return counts.values().stream().mapToLong(LongAdder::sum).sum();
  }

  private static Map<String, Long> named(Map<Kind, LongAdder> counts) {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((kind, count) -> named.put(kind.path(), count.sum()));
    return named;
  }
}
