package dev.tollgate.cli.house.seeded.cli;

/** Something of the top layer. */
public final class Command {
  public void run() {}
}
