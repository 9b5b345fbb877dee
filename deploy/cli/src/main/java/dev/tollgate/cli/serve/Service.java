package dev.tollgate.cli.serve;

import java.time.Duration;
import java.util.function.Supplier;

/** What runs in the process: it starts, makes progress, and drains on close. */
public interface Service extends AutoCloseable {
  void start();

  /** How long ago it last made progress. */
  Duration sinceProgress();

  /** Drains; bounded. */
  @Override
  void close();

  /** The service that these three make up. */
  static Service of(Runnable start, Supplier<Duration> sinceProgress, Runnable close) {
    return new Service() {
      @Override
      public void start() {
        start.run();
      }

      @Override
      public Duration sinceProgress() {
        return sinceProgress.get();
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }
}
