package dev.tollgate.cli.serve;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** What runs in the process: it starts, makes progress, and drains on close. */
public interface Service extends AutoCloseable {
  void start();

  /** How long ago it last made progress. */
  Duration sinceProgress();

  /** Why the process has to end and be started anew; nothing while it need not. */
  default Optional<String> broken() {
    return Optional.empty();
  }

  /** Drains; bounded. */
  @Override
  void close();

  /** The service that these four make up. */
  static Service of(
      Runnable start,
      Supplier<Duration> sinceProgress,
      Supplier<Optional<String>> broken,
      Runnable close) {
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
      public Optional<String> broken() {
        return broken.get();
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }
}
