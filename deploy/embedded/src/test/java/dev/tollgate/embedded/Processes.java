package dev.tollgate.embedded;

import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Looks at the processes of this machine. */
final class Processes {
  private Processes() {}

  /** Waits until no process (a server, or the watcher of one) names a folder in its command. */
  static void awaitNoneNaming(Path folder) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .until(
            () ->
                ProcessHandle.allProcesses()
                    .noneMatch(p -> p.info().commandLine().orElse("").contains(folder.toString())));
  }

  /** Waits until a process is gone. */
  static void awaitEnd(long pid) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
  }
}
