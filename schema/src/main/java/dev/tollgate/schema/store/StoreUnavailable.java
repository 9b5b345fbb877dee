package dev.tollgate.schema.store;

/**
 * The database did not take a statement, or its answer was lost: whether it committed is not known.
 * Every statement of the store may be repeated after this.
 */
public final class StoreUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String sqlState;

  StoreUnavailable(String what, String sqlState, Throwable cause) {
    super(what + " (SQLSTATE " + sqlState + "); it is repeated until the database answers", cause);
    this.sqlState = sqlState;
  }

  public String sqlState() {
    return sqlState;
  }
}
