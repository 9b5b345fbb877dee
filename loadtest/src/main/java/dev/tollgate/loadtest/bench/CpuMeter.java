package dev.tollgate.loadtest.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time that this process's descendants have used, by what they are. Reads /proc, so Linux only.
 */
final class CpuMeter {
  /** What is told apart. */
  enum Part {
    CONSUMER,
    RECONCILER,
    POSTGRES,
    KAFKA,
    REDIS,
    SANDBOX,
    OTHER
  }

  /** The kernel's unit in /proc/PID/stat. */
  private static final int TICKS_PER_SECOND = 100;

  private CpuMeter() {}

  /** CPU milliseconds so far, children that ended included. */
  static Map<Part, Long> read() {
    Map<Part, Long> used = new EnumMap<>(Part.class);
    Map<Long, Part> parts = new HashMap<>();
    ProcessHandle.current()
        .descendants()
        .forEach(
            process -> {
              long millis = millis(process.pid());
              if (millis >= 0) {
                used.merge(part(process, parts), millis, Long::sum);
              }
            });
    return used;
  }

  private static Part part(ProcessHandle process, Map<Long, Part> known) {
    return known.computeIfAbsent(process.pid(), pid -> partOf(commandLine(pid)));
  }

  private static Part partOf(String command) {
    if (command.contains("bench.BenchRole reconciler")) {
      return Part.RECONCILER;
    }
    if (command.contains("bench.BenchRole")) {
      return Part.CONSUMER;
    }
    if (command.contains("SandboxMain")) {
      return Part.SANDBOX;
    }
    if (command.contains("kafka.Kafka")) {
      return Part.KAFKA;
    }
    if (command.contains("redis-server")) {
      return Part.REDIS;
    }
    return command.contains("postgres") ? Part.POSTGRES : Part.OTHER;
  }

  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ');
    } catch (IOException _) {
      return ""; // it ended
    }
  }

  private static long millis(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long ticks = 0;
      for (int i = 11; i <= 14; i++) { // utime, stime, cutime, cstime
        ticks += Long.parseLong(fields[i]);
      }
      return ticks * 1000 / TICKS_PER_SECOND;
    } catch (IOException _) {
      return -1; // it ended
    }
  }
}
