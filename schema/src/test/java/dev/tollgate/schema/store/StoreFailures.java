package dev.tollgate.schema.store;

/** The ways in which a store fails, for fakes of it. */
public final class StoreFailures {
  private StoreFailures() {}

  /** The statement happened or not, and may be repeated. */
  public static StoreUnavailable unavailable() {
    return new StoreUnavailable("a scripted statement", "08006", new IllegalStateException("gone"));
  }

  /** Committed here, but no standby confirmed it. */
  public static CommitNotReplicated notReplicated() {
    return new CommitNotReplicated("scripted");
  }

  /** A remote id of the batch is another operation's. */
  public static RemoteIdTaken remoteIdTaken() {
    return new RemoteIdTaken(new IllegalStateException("scripted"));
  }
}
