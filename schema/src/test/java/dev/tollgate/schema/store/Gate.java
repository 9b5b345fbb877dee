package dev.tollgate.schema.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;

/**
 * Holds a statement of a test up in its middle: whatever calls the function {@code
 * wait_at_the_gate()} in the database waits there until the gate is opened. Where it is called, by
 * a trigger or by a policy, is the test's to say. One at a time in each database.
 */
final class Gate {
  private static final long LOCK = 4711;

  private final DSLContext sql;

  private Gate(DSLContext sql) {
    this.sql = sql;
  }

  /**
   * Creates the function.
   *
   * @param returns its type
   * @param value what it returns
   */
  static Gate create(DSLContext sql, String returns, String value) {
    sql.execute(
        """
        CREATE FUNCTION wait_at_the_gate() RETURNS %s LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_advisory_xact_lock(%d);
          RETURN %s;
        END $$
        """
            .formatted(returns, LOCK, value));
    return new Gate(sql);
  }

  /**
   * Runs a statement that comes to the gate, and something else while it waits there.
   *
   * @return what the statement returned
   */
  <T> T holdUp(Supplier<T> statement, Runnable meanwhile) {
    CompletableFuture<T> result =
        sql.transactionResult(
            gate -> {
              gate.dsl().execute("SELECT pg_advisory_xact_lock(?)", LOCK);
              CompletableFuture<T> running =
                  CompletableFuture.supplyAsync(statement, task -> Thread.ofVirtual().start(task));
              Awaitility.await().until(() -> running.isDone() || somebodyWaits(gate.dsl()));
              assertThat(running).isNotDone();
              meanwhile.run();
              return running;
            });
    return result.join();
  }

  private static boolean somebodyWaits(DSLContext sql) {
    return !sql.fetch(
            """
            SELECT FROM pg_locks
            WHERE locktype = 'advisory' AND NOT granted
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """)
        .isEmpty();
  }
}
