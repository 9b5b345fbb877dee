package dev.tollgate.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Children are real processes; the sandbox is the quickest of them. */
final class ProcessesIT {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;
  private final Readiness readiness = new Readiness(LONG, System::nanoTime);
  private Processes processes = new Processes(Path.of("unset"));

  @AfterEach
  void stopAll() {
    processes.close();
  }

  @Test
  void stop_letsTheChildEndByItself() throws IOException {
    int port = freePort();
    ChildProcess child = sandbox(port);
    readiness.ofPort(child, port);
    await()
        .atMost(LONG)
        .until(() -> child.logTail(5).stream().anyMatch(line -> line.startsWith("sandbox ready")));

    assertThat(child.stop(LONG)).isTrue();
    assertThat(child.exitStatus()).hasValue(143); // TERM, not the leash's KILL
    assertThat(child.stop(LONG)).isTrue();
  }

  @Test
  void kill_andStartAgainUnderTheSameName() throws IOException {
    int port = freePort();
    ChildProcess first = sandbox(port);
    readiness.ofPort(first, port);
    first.kill();
    assertThat(first.exitStatus()).hasValue(137);
    assertThat(processes.running()).isEmpty();

    ChildProcess second = sandbox(port);
    readiness.ofPort(second, port);
    assertThat(second.pid()).isNotEqualTo(first.pid());
    assertThat(processes.running()).containsExactly(second);
  }

  @Test
  void pause_freezes_resumeGoesOn_andAFrozenChildCanBeStopped() throws IOException {
    int port = freePort();
    ChildProcess child = sandbox(port);
    readiness.ofPort(child, port);
    child.pause();
    await().atMost(LONG).until(() -> state(child), "T"::equals);
    child.resume();
    await().atMost(LONG).until(() -> state(child), state -> !state.equals("T"));

    child.pause();
    processes.close();
    assertThat(child.isAlive()).isFalse();
    assertThatThrownBy(() -> sandbox(port)).isInstanceOf(ChildFailed.class);
  }

  @Test
  void childThatCannotStart_isToldWithTheEndOfItsLog() throws IOException {
    processes = new Processes(folder);
    Path config = folder.resolve("faulty.properties");
    Files.writeString(config, "tollgate.no-such-thing=1\n");
    ChildProcess child = processes.worker("w", config);
    assertThatThrownBy(() -> readiness.ofService(child, freePort()))
        .isInstanceOf(ChildFailed.class)
        .hasMessageContaining("w ended with status 2")
        .hasMessageContaining("tollgate.no-such-thing");
  }

  @Test
  void parentThatIsKilled_takesItsChildrenAlong() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process parent =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                Orphans.class.getName(),
                folder.toString(),
                String.valueOf(freePort()))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
      assertThat(child.isAlive()).isTrue();
      parent.destroyForcibly();
      await().atMost(LONG).until(() -> !child.isAlive());
    } finally {
      parent.destroyForcibly();
    }
  }

  private ChildProcess sandbox(int port) {
    if (processes.running().isEmpty() && !Files.exists(folder.resolve("sandbox.log"))) {
      processes = new Processes(folder);
    }
    return processes.sandbox(
        "sandbox",
        Map.of("port", String.valueOf(port), "ledger", folder.resolve("ledger.jsonl").toString()));
  }

  /** The process's state as the system shows it: T is stopped. */
  private static String state(ChildProcess child) throws IOException {
    Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", String.valueOf(child.pid())).start();
    String printed = new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return printed.isEmpty() ? "" : printed.substring(0, 1);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }
}
