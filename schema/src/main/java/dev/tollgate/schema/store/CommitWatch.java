package dev.tollgate.schema.store;

import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.exception.DataAccessException;

/**
 * Turns the warning of a commit whose wait for the synchronous standby was cancelled into a refusal
 * (rule 14). PostgreSQL reports such a commit as a success with a warning; statements of the store
 * raise no warnings of their own.
 *
 * <p>The warning is read from the statement as soon as it has been executed: by then the driver has
 * heard of the commit too. The listener's own {@code warning} event does not come for every way of
 * fetching.
 */
final class CommitWatch implements ExecuteListener {
  private static final long serialVersionUID = 1L;
  private static final String WARNING = "01000";

  @Override
  public void executeEnd(ExecuteContext ctx) {
    Statement statement = ctx.statement();
    if (statement == null) {
      return;
    }
    try {
      for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
        if (WARNING.equals(w.getSQLState())) {
          throw new CommitNotReplicated(String.valueOf(w.getMessage()));
        }
      }
    } catch (SQLException e) {
      throw new DataAccessException("reading the warnings of a statement", e);
    }
  }
}
