package dev.tollgate.cli.serve;

import dev.tollgate.schema.health.Vitals;

/** What runs in the process: it starts, makes progress, and drains on close. */
public interface Service extends AutoCloseable {
  void start();

  /** Whether it lives and can work. */
  Vitals vitals();

  /** Drains; bounded. */
  @Override
  void close();

  /** The service that these three make up. */
  static Service of(Runnable start, Vitals vitals, Runnable close) {
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
      public void close() {
        close.run();
      }
    };
  }
}
