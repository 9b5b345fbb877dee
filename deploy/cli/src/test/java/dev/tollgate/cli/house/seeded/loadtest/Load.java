package dev.tollgate.cli.house.seeded.loadtest;

import dev.tollgate.cli.house.seeded.cli.Command;

/** Depends upwards. */
final class Load {
  void run(Command command) {
    command.run();
  }
}
