package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A server as a child process that ends with its parent, however the parent ends: {@link Leash}.
 */
final class ServerProcess {
  /**
   * @param name for messages
   * @param command program and arguments
   * @param environment added to the parent's
   * @param log where standard output and error go
   * @param orphanSignal what the server gets when its parent is gone
   */
  record Spec(
      String name,
      List<String> command,
      Map<String, String> environment,
      LogFile log,
      String orphanSignal) {}

  private static final Path SHELL = Path.of("/bin/sh");

  private static final Duration KILL_PATIENCE = Duration.ofSeconds(10);

  private final Spec spec;
  private final Process process;

  private ServerProcess(Spec spec, Process process) {
    this.spec = spec;
    this.process = process;
  }

  static ServerProcess launch(Spec spec) {
    List<String> command = Leash.command(spec.name(), spec.orphanSignal(), spec.command());
    try {
      spec.log().shiftIfLarge();
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(spec.log().path().toFile()));
      builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
      builder.environment().putAll(spec.environment());
      return new ServerProcess(spec, builder.start());
    } catch (IOException e) {
      throw new ServicesException(Reason.START_FAILED, spec.name() + " cannot be started", e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  Spec spec() {
    return spec;
  }

  int exitValue() {
    return process.exitValue();
  }

  /** Waits for the end of the process. */
  boolean endsWithin(Duration time) {
    try {
      return process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw ServicesException.interrupted("waiting for " + spec.name(), e);
    }
  }

  /** Sends a signal, named without SIG; nothing if the process has ended. */
  void signal(String name) {
    if (process.isAlive()) {
      Programs.run(
          List.of(SHELL.toString(), "-c", "kill -s " + name + " " + process.pid()),
          Duration.ofSeconds(10));
    }
  }

  /** Asks to end, and kills when that takes too long. */
  void stop(String signal, Duration patience) {
    signal(signal);
    if (!endsWithin(patience)) {
      kill();
    }
  }

  /** Ends the process at once and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    if (!endsWithin(KILL_PATIENCE)) {
      throw new ServicesException(
          Reason.STOP_FAILED,
          String.format(
              Locale.ROOT,
              "%s, process %d, does not end although it was killed; see what holds it",
              spec.name(),
              process.pid()));
    }
  }
}
