package dev.tollgate.cli.serve;

import java.time.Duration;

/** What runs in the process: it starts, makes progress, and drains on close. */
public interface Service extends AutoCloseable {
  void start();

  /** How long ago it last made progress. */
  Duration sinceProgress();

  /** Drains; bounded. */
  @Override
  void close();
}
