package dev.tollgate.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** However the process that started the servers ends, they end too. */
@Timeout(90)
@EnabledIfSystemProperty(named = Services.PROPERTY, matches = "embedded")
final class ParentEndsIT {
  @Test
  void parentKilled_serversEndToo(@TempDir Path folder) throws Exception {
    Process parent = parent(folder, "kafka");
    List<Long> servers = readPids(parent);
    assertThat(servers).hasSize(3).allMatch(pid -> ProcessHandle.of(pid).isPresent());

    parent.destroyForcibly();

    servers.forEach(Processes::awaitEnd);
    Processes.awaitNoneNaming(folder);
  }

  @Test
  void parentEndsByItself_sharedServersAreClosedAndTheirFolderIsGone(@TempDir Path folder)
      throws Exception {
    Process parent = parent(folder);
    List<Long> servers = readPids(parent);
    assertThat(servers).hasSize(2).allMatch(pid -> ProcessHandle.of(pid).isPresent());

    parent.getOutputStream().close();

    assertThat(parent.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(parent.exitValue()).isZero();
    servers.forEach(Processes::awaitEnd);
    assertThat(folder)
        .isDirectoryNotContaining(file -> file.toString().contains("tollgate-services-"));
  }

  private static Process parent(Path folder, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Djava.io.tmpdir=" + folder);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ParentProcess.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static List<Long> readPids(Process parent) throws IOException {
    List<Long> pids = new ArrayList<>();
    BufferedReader output = parent.inputReader();
    for (String line = output.readLine();
        line != null && !line.equals("up");
        line = output.readLine()) {
      if (line.startsWith("pid ")) {
        pids.add(Long.parseLong(line.substring(4)));
      }
    }
    return pids;
  }
}
