package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When a worker leaves a provider alone, and how it comes back to it. */
public interface BreakerConfig {
  /** How many of the latest outcomes at a provider are looked at. */
  @WithDefault("50")
  int window();

  /** How old the oldest of them may be. */
  @WithDefault("60s")
  Duration within();

  /** Fewer outcomes than this decide nothing. */
  @WithDefault("10")
  int outcomesMin();

  /** Share of unknowns at which nothing more is claimed for a provider. */
  @WithDefault("50")
  int unknownPercent();

  /** Share of throttled sends at which nothing more is claimed for a provider. */
  @WithDefault("50")
  int throttledPercent();

  /** How long a provider is first left alone; doubled each time the next try fails. */
  @WithDefault("1s")
  Duration pause();

  @WithDefault("60s")
  Duration pauseMax();

  /** Share of a provider's slots that a worker begins with; doubled by as many good answers. */
  @WithDefault("25")
  int startPercent();
}
