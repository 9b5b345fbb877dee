package dev.tollgate.schema.store;

import dev.tollgate.embedded.SharedServices;

/**
 * Migrated databases for tests. The migration runs once in a JVM; each database is a copy.
 * Thread-safe.
 */
public final class TestDatabase {
  private static final String TEMPLATE = migrateTemplate();

  private TestDatabase() {}

  /** A migrated database that no other test knows. */
  public static DatabaseSettings migrated(Class<?> owner) {
    return settings(SharedServices.freshDatabase(owner, TEMPLATE));
  }

  static DatabaseSettings settings(SharedServices.Database database) {
    return new DatabaseSettings(database.jdbcUrl(), database.user(), database.password());
  }

  private static String migrateTemplate() {
    SharedServices.Database template = SharedServices.freshDatabase(TestDatabase.class);
    Database.migrate(settings(template));
    return template.name();
  }
}
