package dev.tollgate.loadtest.sandbox;

import dev.tollgate.loadtest.sandbox.Fault.Family;
import java.util.SplittableRandom;

/**
 * The seeded plan: the same seed, kind, body and count of sightings give the same fault, whatever
 * order requests come in. Immutable.
 */
final class FaultPlan {
  /** Every fault, each with the same share of the first requests. */
  private static final Family[] FIRST = {
    Family.ACCEPT_DROP,
    Family.ACCEPT_RST,
    Family.ACCEPT_500,
    Family.ACCEPT_503,
    Family.ACCEPT_504,
    Family.ACCEPT_CUT,
    Family.LATE,
    Family.HANG,
    Family.THROTTLED,
    Family.REFUSED,
    Family.STATUS_404,
    Family.SLOW,
    Family.FAIL,
    Family.UNAVAILABLE,
    Family.BROKEN
  };

  /** A re-send meets the passing faults only: a refusal of what was taken before makes no sense. */
  private static final Family[] RESENT = {
    Family.ACCEPT_DROP,
    Family.ACCEPT_RST,
    Family.ACCEPT_503,
    Family.ACCEPT_CUT,
    Family.HANG,
    Family.THROTTLED,
    Family.SLOW,
    Family.UNAVAILABLE
  };

  /** From this sighting on a body is left in peace, so that every operation can come to an end. */
  private static final int SIGHTINGS_WITH_FAULTS = 4;

  private static final int LATE_MS_MAX = 1500;
  private static final int STATUS_404_MS_MAX = 1000;
  private static final int SLOW_MS_MAX = 700;

  /** A whole accepting answer is a little over 170 bytes, so some cuts fall in every part of it. */
  private static final int CUT_BYTES_MAX = 170;

  private final long seed;
  private final FaultPreset preset;

  FaultPlan(long seed, FaultPreset preset) {
    this.seed = seed;
    this.preset = preset;
  }

  boolean active() {
    return preset != FaultPreset.NONE;
  }

  /**
   * Chooses for one request.
   *
   * @param bodySha256 hex digest of the request body
   * @param seenBefore how many requests of this kind had this body before
   */
  Fault choose(Kind kind, String bodySha256, int seenBefore) {
    if (!active() || seenBefore >= SIGHTINGS_WITH_FAULTS) {
      return Fault.ACCEPT;
    }
    long body = Long.parseUnsignedLong(bodySha256, 0, 16, 16);
    SplittableRandom random =
        new SplittableRandom(mix(mix(mix(seed) ^ body) ^ hash(kind.path())) + seenBefore);
    Family[] families = seenBefore == 0 ? FIRST : RESENT;
    double share =
        seenBefore == 0 ? preset.shareOfEachFault : preset.shareOfResends / RESENT.length;
    int index = (int) (random.nextDouble() / share);
    return index < families.length ? drawn(families[index], random) : Fault.ACCEPT;
  }

  private static Fault drawn(Family family, SplittableRandom random) {
    int amount =
        switch (family) {
          case LATE -> random.nextInt(100, LATE_MS_MAX + 1);
          case STATUS_404 -> random.nextInt(100, STATUS_404_MS_MAX + 1);
          case SLOW -> random.nextInt(50, SLOW_MS_MAX + 1);
          case ACCEPT_CUT -> random.nextInt(0, CUT_BYTES_MAX);
          case ACCEPT,
              ACCEPT_DROP,
              ACCEPT_RST,
              ACCEPT_500,
              ACCEPT_503,
              ACCEPT_504,
              HANG,
              THROTTLED,
              REFUSED,
              FAIL,
              UNAVAILABLE,
              BROKEN ->
              0;
        };
    return new Fault(family, amount);
  }

  /** A stable hash of a text, spread over 64 bits. */
  static long hash(String text) {
    long hash = 0;
    for (int i = 0; i < text.length(); i++) {
      hash = mix(hash ^ text.charAt(i));
    }
    return hash;
  }

  /** The finaliser of SplitMix64: neighbouring inputs give unrelated outputs. */
  static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
