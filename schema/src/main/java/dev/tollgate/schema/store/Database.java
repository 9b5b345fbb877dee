package dev.tollgate.schema.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tollgate.schema.health.Vitals.Dependency;
import dev.tollgate.schema.health.Vitals.Standing;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jspecify.annotations.Nullable;

/** Connections to PostgreSQL as Tollgate needs them, checked before first use. Thread-safe. */
public final class Database implements AutoCloseable {
  /**
   * Plans: see the package. A statement or lock that waits longer is given up and repeated, and a
   * session that a dead process left in a transaction lets go of its locks.
   */
  private static final String LIMITS =
      "-c jit=off -c statement_timeout=20s -c lock_timeout=10s"
          + " -c idle_in_transaction_session_timeout=30s -c client_min_messages=warning";

  private static final String FIXED_PLANS =
      " -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off";

  /**
   * A session may begin long after the check at the start: what a role or the database was told
   * meanwhile must not lose its commits.
   */
  private static final String KEEP_COMMITS =
      """
      SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') IN ('off', 'local')
      """;

  /** Longer than a failover that was made on purpose. */
  private static final Duration AWAY_AFTER = Duration.ofSeconds(15);

  private static final Duration POOL_TIMEOUT = Duration.ofSeconds(5);
  private static final int SOCKET_TIMEOUT_SECONDS = 30;

  private final HikariDataSource pool;
  private final DSLContext dsl;
  private final HistoryWatch watch = new HistoryWatch();
  private final DSLContext bound;

  /**
   * @param settings where the database is
   * @param application name shown in pg_stat_activity
   * @param connections size of the pool: few, since hot statements carry batches
   */
  public Database(
      DatabaseSettings settings,
      String application,
      int connections,
      @Nullable MeterRegistry meters) {
    this(settings, application, connections, meters, LIMITS + FIXED_PLANS);
  }

  /** Connections for {@link OperationReader}: read-only, and the server chooses the plans. */
  public static Database forReading(DatabaseSettings settings, String application) {
    return new Database(
        settings, application, 1, null, LIMITS + " -c default_transaction_read_only=on");
  }

  private Database(
      DatabaseSettings settings,
      String application,
      int connections,
      @Nullable MeterRegistry meters,
      String session) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(application);
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(POOL_TIMEOUT.toMillis());
    config.setInitializationFailTimeout(-1);
    config.setConnectionInitSql(KEEP_COMMITS);
    config.addDataSourceProperty("ApplicationName", application);
    config.addDataSourceProperty("options", session);
    config.addDataSourceProperty("socketTimeout", String.valueOf(SOCKET_TIMEOUT_SECONDS));
    config.addDataSourceProperty("connectTimeout", "5");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    if (meters != null) {
      config.setMetricRegistry(meters);
    }
    this.pool = new HikariDataSource(config);
    this.dsl = dsl(pool);
    this.bound = dsl(watch.strict(pool));
  }

  /**
   * A context whose statements are transactions of their own and are refused where a commit was not
   * replicated.
   */
  static DSLContext dsl(DataSource source) {
    return dsl(new DataSourceConnectionProvider(source));
  }

  private static DSLContext dsl(ConnectionProvider connections) {
    var configuration =
        DSL.using(connections, SQLDialect.POSTGRES, new Settings().withExecuteLogging(false))
            .configuration()
            .derive(new CommitWatch());
    return DSL.using(configuration);
  }

  /**
   * The database as something that a process depends on, judged by how long ago a statement that is
   * repeated all the time last succeeded.
   */
  public static Dependency standing(Duration sinceSuccess) {
    return new Dependency(
        "postgresql",
        sinceSuccess.compareTo(AWAY_AFTER) < 0 ? Standing.UP : Standing.DOWN,
        String.format(Locale.ROOT, "last answered %.1f s ago", sinceSuccess.toMillis() / 1000.0));
  }

  public DSLContext dsl() {
    return dsl;
  }

  /**
   * Holds this process to a history: {@link #bound} refuses another one from now on.
   *
   * @see Histories
   */
  public void bind(History history) {
    watch.bind(history.place());
  }

  /**
   * Connections to the history that the process is bound to and to no other: for whatever acts on
   * what the process knows. What only records, under a claim, is right in any history.
   */
  public DSLContext bound() {
    return bound;
  }

  /** Where the data is now, once that is not where this process was bound to it. */
  public Optional<String> moved() {
    return watch.met();
  }

  /** Names what the gate's marks stand for: a history, and the file in which its intents lie. */
  public String incarnation(History history) {
    // a table that was emptied has another file
    return history.id()
        + "-"
        + dsl.fetchSingle("SELECT pg_relation_filenode('intent'::regclass)").get(0, Long.class);
  }

  /** The database's clock: the only one that decides leases. Notes where the data is, too. */
  public Instant now() {
    var row = dsl.fetchSingle("SELECT clock_timestamp(), " + Histories.PLACE);
    watch.found(Rows.text(row, 1));
    return Rows.instant(row, 0);
  }

  /**
   * The installation's secret: what it gives are keys for providers, and addresses of callbacks and
   * streams. It is made with the database and never changed, or the same operation would get
   * another key.
   */
  public byte[] submissionSecret() {
    return dsl.fetchSingle("SELECT submission_secret FROM installation").get(0, byte[].class);
  }

  /**
   * Refuses a server on which "committed" does not mean durable (rule 14), and sessions that are
   * not what was asked for: a pooler that hands out another session for each transaction drops
   * their options.
   *
   * @throws UnsafeDatabase naming each setting that is wrong
   */
  public void requireDurable() {
    String fsync = configured("fsync");
    String commit = configured("synchronous_commit");
    String standbys = configured("synchronous_standby_names");
    StringBuilder wrong = new StringBuilder();
    if (!fsync.equals("on")) {
      wrong.append("fsync is ").append(fsync).append("; ");
    }
    if (commit.equals("off") || (commit.equals("local") && !standbys.isEmpty())) {
      wrong.append("synchronous_commit is ").append(commit).append("; ");
    }
    if (!wrong.isEmpty()) {
      throw UnsafeDatabase.losesCommits(wrong.toString());
    }
    if (!"20s".equals(dsl.fetchValue("SELECT current_setting('statement_timeout')"))) {
      throw UnsafeDatabase.dropsOptions();
    }
  }

  /** What a session begins with, whatever this one has set since. */
  private String configured(String setting) {
    return dsl.fetchSingle("SELECT reset_val FROM pg_settings WHERE name = ?", setting)
        .get(0, String.class);
  }

  /** Brings the schema to this build's version; safe to call from several processes at once. */
  public static void migrate(DatabaseSettings settings) {
    Flyway.configure()
        .dataSource(settings.url(), settings.user(), settings.password())
        .locations("classpath:dev/tollgate/schema/db")
        .connectRetries(10)
        .load()
        .migrate();
  }

  @Override
  public void close() {
    pool.close();
  }
}
