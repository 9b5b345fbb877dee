package dev.tollgate.schema.store;

import java.sql.SQLWarning;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;

/**
 * Turns the warning of a commit whose wait for the synchronous standby was cancelled into a refusal
 * (rule 14). PostgreSQL reports such a commit as a success with a warning; statements of the store
 * raise no warnings of their own.
 */
final class CommitWatch implements ExecuteListener {
  private static final long serialVersionUID = 1L;
  private static final String WARNING = "01000";

  @Override
  public void warning(ExecuteContext ctx) {
    for (SQLWarning w = ctx.sqlWarning(); w != null; w = w.getNextWarning()) {
      if (WARNING.equals(w.getSQLState())) {
        throw new CommitNotReplicated(String.valueOf(w.getMessage()));
      }
    }
  }
}
