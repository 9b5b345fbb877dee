package dev.tollgate.schema.store;

/** The database does not keep what it acknowledges. Tollgate does not start on it. */
public final class UnsafeDatabase extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnsafeDatabase(String wrong) {
    super(
        "refusing to start: "
            + wrong
            + "a commit that can be lost means a payment that can be made twice. Set fsync = on and synchronous_commit = on.");
  }
}
