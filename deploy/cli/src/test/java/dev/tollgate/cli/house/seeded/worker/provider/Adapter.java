package dev.tollgate.cli.house.seeded.worker.provider;

import dev.tollgate.cli.house.seeded.worker.intake.Taker;

/** Part of a circle. */
public final class Adapter {
  public void submit() {}

  void back(Taker taker) {
    taker.take();
  }
}
