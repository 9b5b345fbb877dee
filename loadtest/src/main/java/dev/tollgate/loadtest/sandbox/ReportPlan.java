package dev.tollgate.loadtest.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What becomes of each report: the same seed, kind, body and change give the same, whatever order
 * requests come in. Immutable.
 */
final class ReportPlan {
  /** Changes of a task: it is queued, it is worked at, it has ended. */
  static final int CHANGES = 3;

  private static final int COPIES_MAX = 5;

  /** Where none of the four faults was drawn. */
  private static final int ON_TIME = 4;

  private static final int LATE_MS_MAX = 1500;

  /** Between copies, and behind the change that an overtaken report comes after. */
  private static final int APART_MS = 50;

  private final long seed;
  private final FaultPreset preset;
  private final long[] gapsMs;

  /** What happens to one report. */
  enum Fate {
    ON_TIME,
    LOST,
    REPEATED,
    LATE,
    /** Sent after the change that follows it. */
    OUT_OF_ORDER
  }

  /**
   * One report.
   *
   * @param delaysMs when it is sent, from its change on: never, once or several times
   */
  record Sending(Fate fate, List<Long> delaysMs) {}

  /**
   * @param renderMs time from a task's creation to its end
   */
  ReportPlan(long seed, FaultPreset preset, long renderMs) {
    this.seed = seed;
    this.preset = preset;
    long queued = firstMs(renderMs);
    this.gapsMs = new long[] {queued, renderMs - queued, 0};
  }

  /** When a task that was just made is worked at: a fifth of its time is the queue's. */
  static long firstMs(long renderMs) {
    return (renderMs + 4) / 5;
  }

  private double shareOfEach() {
    return switch (preset) {
      case NONE -> 0;
      case DEFAULT -> 0.06;
      case HARSH -> 0.12;
    };
  }

  /**
   * Chooses for one report.
   *
   * @param change from 0 on, less than {@link #CHANGES}
   */
  Sending choose(Kind kind, String bodySha256, int change) {
    long body = Long.parseUnsignedLong(bodySha256, 0, 16, 16);
    SplittableRandom random =
        new SplittableRandom(
            FaultPlan.mix(
                FaultPlan.mix(FaultPlan.mix(~seed) ^ body)
                    ^ FaultPlan.hash(kind.path())
                    ^ FaultPlan.mix(change)));
    double drawn = random.nextDouble();
    int fault = preset == FaultPreset.NONE ? ON_TIME : (int) (drawn / shareOfEach());
    return switch (fault) {
      case 0 -> new Sending(Fate.LOST, List.of());
      case 1 -> new Sending(Fate.REPEATED, repeated(random));
      case 2 -> late(random);
      case 3 ->
          change == CHANGES - 1
              ? late(random) // nothing follows it
              : new Sending(Fate.OUT_OF_ORDER, List.of(gapsMs[change] + APART_MS));
      default -> new Sending(Fate.ON_TIME, List.of(0L));
    };
  }

  private static Sending late(SplittableRandom random) {
    return new Sending(Fate.LATE, List.of((long) random.nextInt(100, LATE_MS_MAX + 1)));
  }

  private static List<Long> repeated(SplittableRandom random) {
    int copies = random.nextInt(2, COPIES_MAX + 1);
    List<Long> delays = new ArrayList<>();
    for (long copy = 0; copy < copies; copy++) {
      delays.add(copy * random.nextInt(APART_MS));
    }
    return delays;
  }
}
