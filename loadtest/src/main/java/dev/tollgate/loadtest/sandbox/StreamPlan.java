package dev.tollgate.loadtest.sandbox;

import java.util.SplittableRandom;

/**
 * What becomes of each answer that carries a stream: the same seed, input and count of answers give
 * the same, whatever order requests come in. Immutable.
 */
final class StreamPlan {
  /** From then on a stream is left in peace, so that every text can come to its end. */
  private static final int ANSWERS_WITH_FAULTS = 4;

  private static final int BACK_MAX = 20;

  private final long seed;
  private final FaultPreset preset;

  /**
   * One answer.
   *
   * @param share how much of its bytes is sent: 1 for all
   * @param repeated share of its events before the one that is sent twice; negative for none
   * @param back how many events before the one that was asked for it begins
   * @param unavailable whether it is a gateway's 503 in the place of a stream
   */
  record Fate(double share, double repeated, int back, boolean unavailable) {
    static final Fate WHOLE = new Fate(1, -1, 0, false);
  }

  StreamPlan(long seed, FaultPreset preset) {
    this.seed = seed;
    this.preset = preset;
  }

  private double shareCut() {
    return switch (preset) {
      case NONE -> 0;
      case DEFAULT -> 0.3;
      case HARSH -> 0.5;
    };
  }

  /**
   * Chooses for one answer.
   *
   * @param answersBefore answers that carried this stream before; 0 for the create's own
   */
  Fate choose(String input, int answersBefore) {
    double cut = shareCut();
    if (cut == 0 || answersBefore >= ANSWERS_WITH_FAULTS) {
      return Fate.WHOLE;
    }
    SplittableRandom random =
        new SplittableRandom(
            FaultPlan.mix(FaultPlan.mix(seed) ^ FaultPlan.hash(input)) + answersBefore);
    boolean resumed = answersBefore > 0;
    return new Fate(
        random.nextDouble() < cut ? random.nextDouble() : 1,
        random.nextDouble() < cut / 2 ? random.nextDouble() : -1,
        resumed && random.nextDouble() < cut / 2 ? random.nextInt(1, BACK_MAX + 1) : 0,
        resumed && random.nextDouble() < cut / 3);
  }
}
