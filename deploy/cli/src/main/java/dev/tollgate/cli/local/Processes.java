package dev.tollgate.cli.local;

import dev.tollgate.embedded.Leash;
import dev.tollgate.loadtest.sandbox.SandboxMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Starts workers, reconcilers and a sandbox as processes of their own, on the Java and the class
 * path of this one, and ends them all on {@link #close()}. Thread-safe.
 *
 * <p>Their environment is this one's without {@code TOLLGATE_*}: the file they are given decides.
 * Options for their Java come from {@code TOLLGATE_JAVA_OPTS}.
 */
public final class Processes implements AutoCloseable {
  /** How long a child may drain: what it has sent, plus what is slow on a busy machine. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  private static final String MAIN = "dev.tollgate.cli.Main";

  /** Small and steady: several of them share a machine with three servers. */
  private static final List<String> JAVA_OPTIONS =
      List.of(
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-Xshare:auto",
          "-XX:+ExitOnOutOfMemoryError",
          "--enable-native-access=ALL-UNNAMED");

  private final Path logs;
  private final Deque<ChildProcess> started = new ArrayDeque<>();
  private boolean closed;

  /**
   * @param logs folder for one log file per name
   */
  public Processes(Path logs) {
    this.logs = logs;
  }

  /** Starts a worker. A name may be used again; its log goes on. */
  public ChildProcess worker(String name, Path config) {
    return start(name, "KILL", MAIN, List.of("worker", "--config", config.toString()));
  }

  /** Starts a reconciler. */
  public ChildProcess reconciler(String name, Path config) {
    return start(name, "KILL", MAIN, List.of("reconciler", "--config", config.toString()));
  }

  /**
   * Starts a sandbox. An orphan gets TERM, so that its ledger ends with a whole line.
   *
   * @param settings as {@link SandboxMain} takes them, such as {@code port} and {@code ledger}
   */
  public ChildProcess sandbox(String name, Map<String, String> settings) {
    return start(
        name,
        "TERM",
        SandboxMain.class.getName(),
        settings.entrySet().stream().map(e -> "--" + e.getKey() + "=" + e.getValue()).toList());
  }

  private synchronized ChildProcess start(
      String name, String orphanSignal, String main, List<String> arguments) {
    if (closed) {
      throw new ChildFailed(name + " is not started: everything is being stopped");
    }
    List<String> command = new ArrayList<>(java());
    command.add(main);
    command.addAll(arguments);
    Path log = logs.resolve(name + ".log");
    try {
      Files.createDirectories(logs);
      ProcessBuilder builder =
          new ProcessBuilder(Leash.command(name, orphanSignal, command))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().keySet().removeIf(variable -> variable.startsWith("TOLLGATE_"));
      ChildProcess child = new ChildProcess(name, builder.start(), log);
      started.removeIf(old -> !old.isAlive());
      started.push(child);
      return child;
    } catch (IOException e) {
      throw new ChildFailed(name + " cannot be started", e);
    }
  }

  private static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JAVA_OPTIONS);
    String further = Objects.requireNonNullElse(System.getenv("TOLLGATE_JAVA_OPTS"), "");
    Arrays.stream(further.strip().split("\\s+"))
        .filter(option -> !option.isEmpty())
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    return command;
  }

  /** Those that run, the newest first. */
  public synchronized List<ChildProcess> running() {
    return started.stream().filter(ChildProcess::isAlive).toList();
  }

  /** Stops all of them, the newest first; nothing is started afterwards. */
  @Override
  public void close() {
    List<ChildProcess> children;
    synchronized (this) {
      closed = true;
      children = List.copyOf(started);
    }
    children.forEach(child -> child.stop(STOP_PATIENCE));
  }
}
