package dev.tollgate.embedded;

import static dev.tollgate.embedded.ServicesContract.connect;
import static dev.tollgate.embedded.ServicesContract.query;
import static dev.tollgate.embedded.ServicesContract.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tollgate.embedded.ServicesException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What only servers as child processes can show: processes, folders, ports. */
@Timeout(120)
final class LocalServicesIT {
  @Test
  void close_leavesNeitherProcessNorTemporaryFolder() {
    LocalServices services = new LocalServices(ServicesOptions.temporary());
    List<ProcessHandle> processes = new ArrayList<>();
    processes.addAll(tree(services.postgres().pid().orElseThrow()));
    processes.addAll(tree(services.redis().pid().orElseThrow()));
    Path folder = folderOf(services.postgres());
    // one that the database had for a moment may be gone already
    assertThat(processes).filteredOn(ProcessHandle::isAlive).hasSizeGreaterThan(5);
    assertThat(folder).isDirectory();

    services.close();

    assertThat(processes).noneMatch(ProcessHandle::isAlive);
    assertThat(folder).doesNotExist();
    Processes.awaitNoneNaming(folder);
  }

  private static Path folderOf(PostgresServer postgres) {
    try (Connection connection = connect(postgres, PostgresServer.DEFAULT_DATABASE)) {
      return Path.of(query(connection, "SHOW data_directory")).resolve("..").normalize();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static List<ProcessHandle> tree(long pid) {
    ProcessHandle handle = ProcessHandle.of(pid).orElseThrow();
    return Stream.concat(Stream.of(handle), handle.descendants()).toList();
  }

  @Test
  void statedFolderAndPorts_reopened_keepsData(@TempDir Path data) throws SQLException {
    int base = freeBase();
    ServicesOptions options = ServicesOptions.at(data, base);
    try (Services services = Services.embedded(options)) {
      assertThat(services.kafka().bootstrapServers()).isEqualTo("127.0.0.1:" + base);
      assertThat(services.postgres().port()).isEqualTo(base + 2);
      assertThat(services.redis().uri()).isEqualTo("redis://127.0.0.1:" + (base + 3));
      services.kafka().createTopics(1, "kept");
      services.postgres().createDatabase("kept");
      try (Connection connection = connect(services.postgres(), "kept")) {
        update(connection, "CREATE TABLE t AS SELECT 7 AS n");
      }
      assertFolderIsRefusedToOthers(data);
    }
    Processes.awaitNoneNaming(data);
    assertThat(data).isDirectoryContaining(file -> file.endsWith("postgres"));
    assertThat(data.resolve("logs").resolve("postgres.log"))
        .content()
        .contains("database system is shut down");
    try (Services services = Services.embedded(options)) {
      services.kafka().createTopics(3, "kept"); // it is there, with its one partition
      try (Connection connection = connect(services.postgres(), "kept")) {
        assertThat(query(connection, "SELECT n FROM t")).isEqualTo("7");
      }
    }
  }

  private static void assertFolderIsRefusedToOthers(Path data) {
    try (Services second = Services.embedded(ServicesOptions.at(data, freeBase()))) {
      assertThatThrownBy(second::redis)
          .isInstanceOfSatisfying(
              ServicesException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.DATA_FOLDER_IN_USE))
          .hasMessageContaining(data.toString());
    }
  }

  /** Four ports in a row. */
  static int freeBase() {
    return Stream.generate(Ports::free)
        .filter(
            base -> Stream.of(base + 1, base + 2, base + 3).allMatch(port -> Ports.isFree(port)))
        .findFirst()
        .orElseThrow();
  }

  static Stream<Arguments> servers() {
    return Stream.of(
        Arguments.of("Kafka", 0, (Consumer<Services>) Services::kafka),
        Arguments.of("Kafka", 1, (Consumer<Services>) Services::kafka),
        Arguments.of("PostgreSQL", 2, (Consumer<Services>) Services::postgres),
        Arguments.of("Redis", 3, (Consumer<Services>) Services::redis));
  }

  @ParameterizedTest
  @MethodSource("servers")
  void portTaken_saysWhichServerAndPort(
      String name, int offset, Consumer<Services> use, @TempDir Path data) throws IOException {
    int base = freeBase();
    InetSocketAddress taken =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), base + offset);
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(taken);
      try (Services services = Services.embedded(ServicesOptions.at(data, base))) {
        assertThatThrownBy(() -> use.accept(services))
            .isInstanceOfSatisfying(
                ServicesException.class, e -> assertThat(e.reason()).isEqualTo(Reason.PORT_TAKEN))
            .hasMessageContaining(name)
            .hasMessageContaining("127.0.0.1:" + (base + offset));
      }
    }
  }

  @Test
  void serverRefusesToStart_saysWhyFromItsLog() {
    ServicesOptions options =
        ServicesOptions.temporary().withPostgresSettings(Map.of("no_such_setting", "1"));
    try (Services services = Services.embedded(options)) {
      assertThatThrownBy(services::postgres)
          .isInstanceOfSatisfying(
              ServicesException.class, e -> assertThat(e.reason()).isEqualTo(Reason.START_FAILED))
          .hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
    }
  }

  @Test
  void postgresAsAnotherUser_whereNamespacesAreForbidden_startsToo() throws Exception {
    Optional<NotRoot> other = NotRoot.root() ? NotRoot.otherUser() : Optional.empty();
    assumeTrue(other.isPresent(), "needs root and setpriv");
    ServicesOptions options = ServicesOptions.temporary();
    try (DataFolder folder = DataFolder.open(options.data())) {
      LocalPostgres postgres = LocalPostgres.start(folder, options, other.orElseThrow());
      try (Connection connection = connect(postgres, PostgresServer.DEFAULT_DATABASE)) {
        assertThat(query(connection, "SHOW fsync")).isEqualTo("on");
        assertThat(Files.getOwner(folder.of("postgres")).getName())
            .isEqualTo(other.orElseThrow().owner().orElseThrow());
      } finally {
        postgres.close();
      }
    }
  }

  @Test
  void brokenOptions_areRefused(@TempDir Path data) {
    assertThatThrownBy(() -> ServicesOptions.at(data, 65_533))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ServicesOptions.temporary().withStartTimeout(Duration.ofSeconds(1)).startTimeout())
        .hasSeconds(1);
  }
}
