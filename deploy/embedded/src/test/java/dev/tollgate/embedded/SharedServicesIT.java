package dev.tollgate.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class SharedServicesIT {
  @Test
  void freshDatabases_areApart() throws SQLException {
    SharedServices.Database mould = SharedServices.freshDatabase(SharedServicesIT.class);
    try (Connection connection = connect(mould)) {
      ServicesContract.update(connection, "CREATE TABLE t (id int)");
    }
    SharedServices.Database other = SharedServices.freshDatabase(SharedServicesIT.class);
    SharedServices.Database copy =
        SharedServices.freshDatabase(SharedServicesIT.class, mould.name());
    assertThat(other.name()).startsWith("tsharedservicesit_").isNotEqualTo(mould.name());
    assertThat(tables(other)).isZero();
    assertThat(tables(copy)).isEqualTo(1);
  }

  @Test
  void topicPrefixes_differ() {
    assertThat(SharedServices.topicPrefix(SharedServicesIT.class))
        .matches("tsharedservicesit-[0-9a-f]{12}")
        .isNotEqualTo(SharedServices.topicPrefix(SharedServicesIT.class));
  }

  @Test
  void unknownChoice_isRefused() {
    assertThatThrownBy(() -> Services.of("dokcer", ServicesOptions.temporary()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dokcer");
  }

  private static Connection connect(SharedServices.Database database) throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  private static int tables(SharedServices.Database database) throws SQLException {
    try (Connection connection = connect(database)) {
      String count = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
      return Integer.parseInt(ServicesContract.query(connection, count));
    }
  }
}
