package dev.tollgate.loadtest.sandbox;

/** How much the seeded plan misbehaves. */
public enum FaultPreset {
  /** Never, unless a script says so. */
  NONE(0, 0),
  /** About one first request in four, so that 500 requests of a kind meet every fault. */
  DEFAULT(0.0175, 0.08),
  /** Nearly every second first request. */
  HARSH(0.03, 0.15);

  /** The share of each single fault among first requests of a body. */
  final double shareOfEachFault;

  /** The share of all faults together among later requests of the same body. */
  final double shareOfResends;

  FaultPreset(double shareOfEachFault, double shareOfResends) {
    this.shareOfEachFault = shareOfEachFault;
    this.shareOfResends = shareOfResends;
  }
}
