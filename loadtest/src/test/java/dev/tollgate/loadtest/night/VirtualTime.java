package dev.tollgate.loadtest.night;

import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jooq.DSLContext;

/**
 * A database whose clock stands still until it is moved: what its sessions call {@code now()} is
 * this test's. Confined to the test's thread, but for {@link #nanos}.
 */
final class VirtualTime implements AutoCloseable {
  private final Database control;
  private final Instant began;
  private volatile Instant now;

  /** Takes hold of a database that nobody is connected to yet. */
  VirtualTime(DatabaseSettings settings) {
    control = new Database(settings, "clock", 1, null);
    DSLContext sql = control.dsl();
    sql.execute("CREATE SCHEMA clock");
    sql.execute(
        "CREATE TABLE clock.hand AS SELECT pg_catalog.date_trunc('second', pg_catalog.now()) AS at");
    sql.execute(
        "CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM clock.hand'");
    Object name = sql.fetchValue("SELECT current_database()");
    sql.execute(
        "ALTER DATABASE \"%s\" SET search_path = clock, public, pg_catalog".formatted(name));
    began =
        Objects.requireNonNull((OffsetDateTime) sql.fetchValue("SELECT at FROM clock.hand"))
            .toInstant();
    now = began;
  }

  Instant now() {
    return now;
  }

  /** The same clock as a monotonic one. */
  long nanos() {
    return Duration.between(began, now).toNanos();
  }

  void moveTo(Instant then) {
    if (then.isBefore(now)) {
      throw new IllegalArgumentException("a clock that goes back is another test's");
    }
    control.dsl().execute("UPDATE clock.hand SET at = ?::timestamptz", then.toString());
    now = then;
  }

  void pass(Duration time) {
    moveTo(now.plus(time));
  }

  @Override
  public void close() {
    control.close();
  }
}
