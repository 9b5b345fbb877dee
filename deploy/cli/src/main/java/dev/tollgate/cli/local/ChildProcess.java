package dev.tollgate.cli.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One child process of {@link Processes}. Thread-safe. */
public final class ChildProcess {
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(10);
  private static final Duration SIGNAL_PATIENCE = Duration.ofSeconds(5);
  private static final int TAIL_BYTES = 64 << 10;

  private final String name;
  private final Process process;
  private final Path log;

  ChildProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  public String name() {
    return name;
  }

  public long pid() {
    return process.pid();
  }

  /** Standard output and error of every process of this name so far. */
  public Path log() {
    return log;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Exit status, or 128 plus the signal's number; empty while it runs. */
  public OptionalInt exitStatus() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  /** Completes with this when the process has ended. */
  public CompletableFuture<ChildProcess> onExit() {
    return process.onExit().thenApply(_ -> this);
  }

  /** Freezes it (SIGSTOP): connections stay open, clocks go on, nothing runs. */
  public void pause() {
    signal("STOP");
  }

  /** Ends {@link #pause()} (SIGCONT). */
  public void resume() {
    signal("CONT");
  }

  /** Ends it at once (SIGKILL), frozen or not, and waits until it is gone. */
  public void kill() {
    process.destroyForcibly();
    if (!endsWithin(KILL_PATIENCE)) {
      throw new ChildFailed(
          "%s, process %d, does not end although it was killed".formatted(name, pid()));
    }
  }

  /**
   * Asks it to end (SIGTERM), which drains; kills it when that takes too long.
   *
   * @return whether it ended by itself
   */
  public boolean stop(Duration patience) {
    if (process.isAlive()) {
      signal("CONT"); // a frozen process handles no other signal
      signal("TERM"); // not destroy(): it closes the pipe, and the leash would kill
      if (!endsWithin(patience)) {
        kill();
        return false;
      }
    }
    return true;
  }

  /** Waits for its end. */
  public boolean endsWithin(Duration time) {
    try {
      return process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChildFailed("interrupted while waiting for " + name, e);
    }
  }

  private void signal(String signal) {
    try {
      Process kill =
          new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " " + process.pid())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!kill.waitFor(SIGNAL_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new ChildFailed("%s did not get signal %s in time".formatted(name, signal));
      }
    } catch (IOException e) {
      throw new ChildFailed("%s cannot be sent signal %s".formatted(name, signal), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChildFailed("interrupted while sending a signal to " + name, e);
    }
  }

  /** The last lines of its log. */
  public List<String> logTail(int lines) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(0, file.length() - TAIL_BYTES);
      byte[] bytes = new byte[Math.toIntExact(file.length() - start)];
      file.seek(start);
      file.readFully(bytes);
      String[] all = new String(bytes, StandardCharsets.UTF_8).split("\\R", -1);
      int end = all.length > 0 && all[all.length - 1].isEmpty() ? all.length - 1 : all.length;
      return List.of(Arrays.copyOfRange(all, Math.max(0, end - lines), end));
    } catch (IOException e) {
      return List.of("(its log cannot be read: " + e.getMessage() + ")");
    }
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s (process %d)", name, pid());
  }
}
