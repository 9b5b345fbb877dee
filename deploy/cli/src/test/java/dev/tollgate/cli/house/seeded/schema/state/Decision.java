package dev.tollgate.cli.house.seeded.schema.state;

import dev.tollgate.cli.house.seeded.cli.Command;
import java.sql.Connection;
import java.time.Instant;

/** Depends upwards, speaks SQL, reads a clock. */
final class Decision {
  Instant decide(Command command, Connection connection) {
    command.run();
    return connection == null ? Instant.EPOCH : Instant.now();
  }
}
