package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Where providers report by themselves. The public address that leads here is {@code
 * tollgate.callbacks}; TLS ends in front of it.
 */
public interface WebhooksConfig {
  /** The port at which this worker listens; without one it does not. */
  OptionalInt port();

  @WithDefault("127.0.0.1")
  String host();

  /** Most bytes of a body. */
  @WithDefault("1048576")
  long bodyMax();

  /**
   * How long a request's head may take to arrive, its first line and its headers: from when its
   * connection is opened, or the answer before it ended.
   */
  @WithDefault("10s")
  Duration headWithin();

  /** How long a request's body may take to arrive after that. */
  @WithDefault("10s")
  Duration bodyWithin();

  /** Most connections at once. */
  @WithDefault("1000")
  int connections();

  /** How old an event may get whose task nobody knows. */
  @WithDefault("72h")
  Duration unmatchedFor();

  /**
   * How long an event is kept that everybody concerned knows of. Until then a repeat of it is one:
   * longer than any provider is known to repeat. Its evidence stays with its operation.
   */
  @WithDefault("35d")
  Duration keptFor();
}
