package dev.tollgate.cli.house.seeded.reconciler.ladder;

import dev.tollgate.cli.house.seeded.cli.Command;

/** Depends upwards. */
final class Step {
  void climb(Command command) {
    command.run();
  }
}
