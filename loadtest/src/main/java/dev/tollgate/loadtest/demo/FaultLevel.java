package dev.tollgate.loadtest.demo;

import java.util.Locale;

/** How hard a run is. */
public enum FaultLevel {
  /** The provider behaves. */
  NONE(false),
  /** The provider misbehaves about every fourth time. */
  DEFAULT(false),
  /** Nearly every second time, and workers are killed and frozen. */
  HARSH(true);

  private final boolean strikes;

  FaultLevel(boolean strikes) {
    this.strikes = strikes;
  }

  /** Whether workers are killed and frozen. */
  public boolean strikes() {
    return strikes;
  }

  /** The word for people, and the name of the sandbox's preset. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
