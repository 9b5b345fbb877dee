package dev.tollgate.loadtest.bench;

import dev.tollgate.loadtest.bench.CpuMeter.Part;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What one leg of a round measured: one consumer.
 *
 * @param name who was measured
 * @param operations operations between the marks
 * @param seconds time between the marks
 * @param warming operations per second of each fifth of the warm-up, from an empty table on
 * @param windows operations per second of each tenth between the marks, in order
 * @param cpu CPU milliseconds between the marks
 */
record Round(
    String name,
    long operations,
    double seconds,
    List<Double> warming,
    List<Double> windows,
    Map<Part, Long> cpu) {

  /** One reading: when, and how many tasks the sandbox had made. */
  record Sample(long nanos, long tasks) {}

  /** Builds it from readings; the marks are the first and the last of them. */
  static Round of(
      String name,
      List<Sample> warming,
      List<Sample> samples,
      Map<Part, Long> before,
      Map<Part, Long> after) {
    Sample first = samples.getFirst();
    Sample last = samples.getLast();
    Map<Part, Long> cpu = new EnumMap<>(Part.class);
    after.forEach((part, used) -> cpu.put(part, used - before.getOrDefault(part, 0L)));
    return new Round(
        name,
        last.tasks - first.tasks,
        (last.nanos - first.nanos) / 1e9,
        windows(warming, 5),
        windows(samples, 10),
        cpu);
  }

  private static List<Double> windows(List<Sample> samples, int count) {
    List<Double> windows = new ArrayList<>();
    Sample from = samples.getFirst();
    long step = Math.max(1, (samples.getLast().tasks - from.tasks) / count);
    for (Sample sample : samples) {
      if (sample.tasks - from.tasks >= step) {
        windows.add((sample.tasks - from.tasks) * 1e9 / (sample.nanos - from.nanos));
        from = sample;
      }
    }
    return windows;
  }

  double perSecond() {
    return operations / seconds;
  }

  double cpuPerThousand(Part part) {
    return cpu.getOrDefault(part, 0L) * 1000.0 / operations;
  }

  double cpuPerThousand() {
    return cpu.values().stream().mapToLong(Long::longValue).sum() * 1000.0 / operations;
  }

  String line() {
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%-10s %,9.0f op/s  CPU-ms per 1,000: %6.1f =",
                name,
                perSecond(),
                cpuPerThousand()));
    for (Part part : Part.values()) {
      if (cpuPerThousand(part) >= 0.05) {
        line.append(
            String.format(
                Locale.ROOT,
                " %s %.1f",
                part.name().toLowerCase(Locale.ROOT),
                cpuPerThousand(part)));
      }
    }
    line.append("  warming:");
    warming.forEach(w -> line.append(String.format(Locale.ROOT, " %.0f", w)));
    line.append("  tenths:");
    windows.forEach(w -> line.append(String.format(Locale.ROOT, " %.0f", w)));
    return line.toString();
  }
}
