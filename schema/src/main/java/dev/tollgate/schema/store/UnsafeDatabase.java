package dev.tollgate.schema.store;

/**
 * The database does not keep what it acknowledges, or a session of it is not what Tollgate asked
 * for. It does not start on such a one.
 */
public final class UnsafeDatabase extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private UnsafeDatabase(String why) {
    super("refusing to start: " + why);
  }

  /**
   * @param wrong each setting that loses commits, with a semicolon and a space behind it
   */
  static UnsafeDatabase losesCommits(String wrong) {
    return new UnsafeDatabase(
        wrong
            + "a commit that can be lost means a payment that can be made twice. Set fsync = on and synchronous_commit = on.");
  }

  /** Something between, or the address itself, took the session's options away. */
  static UnsafeDatabase dropsOptions() {
    return new UnsafeDatabase(
        "the options of a session do not arrive (its statements have no timeout and other plans). A"
            + " pooler between drops them, or the database's URL has options of its own. Connect to the"
            + " server itself: each process keeps a small pool, and a session has to stay on one server.");
  }
}
