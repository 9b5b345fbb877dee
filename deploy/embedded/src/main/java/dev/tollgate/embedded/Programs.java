package dev.tollgate.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Short-lived programs of the operating system. */
final class Programs {
  /** How a program ended, and what it printed; {@code exit} is -1 if it could not run or hung. */
  record Result(int exit, String output) {
    boolean succeeded() {
      return exit == 0;
    }
  }

  private Programs() {}

  /** Where a program is, by the search path and the usual folders of system programs. */
  static Optional<String> onPath(String name) {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Arrays.stream((path + ":/usr/bin:/bin:/usr/sbin:/sbin").split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  static Result run(List<String> command, Duration timeout) {
    return run(command, Map.of(), timeout);
  }

  /** Runs a program to its end, with its output in a file so that a full pipe cannot block it. */
  static Result run(List<String> command, Map<String, String> environment, Duration timeout) {
    try {
      Path output = Files.createTempFile("tollgate-", ".out");
      try {
        ProcessBuilder builder =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (!ended) {
          process.destroyForcibly();
        }
        String printed = Files.readString(output, StandardCharsets.ISO_8859_1);
        return new Result(ended ? process.exitValue() : -1, printed);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      return new Result(-1, e.toString());
    } catch (InterruptedException e) {
      throw ServicesException.interrupted("running " + command.getFirst(), e);
    }
  }
}
