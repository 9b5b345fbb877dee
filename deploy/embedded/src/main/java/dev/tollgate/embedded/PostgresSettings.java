package dev.tollgate.embedded;

import java.util.Map;

/** Settings that both ways of running PostgreSQL share. */
final class PostgresSettings {
  /** What is committed survives a crash; room for many tests and workers at once. */
  static final Map<String, String> DEFAULTS =
      Map.of(
          "fsync", "on",
          "synchronous_commit", "on",
          "full_page_writes", "on",
          "max_connections", "200",
          "shared_buffers", "256MB",
          "timezone", "UTC",
          "log_timezone", "UTC");

  private PostgresSettings() {}
}
