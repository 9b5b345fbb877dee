package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.regex.Pattern;

/** The few statements that are ours to send. */
final class PostgresAdmin {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

  private static final int TIMEOUT_SECONDS = 10;

  private PostgresAdmin() {}

  static boolean answers(String url, String user, String password) {
    try (Connection connection = connect(url, user, password)) {
      return connection.isValid(TIMEOUT_SECONDS);
    } catch (SQLException _) {
      return false; // still starting or recovering
    }
  }

  static void createDatabase(PostgresServer server, String name, String template) {
    if (!NAME.matcher(name).matches() || !NAME.matcher(template).matches()) {
      throw new IllegalArgumentException(
          "a database name is %s: %s, %s".formatted(NAME, name, template));
    }
    try (Connection connection = connect(server.jdbcUrl(), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE %s TEMPLATE %s".formatted(name, template));
    } catch (SQLException e) {
      throw new ServicesException(
          Reason.REQUEST_FAILED,
          "PostgreSQL on port %s did not create database %s from %s"
              .formatted(Integer.toString(server.port()), name, template),
          e);
    }
  }

  private static Connection connect(String url, String user, String password) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("connectTimeout", Integer.toString(TIMEOUT_SECONDS));
    properties.setProperty("socketTimeout", Integer.toString(6 * TIMEOUT_SECONDS));
    return DriverManager.getConnection(url, properties);
  }
}
