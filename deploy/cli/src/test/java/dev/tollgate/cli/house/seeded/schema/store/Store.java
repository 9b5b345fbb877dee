package dev.tollgate.cli.house.seeded.schema.store;

/** Stands for the operation store. */
public final class Store {
  public void apply() {}
}
