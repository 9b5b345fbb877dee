package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** Where streamed text is read while it comes. TLS ends in front of it. */
public interface StreamsConfig {
  /** The port at which this worker serves streams; without one it does not. */
  OptionalInt port();

  @WithDefault("127.0.0.1")
  String host();

  /**
   * The public address below which readers reach such a port: what is shown begins with it, and
   * what a reconciler tells in events. Without it, neither names a stream's address.
   */
  Optional<URI> url();

  /** Most connections at once, each of them one reader. */
  @WithDefault("10000")
  int connections();

  /** How long a request's head may take to arrive, its first line and its headers. */
  @WithDefault("10s")
  Duration headWithin();

  /** How long one connection may last; its reader comes again and goes on where it was. */
  @WithDefault("15m")
  Duration connectionFor();

  /** How often a reader for whom there is nothing hears that the connection lives. */
  @WithDefault("15s")
  Duration heartbeat();

  /** How long a reader may take to take what was written to it. */
  @WithDefault("30s")
  Duration writeWithin();

  /** How often streams are looked at for readers who wait: about what a chunk is late by. */
  @WithDefault("50ms")
  Duration lookEvery();
}
