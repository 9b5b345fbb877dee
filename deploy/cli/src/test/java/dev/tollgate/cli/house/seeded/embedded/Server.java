package dev.tollgate.cli.house.seeded.embedded;

import dev.tollgate.cli.house.seeded.cli.Command;

/** Knows Tollgate. */
final class Server {
  void start(Command command) {
    command.run();
  }
}
