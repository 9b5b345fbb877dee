package dev.tollgate.schema.store;

import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jooq.exception.DataAccessException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * The one place that reads what a failed statement means, by SQLSTATE and constraint name, never by
 * message text.
 */
final class SqlErrors {
  private static final String REMOTE_ID_CONSTRAINT = "remote_task_belongs_to_one_operation";

  private static final String UNIQUE_VIOLATION = "23505";

  private SqlErrors() {}

  /** Whether a statement failed because a row that it brings is there already. */
  static boolean violates(String uniqueConstraint, DataAccessException e) {
    SQLException sql = e.getCause(SQLException.class);
    return sql != null
        && UNIQUE_VIOLATION.equals(sql.getSQLState())
        && uniqueConstraint.equals(constraint(sql));
  }

  /**
   * Runs a statement of a store.
   *
   * @param what it does, for people
   * @throws RuntimeException what its failure means
   */
  static <T> T run(String what, Supplier<T> statement) {
    try {
      return Objects.requireNonNull(statement.get());
    } catch (DataAccessException e) {
      throw translate(what, e);
    }
  }

  static RuntimeException translate(String what, DataAccessException e) {
    SQLException sql = e.getCause(SQLException.class);
    if (sql == null) {
      return e;
    }
    String state = sql.getSQLState() == null ? "none" : sql.getSQLState();
    if (violates(REMOTE_ID_CONSTRAINT, e)) {
      return new RemoteIdTaken(e);
    }
    return mayBeRepeated(state) ? new StoreUnavailable(what, state, e) : e;
  }

  /**
   * Connection lost or refused (08), server shutting down or starting (57P), out of resources or
   * disk (53), serialization failure and deadlock (40), lock not available (55P03), cancelled by a
   * timeout (57014), I/O error (58), read-only after a failover (25006), no state at all (pool
   * timeout).
   */
  private static boolean mayBeRepeated(String state) {
    return state.startsWith("08")
        || state.startsWith("53")
        || state.startsWith("57")
        || state.startsWith("40")
        || state.startsWith("58")
        || state.equals("55P03")
        || state.equals("25006")
        || state.equals("none");
  }

  private static String constraint(SQLException e) {
    ServerErrorMessage message =
        e instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    String name = message == null ? null : message.getConstraint();
    return name == null ? "" : name;
  }
}
