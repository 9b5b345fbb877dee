package dev.tollgate.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.embedded.ServicesException.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that misbehave, played by shell scripts. */
@Timeout(60)
final class ManagedServerIT {
  @TempDir private Path folder;

  private record Script(Path folder, String script, boolean answers, AtomicInteger starts)
      implements ManagedServer.Kind {
    @Override
    public String name() {
      return "Scripted";
    }

    @Override
    public ServerProcess.Spec prepare(List<Integer> ports) {
      starts.incrementAndGet();
      return new ServerProcess.Spec(
          name(),
          List.of("/bin/sh", "-c", script, folder.toString()),
          Map.of(),
          new LogFile(folder.resolve("log")),
          "KILL");
    }

    @Override
    public boolean answers(List<Integer> ports) {
      return answers;
    }
  }

  private ManagedServer server(String script, boolean answers, Duration timeout) {
    return new ManagedServer(
        new Script(folder, script, answers, new AtomicInteger()),
        List.of(OptionalInt.empty()),
        timeout);
  }

  @Test
  void neverAnswers_isKilledAndReportedWithItsLog() {
    ManagedServer server = server("echo still thinking; sleep 600", false, Duration.ofMillis(500));
    assertThatThrownBy(server::startFirst)
        .isInstanceOfSatisfying(
            ServicesException.class, e -> assertThat(e.reason()).isEqualTo(Reason.START_TIMED_OUT))
        .hasMessageContaining("still thinking");
    Processes.awaitNoneNaming(folder);
  }

  @Test
  void endsBeforeItAnswers_isReportedWithStatusAndLog() {
    ManagedServer server = server("echo no disk; exit 3", false, Duration.ofSeconds(20));
    assertThatThrownBy(server::startFirst)
        .isInstanceOfSatisfying(
            ServicesException.class, e -> assertThat(e.reason()).isEqualTo(Reason.START_FAILED))
        .hasMessageContaining("status 3")
        .hasMessageContaining("no disk");
  }

  @Test
  void ignoresTheRequestToStop_isKilled() {
    ManagedServer server =
        server("trap '' TERM; while :; do sleep 1; done", true, Duration.ofSeconds(20));
    server.startFirst();
    long pid = server.pid().orElseThrow();
    server.close("TERM", Duration.ofMillis(200));
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    Processes.awaitNoneNaming(folder);
  }

  @Test
  void frozen_stopsAllTheSame() {
    ManagedServer server = server("while :; do sleep 1; done", true, Duration.ofSeconds(20));
    server.startFirst();
    server.freeze();
    server.close("TERM", Duration.ofSeconds(20));
    Processes.awaitNoneNaming(folder);
    assertThatThrownBy(server::start)
        .isInstanceOfSatisfying(
            ServicesException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_RUNNING));
    assertThatThrownBy(server::freeze).isInstanceOf(ServicesException.class);
  }

  @Test
  void diedByItself_startsAgainOnTheSamePort() {
    AtomicInteger starts = new AtomicInteger();
    ManagedServer server =
        new ManagedServer(
            new Script(folder, "sleep 600", true, starts),
            List.of(OptionalInt.empty()),
            Duration.ofSeconds(20));
    server.startFirst();
    int port = server.port();
    ProcessHandle.of(server.pid().orElseThrow()).orElseThrow().destroyForcibly();
    Processes.awaitEnd(server.pid().orElseThrow());
    server.start();
    server.start(); // it runs: nothing
    assertThat(server.port()).isEqualTo(port);
    assertThat(starts).hasValue(2);
    server.kill();
    server.kill(); // it is down: nothing
  }
}
