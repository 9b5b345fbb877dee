package dev.tollgate.cli.serve;

import dev.tollgate.schema.health.Vitals;
import java.util.Optional;
import java.util.function.Supplier;

/** What runs in the process: it starts, makes progress, and drains on close. */
public interface Service extends AutoCloseable {
  void start();

  /** Whether it lives and can work. */
  Vitals vitals();

  /** Why the process has to end and be started anew; nothing while it need not. */
  default Optional<String> broken() {
    return Optional.empty();
  }

  /** Drains; bounded. */
  @Override
  void close();

  /** The service that these four make up. */
  static Service of(
      Runnable start, Vitals vitals, Supplier<Optional<String>> broken, Runnable close) {
    return new Service() {
      @Override
      public void start() {
        start.run();
      }

      @Override
      public Vitals vitals() {
        return vitals;
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
