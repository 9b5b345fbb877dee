package dev.tollgate.schema.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Holds a process to the history that it began with. What it knows (claims that it is about to
 * send, marks in the gate, positions in the log) is of that history, and must not be acted on in
 * another one. A connection stays with one server for its life, so it is asked where it leads to
 * once. Thread-safe.
 */
final class HistoryWatch {
  /** Of an SQLSTATE class that means "try again": the process ends, and its successor does. */
  private static final String CONNECTION_REJECTED = "08004";

  private final Map<Connection, String> places = Collections.synchronizedMap(new WeakHashMap<>());

  /** Null until the process knows its history. */
  private volatile @Nullable String bound;

  /** The first other place that a connection led to. */
  private volatile @Nullable String met;

  void bind(String place) {
    bound = place;
  }

  /** Where the data was found, if that is not where this process began. */
  Optional<String> met() {
    return Optional.ofNullable(met);
  }

  /** Takes note of where the data is; a standby that is not promoted yet says nothing. */
  void found(String place) {
    if (!right(place) && !Histories.onStandby(place)) {
      met = place;
    }
  }

  private boolean right(String place) {
    String expected = bound;
    return expected == null || place.equals(expected);
  }

  /** Connections of the bound history alone; of any while none is bound. */
  ConnectionProvider strict(DataSource pool) {
    return new ConnectionProvider() {
      @Override
      public Connection acquire() {
        try {
          return checked(pool.getConnection());
        } catch (SQLException e) {
          throw new DataAccessException(
              "no connection to the history that this process began with", e);
        }
      }

      @Override
      public void release(Connection connection) {
        try {
          connection.close();
        } catch (SQLException e) {
          throw new DataAccessException("connection not given back", e);
        }
      }
    };
  }

  private Connection checked(Connection connection) throws SQLException {
    boolean right = false;
    try {
      String place = placeOf(connection);
      found(place);
      right = right(place);
      if (!right) {
        // the pool keeps it: outcomes of what was sent are still recorded wherever the data is
        throw new SQLTransientConnectionException(
            "the database is at %s, this process began at %s".formatted(place, bound),
            CONNECTION_REJECTED);
      }
      return connection;
    } finally {
      if (!right) {
        connection.close();
      }
    }
  }

  private String placeOf(Connection connection) throws SQLException {
    if (bound == null) {
      return "";
    }
    Connection raw = connection.unwrap(Connection.class);
    String known = places.get(raw);
    if (known != null) {
      return known;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + Histories.PLACE)) {
      row.next();
      String place = row.getString(1);
      places.put(raw, place);
      return place;
    }
  }
}
